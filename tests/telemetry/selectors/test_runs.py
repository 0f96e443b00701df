from datetime import UTC, datetime, timedelta

import pytest

from reservations.models import Pool
from telemetry.models import CollectionRun
from telemetry.selectors.runs import recent_runs
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def tried(pool: Pool, hours_ago: int, *, read_at: datetime = NOON, status: str = "stored", message: str = "") -> None:
    CollectionRun.objects.create(
        pool=pool, source="prod-a", hour=NOON - timedelta(hours=hours_ago), read_at=read_at, status=status,
        message=message, took_ms=5,
    )  # fmt: skip


def test_one_long_run_is_a_line_for_each_pool_and_outcome_and_hides_no_other(cast: Cast) -> None:
    for hours_ago in range(1, 100):
        tried(cast.pool, hours_ago)
    tried(cast.pool, 100, status="failed", message="prod-a answered 503.")
    tried(cast.other, 1)
    tried(cast.other, 2, read_at=NOON - timedelta(hours=1))
    rows = recent_runs(pool_ids=[cast.pool.pk, cast.other.pk], since=NOON - timedelta(days=7), limit=25)
    assert [(row.pool, row.hours, row.status, row.message, row.took_ms) for row in rows] == [
        ("arms", 1, "stored", "", 5),
        ("serve-h100", 99, "stored", "", 495),
        ("serve-h100", 1, "failed", "prod-a answered 503.", 5),
        ("arms", 1, "stored", "", 5),
    ]
    assert (rows[1].period.start, rows[1].period.end) == (NOON - timedelta(hours=99), NOON)


def test_pools_one_may_not_see_and_older_runs_are_left_out(cast: Cast) -> None:
    tried(cast.other, 1)
    tried(cast.pool, 1, read_at=NOON - timedelta(days=8))
    assert recent_runs(pool_ids=[cast.pool.pk], since=NOON - timedelta(days=7), limit=25) == []
