"""Days that were not written with their hours come right by themselves, and nothing else is touched."""

from datetime import UTC, datetime, timedelta

import pytest

from telemetry.models import PoolDay, PoolDayQueue, PoolHour
from telemetry.services.ledger import store_hours
from telemetry.services.mending import mend_days
from telemetry.tasks import mend_days as task
from tests.telemetry.domain.lawful_rows import TEN, H, lawful
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db

SINCE = TEN - timedelta(days=1)


@pytest.fixture
def days() -> list[dict[str, object]]:
    for name in ("one", "two"):
        hours = [lawful(number) for number in range(0, 100, 2)]
        store_hours(pool_id=a_pool(name).pk, source="main", hours=hours, read_at=TEN + timedelta(days=9))
    return standing()


def standing() -> list[dict[str, object]]:
    rows = PoolDay.objects.order_by("pool__name", "day").values()
    queues = PoolDayQueue.objects.order_by("pool__name", "day", "cluster_queue").values()
    return [{**row, "id": None} for row in (*rows, *queues)]


def test_days_that_are_missing_or_say_something_else_are_added_up_again(days: list[dict[str, object]]) -> None:
    PoolDay.objects.filter(pool__name="one").delete()
    PoolDayQueue.objects.filter(pool__name="one").delete()
    changed = PoolHour.objects.filter(pool__name="two").order_by("hour")[0]
    before = PoolDay.objects.get(pool=changed.pool, day=changed.hour.date())
    PoolDay.objects.filter(pk=before.pk).update(busy=before.busy + H)
    assert mend_days(since=SINCE) == 6
    assert standing() == days
    assert mend_days(since=SINCE) == 0


def test_what_lies_further_back_is_left_alone(days: list[dict[str, object]]) -> None:
    PoolDay.objects.all().delete()
    assert mend_days(since=TEN + timedelta(days=2)) == 6
    assert PoolDay.objects.count() == 6


def test_the_task_looks_at_the_last_weeks(days: list[dict[str, object]]) -> None:
    PoolDay.objects.all().delete()
    task()
    recent = sum(row["day"] > (datetime.now(UTC) - timedelta(days=40)).date() for row in days if "hours" in row)
    assert PoolDay.objects.count() == recent
