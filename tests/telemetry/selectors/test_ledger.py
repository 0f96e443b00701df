from datetime import UTC, datetime, timedelta

import pytest

from reservations.domain.period import Period
from reservations.models import Owner, Pool
from telemetry.domain.ledger import LedgerHour, QueueHour
from telemetry.models import PoolHour
from telemetry.selectors.ledger import flagged_hours, ledger_hours
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


def test_flagged_hours_are_the_newest_of_the_asked_pools(pool: Pool) -> None:
    other = Pool.objects.create(name="h200", owner=pool.owner, instance_type="p5en", gpus_per_node=8)
    hours = [row(0, flags=("a",), notes=(("a", "why"),)), row(1), row(2, flags=("b",)), row(3, flags=("b",))]
    for one in (pool, other):
        store_hours(pool_id=one.pk, source="main", hours=hours, read_at=START)
    found = flagged_hours(pool_ids=[pool.pk], period=DAY, limit=2)
    assert [(one.pool, one.hour.hour, one.flags) for one in found] == [("h100", 3, ("b",)), ("h100", 2, ("b",))]
    assert flagged_hours(pool_ids=[pool.pk], period=DAY, limit=9)[-1].notes == {"a": "why"}
    assert flagged_hours(pool_ids=[], period=DAY, limit=9) == []
    assert PoolHour.objects.count() == 8
