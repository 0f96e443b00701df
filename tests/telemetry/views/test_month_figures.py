import csv
import io
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command

from reservations.models import Organisation, Pool
from telemetry.domain.ledger import AMOUNTS
from telemetry.models import PoolHour
from telemetry.services.days import refresh_days
from tests.fixtures.cast import HOUR_MS, MONTH, Cast
from tests.telemetry.views.test_month import PAGE, cells, text

pytestmark = pytest.mark.django_db


def test_each_chart_has_a_sentence_that_says_what_it_shows(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    page = logged_in(cast.owner).get(PAGE).content.decode()
    described = re.findall(r'role="img"[^>]*aria-describedby="([a-z-]+)"', page)
    assert described == ["waterfall-summary", "hours-summary"]
    for name in described:
        assert re.search(rf'id="{name}">[^<]+\.<', page)


@pytest.mark.parametrize("by", ["by-hour", "by-day", "month"])
def test_the_csv_says_what_the_page_says(by: str, cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}{by}.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert len(rows) == {"by-hour": 744, "by-day": 31, "month": 1}[by]
    for name in ("reserved", "busy", "idle", "unknown"):
        stored = Decimal(sum(getattr(row, name) for row in collected)) / 3_600_000
        cut = sum(Decimal(row[f"{name}_gpu_hours"]) for row in rows if row[f"{name}_gpu_hours"])
        assert abs(cut - stored) < Decimal("0.0001")
    assert sum(int(row["hours_missing"]) for row in rows) == 627
    page = logged_in(cast.owner).get(PAGE)
    assert cells(page, "Sum")[0] == str(round(sum(Decimal(row["reserved_gpu_hours"] or 0) for row in rows)))


def test_the_csv_leaves_empty_what_is_unknown(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}by-hour.csv")
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert rows[51]["busy_gpu_hours"] == ""
    assert rows[80]["ec2_unused_gpu_hours"] == ""
    assert rows[90]["idle_held_gpu_hours"] == ""
    assert rows[90]["flags"] == "no_pod_labels"


@pytest.mark.parametrize(("by", "sheet"), [("hour", "by-hour"), ("day", "by-day"), ("month", "month")])
@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_the_csv_is_to_the_byte_what_the_command_prints(
    by: str, sheet: str, zone: str, cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    Organisation.objects.create(id=1, accounting_zone=zone)
    Pool.objects.filter(pk=cast.pool.pk).update(name="=serve-h100")
    out = io.StringIO()
    call_command("usage", pool="=serve-h100", month="2026-03", by=by, format="csv", stdout=out)
    response = logged_in(cast.owner).get(f"/pools/=serve-h100/2026-03/{sheet}.csv")
    assert response.content == out.getvalue().encode()
    first = response.content.splitlines()[1].split(b",")
    assert (first[0], first[-1]) == (b"'=serve-h100", b"false" if by == "month" else b"true")


@pytest.mark.parametrize(
    ("address", "status"),
    [("serve-h100/2026-03/by-year.csv", 404), ("arms/2026-03/by-day.csv", 404), ("serve-h100/2026-00/by-day.csv", 400)],
)
def test_a_table_that_is_not_there_is_refused(address: str, status: int, cast: Cast, logged_in) -> None:
    assert logged_in(cast.owner).get(f"/pools/{address}").status_code == status


def test_a_month_that_still_runs_is_to_date_and_compared_by_the_hour(
    cast: Cast, collected: list[PoolHour], logged_in, monkeypatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: MONTH + timedelta(days=5, minutes=10))
    february = [
        PoolHour(
            pool=cast.pool, hour=MONTH - timedelta(hours=1 + place), source="prod-a", reserved=8 * HOUR_MS,
            paid=8 * HOUR_MS, final=True, read_at=MONTH,
        )
        for place in range(100)
    ]  # fmt: skip
    PoolHour.objects.bulk_create(february)
    refresh_days(pool_id=cast.pool.pk, hours=[row.hour for row in february])
    response = logged_in(cast.owner).get(PAGE)
    page = text(response)
    rate = Decimal(sum(row.reserved for row in collected)) / HOUR_MS / len(collected)
    assert "To date, not a whole month. Compared with February by the hour." in page
    assert f"{rate:.1f} an hour, {100 * (rate / 8 - 1):.1f}% more than in February." in page
    assert "120 of 744 h so far" in page
    assert 'class="tiles to-date"' in response.content.decode()
    assert "Without 3 of 120 hours" in page


def test_a_whole_month_is_not_said_to_be_a_part(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(PAGE)
    assert "744 h" in text(response)
    assert "to date" not in text(response).replace("up to date", "")
    assert "Nothing was collected for February, so nothing is compared." in text(response)


def test_a_month_in_which_nothing_was_reserved_is_truly_zero(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    amounts = {name: 0 for name in AMOUNTS}
    PoolHour.objects.update(**amounts)
    refresh_days(pool_id=cast.pool.pk, hours=[row.hour for row in collected])
    assert "Nothing was reserved in this month. That is truly zero: 117 hours were collected" in text(
        logged_in(cast.owner).get(PAGE)
    )


def test_the_waterfall_of_the_page_adds_up_and_is_its_sheet(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.owner)
    page = client.get(PAGE).content.decode().replace("\u202f", "")
    table = page[page.index('<table class="waterfall') :].split("</table>")[0]
    written = {
        name: [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r'<td role="cell"[^>]*>(.*?)</td>', row, re.S)]
        for name, row in re.findall(r'swatch-(\w+)"></span>(.*?)</tr>', table, re.S)
    }
    reserved = written.pop("reserved")
    assert sum(int(cells[0]) for cells in written.values()) == int(reserved[0])
    assert sum(Decimal(cells[1].rstrip("%")) for cells in written.values()) == 100
    assert sum(int(cells[2]) for cells in written.values()) == int(reserved[2])
    rows = csv.DictReader(io.StringIO(client.get(f"{PAGE}waterfall.csv").content.decode()))
    for row in rows:
        if row["step"] in written:
            assert abs(int(written[row["step"]][0]) - Decimal(row["gpu_hours"] or 0)) < 1
            assert abs(int(written[row["step"]][2]) - Decimal(row["cost_usd"] or 0)) < 1
