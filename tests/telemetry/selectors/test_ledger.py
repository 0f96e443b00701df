from datetime import UTC, datetime, timedelta

import pytest

from reservations.domain.period import Period
from reservations.models import Owner, Pool
from telemetry.domain.ledger import LedgerHour, QueueHour
from telemetry.selectors.ledger import ledger_hours
from telemetry.services.ledger import store_hours

pytestmark = pytest.mark.django_db

START = datetime(2026, 5, 1, tzinfo=UTC)
DAY = Period(START, START + timedelta(days=1))


@pytest.fixture
def pool() -> Pool:
    owner = Owner.objects.create(name="serving")
    return Pool.objects.create(name="h100", owner=owner, instance_type="p5", gpus_per_node=8)


def row(number: int, **more: object) -> LedgerHour:
    return LedgerHour(hour=START + timedelta(hours=number), reserved=8, paid=8, **more)  # type: ignore[arg-type]


def test_what_was_stored_comes_back_in_order_with_its_queues(pool: Pool, django_assert_num_queries: object) -> None:
    queues = (QueueHour("", unmanaged_busy=1), QueueHour("cq-a", allocated=3, owner_busy=2))
    rows = [
        row(
            0, allocated=3, busy=3, owner_busy=2, borrower_busy=0, unmanaged_busy=1, unattributed_busy=0, queues=queues
        ),
        row(1, flags=("a", "b"), notes=(("a", "one"), ("b", "two")), complete=False),
        row(24),
    ]
    store_hours(pool_id=pool.pk, source="main", hours=rows[::-1], read_at=START)
    with django_assert_num_queries(2):  # type: ignore[operator]
        found = ledger_hours(pool_id=pool.pk, period=DAY)
    assert found == rows[:2]
