import io
import json
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from reservations.domain.period import Period
from reservations.models import Pool
from telemetry.models import DemandHour
from telemetry.selectors.demand import demand_trace
from telemetry.services.ledger import store_hours
from tests.telemetry.domain.lawful_rows import TEN, H, lawful
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
DAY = {"start": "2026-05-04T00:00Z", "end": "2026-05-05T00:00Z"}
PERIOD = Period(TEN - 10 * HOUR, TEN + 14 * HOUR)


@pytest.fixture
def pool() -> Pool:
    pool = a_pool()
    hours = [lawful(number, allocated=allocated * H, queues=()) for number, allocated in ((0, 3), (1, 8), (4, 0))]
    store_hours(pool_id=pool.pk, source="main", hours=hours, read_at=TEN + 9 * HOUR)
    return pool


def told(form: str, **options: object) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("demand", format=form, stdout=out, stderr=err, **{"pool": "reserved-h100", **DAY, **options})
    return out.getvalue(), err.getvalue()


def test_the_csv_can_be_imported_again_and_is_the_same_demand(pool: Pool, tmp_path: Path) -> None:
    file = tmp_path / "demand.csv"
    file.write_text(told("csv")[0])
    assert file.read_text().splitlines()[0] == "hour,workload,nodes"
    before = demand_trace(pool_id=pool.pk, period=PERIOD)
    DemandHour.objects.all().delete()
    call_command("import_trace", str(file), pool=pool.name, stdout=io.StringIO(), stderr=io.StringIO())
    after = demand_trace(pool_id=pool.pk, period=PERIOD)
    assert (after.hours, after.by_workload) == (before.hours, before.by_workload)
    assert after.sources == ("trace:demand.csv",) * 3
    file.write_text(told("csv")[0])
    call_command("import_trace", str(file), pool=pool.name, stdout=io.StringIO(), stderr=io.StringIO())
    assert demand_trace(pool_id=pool.pk, period=PERIOD) == after


def test_gaps_are_said_and_never_filled(pool: Pool) -> None:
    text, said = told("json")
    found = json.loads(text, parse_float=Decimal)
    assert (found["hours"], found["hours_missing"], found["bound_only_hours"]) == (3, 21, 3)
    assert found["coverage_share"] == Decimal("0.6")
    assert found["missing"][9:12] == [f"2026-05-04T{hour}:00:00+00:00" for hour in ("09", "12", "13")]
    needed = {row["hour"]: row["nodes"] for row in found["rows"] if row["workload"] == "unassigned"}
    assert list(needed.values()) == [Decimal("0.375"), 1, 0]
    assert "21 hours are missing, not zero: 2026-05-04T00:00Z to 2026-05-04T10:00Z (10 h), " in said
    assert "in 3 hours what was queued is unknown" in said


def test_a_month_is_asked_as_usage_is(pool: Pool) -> None:
    text, _ = told("json", month="2026-05", start=None, end=None)
    assert json.loads(text)["hours_missing"] == 31 * 24 - 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"start": "2026-05-04T00:00"}, "has no offset"),
        ({"month": "2026-05"}, "not both"),
        ({"pool": "reserved-h10"}, "there is no pool “reserved-h10”"),
        ({"start": "2026-06-04T00:00Z", "end": "2026-06-05T00:00Z"}, "no demand of “reserved-h100” is known"),
    ],
)
def test_what_cannot_be_answered_is_one_sentence(pool: Pool, options: dict[str, object], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        told("csv", **options)
