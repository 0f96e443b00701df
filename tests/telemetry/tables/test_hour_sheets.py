"""What stands behind an hour, as rows."""

from datetime import UTC, datetime, timedelta

from telemetry.domain.details import PodUse
from telemetry.tables.hour_sheets import pods_sheet

UNTIL = datetime(2026, 11, 5, 11, tzinfo=UTC)


def _pod(name: str, idle_from: datetime | None) -> PodUse:
    return PodUse("ns", name, name, "queue", 3_000_000, 0, 0, 0, 600_000, 3_600_000, idle_from)


def test_a_pod_that_was_busy_to_the_end_of_the_hour_is_idle_since_never():
    before = UNTIL - timedelta(minutes=10)
    sheet = pods_sheet([_pod("busy", UNTIL), _pod("idle", before), _pod("unseen", None)], until=UNTIL)
    since = {row[0]: row[-1] for row in sheet.rows}
    assert since == {"busy": None, "idle": before, "unseen": None}
