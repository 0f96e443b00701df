import csv
import io
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from reservations.models import Organisation, Owner, Pool
from telemetry.domain.ledger import LedgerHour, QueueHour
from telemetry.services.ledger import store_hours
from telemetry.tables.usage import COLUMNS

pytestmark = pytest.mark.django_db

MAY = datetime(2026, 5, 1, tzinfo=UTC)
H = 3_600_000


@pytest.fixture
def pool() -> Pool:
    owner = Owner.objects.create(name="serving")
    pool = Pool.objects.create(name="h100", owner=owner, instance_type="p5", gpus_per_node=8)
    rows = [
        LedgerHour(
            hour=MAY + timedelta(hours=number), reserved=12 * H, paid=12 * H, ec2_unused=4 * H, expected=8 * H,
            not_joined=0, not_observed=0, known=26_100_000, unknown=2_700_000, busy=16_499_999 + number,
            idle=9_600_001 - number, unattributed_busy=16_499_999 + number,
            owner_busy=0, borrower_busy=0, unmanaged_busy=0,
            queues=(QueueHour("", unattributed_busy=16_499_999 + number),),
            flags=("low_coverage",) if number == 1 else (), final=True,
        )
        for number in range(30)
    ]  # fmt: skip
    store_hours(pool_id=pool.pk, source="main", hours=rows, read_at=MAY)
    return pool


def usage(**options: Any) -> Any:
    out = io.StringIO()
    call_command("usage", format="json", stdout=out, stderr=io.StringIO(), **options)
    return json.loads(out.getvalue(), parse_float=Decimal)


def test_a_month_has_every_word_of_the_contract_and_says_what_is_missing(pool: Pool) -> None:
    found = usage(month="2026-05")
    assert found["period"] == {
        "start": "2026-05-01T00:00:00+00:00",
        "end": "2026-06-01T00:00:00+00:00",
        "accounting_zone": "UTC",
        "to_date": False,
        "until": "2026-06-01T00:00:00+00:00",
    }
    (row,) = found["rows"]
    assert tuple(row) == COLUMNS
    assert (row["pool"], row["start"]) == ("h100", "2026-05-01T00:00:00+00:00")
    assert (row["reserved_gpu_hours"], row["launched_gpu_hours"], row["hours_missing"]) == (360, 240, 714)
    assert row["coverage_share"] == Decimal("0.90625")
    assert row["sm_gpu_hours"] is None
    assert (row["flags"], row["final"]) == (["low_coverage"], False)


def test_every_gpu_millisecond_can_be_read_back_from_the_json(pool: Pool) -> None:
    hours = usage(month="2026-05", by="hour")["rows"]
    assert len(hours) == 744
    assert [round(row["busy_gpu_hours"] * H) for row in hours[:30]] == [16_499_999 + number for number in range(30)]
    assert hours[30]["busy_gpu_hours"] is None
    assert hours[0]["final"] is True


def test_days_and_hours_add_up_to_the_month(pool: Pool) -> None:
    whole = usage(month="2026-05")["rows"][0]
    for by in ("hour", "day", "month"):
        rows = usage(month="2026-05", by=by)["rows"]
        total = sum(round(row["busy_gpu_hours"] * H) for row in rows if row["busy_gpu_hours"] is not None)
        assert total == round(whole["busy_gpu_hours"] * H)
        assert sum(row["hours_missing"] for row in rows) == whole["hours_missing"]


def test_months_and_days_are_the_organisation_s(pool: Pool) -> None:
    Organisation.objects.create(id=1, accounting_zone="Asia/Kolkata")
    found = usage(month="2026-05", by="day")
    assert (found["period"]["accounting_zone"], found["period"]["start"]) == (
        "Asia/Kolkata", "2026-04-30T19:00:00+00:00",
    )  # fmt: skip
    assert [row["start"] for row in found["rows"][:2]] == ["2026-04-30T19:00:00+00:00", "2026-05-01T19:00:00+00:00"]


def test_whole_hours_from_one_instant_to_another(pool: Pool) -> None:
    found = usage(start="2026-05-01T02:00+02:00", end="2026-05-01T04:00Z")
    assert found["rows"][0]["reserved_gpu_hours"] == 48


def test_one_pool_or_all_of_them(pool: Pool) -> None:
    Pool.objects.create(name="h200", owner=pool.owner, instance_type="p5en", gpus_per_node=8)
    assert [row["pool"] for row in usage(month="2026-05")["rows"]] == ["h100", "h200"]
    assert [row["pool"] for row in usage(month="2026-05", pool="h200")["rows"]] == ["h200"]


def test_csv_holds_the_same_rows(pool: Pool) -> None:
    out = io.StringIO()
    call_command("usage", month="2026-05", by="day", format="csv", stdout=out)
    rows = list(csv.DictReader(out.getvalue().splitlines()))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 31
    assert (rows[0]["reserved_gpu_hours"], rows[0]["sm_gpu_hours"], rows[0]["flags"]) == ("288", "", "low_coverage")
    assert rows[0]["final"] == "true"


def test_the_table_shows_a_dash_for_the_unknown(pool: Pool) -> None:
    out = io.StringIO()
    call_command("usage", month="2026-05", stdout=out)
    header, line = out.getvalue().splitlines()
    assert header.split()[:4] == ["pool", "start", "end", "reserved"]
    assert line.split()[header.split().index("sm")] == "–"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "say which time"),
        ({"month": "2026-13"}, "is not a month"),
        ({"month": "may"}, "“may” is not a month: write it as 2026-05"),
        ({"month": "2026-05", "start": "2026-05-01T00:00Z"}, "not both"),
        ({"start": "2026-05-01T00:00Z"}, "say which time"),
        ({"start": "2026-05-02T00:00Z", "end": "2026-05-01T00:00Z"}, "--to must be after --from"),
        ({"start": "2026-05-01T00:00Z", "end": "2026-05-01T00:00Z"}, "--to must be after --from"),
        ({"start": "2026-05-01T00:00", "end": "2026-05-02T00:00Z"}, "has no offset"),
        ({"start": "2026-05-01T00:30Z", "end": "2026-05-02T00:00Z"}, "is not a whole hour"),
        ({"month": "2026-05", "pool": "h10"}, "there is no pool “h10”; did you mean “h100”?"),
    ],
)
def test_what_can_not_be_answered_is_one_sentence(pool: Pool, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(CommandError) as caught:
        usage(**options)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("zone", ["Foo/Bar", "../../etc/passwd", "Europe"])
def test_a_zone_that_went_past_every_check_is_named_in_one_sentence(pool: Pool, zone: str) -> None:
    Organisation.objects.create(id=1, accounting_zone=zone)
    unknown = f"an unknown time zone “{zone}”: use an IANA name like Europe/Berlin"
    with pytest.raises(CommandError, match=f"^the organisation's accounting zone is {unknown}$"):
        usage(month="2026-05")
