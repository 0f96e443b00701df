"""Page, CSV, workbook, API and command give one number for each quantity, to whoever may see it and to nobody else."""

import csv
import io
import json
import random
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.html import strip_tags

from reservations.models import Organisation, Pool
from telemetry.models import PoolHour
from telemetry.services.days import refresh_days
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller, token_of

pytestmark = pytest.mark.django_db

HOUR_MS = 3_600_000
AMOUNTS = (
    "reserved", "ec2_unused", "paid", "expected", "not_joined", "not_observed", "known", "unknown", "allocated",
    "busy", "sm", "idle", "idle_held", "idle_free", "owner_busy", "borrower_busy", "unmanaged_busy",
    "unattributed_busy",
)  # fmt: skip
LOG_INS = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def odd(cast: Cast) -> Pool:
    """A pool in Kolkata's March: amounts to the millisecond, nodes nobody promised, no pod labels, half a month."""
    Organisation.objects.update_or_create(pk=1, defaults={"accounting_zone": "Asia/Kolkata"})
    dice = random.Random(7)
    rows = [_hour(cast.other, datetime(2026, 2, 27, tzinfo=UTC) + timedelta(hours=n), dice) for n in range(24 * 20)]
    PoolHour.objects.bulk_create(row for row in rows if dice.random() > 0.1)
    refresh_days(pool_id=cast.other.pk, hours=[row.hour for row in rows])
    return cast.other


def _hour(pool: Pool, hour: datetime, dice: random.Random) -> PoolHour:
    reserved = dice.randrange(8 * HOUR_MS, 40 * HOUR_MS)
    unused = dice.choice([0, dice.randrange(reserved // 2)])
    expected = dice.randrange(1, 48 * HOUR_MS)
    unknown = dice.randrange(expected)
    dark = dice.random() < 0.2
    busy = None if dark else dice.randrange(expected - unknown)
    return PoolHour(
        pool=pool, hour=hour, source="odd", reserved=reserved, paid=reserved + dice.choice([0, 777]),
        ec2_unused=unused, expected=expected, not_joined=reserved - unused - expected, not_observed=0,
        known=0 if dark else expected - unknown, unknown=expected if dark else unknown, busy=busy,
        idle=None if busy is None else expected - unknown - busy, sm=None if busy is None else busy // 3,
        allocated=None, final=dice.random() < 0.5, read_at=hour, flags=dice.choice([[], ["thin"], ["a_flag", "thin"]]),
    )  # fmt: skip


def oracle(pool: Pool, zone: str) -> dict[str, Decimal | None]:
    """The month's sums from the rows themselves, in GPU-hours to seven digits; None where no row knows."""
    there = ZoneInfo(zone)
    rows = [row for row in PoolHour.objects.filter(pool=pool) if f"{row.hour.astimezone(there):%Y-%m}" == "2026-03"]
    assert rows
    told: dict[str, Decimal | None] = {}
    for name in AMOUNTS:
        known = [value for value in (getattr(row, name) for row in rows) if value is not None]
        told[name] = (
            (Decimal(sum(known)) / HOUR_MS).quantize(Decimal("1e-7"), ROUND_HALF_EVEN) if known else None
        )  # every amount is a whole number of milliseconds
    return told


def exact(text: str | bytes) -> dict:
    return json.loads(text, parse_float=Decimal)


def from_command(pool: Pool, client: Client, api: Caller) -> dict:
    out = io.StringIO()
    call_command("usage", "--month", "2026-03", "--pool", pool.name, "--format", "json", stdout=out)
    (row,) = exact(out.getvalue())["rows"]
    return row


def from_usage(pool: Pool, client: Client, api: Caller) -> dict:
    (row,) = exact(api.get("usage", month="2026-03", pool=pool.name).content)["rows"]
    return row


def from_month(pool: Pool, client: Client, api: Caller) -> dict:
    return exact(api.get(f"pools/{pool.name}/months/2026-03").content)["usage"]


def from_csv(pool: Pool, client: Client, api: Caller) -> dict:
    (row,) = csv_rows(client, f"/pools/{pool.name}/2026-03/month.csv")
    return {name: Decimal(cell) if cell else None for name, cell in row.items() if name.endswith("_gpu_hours")}


def from_days(pool: Pool, client: Client, api: Caller) -> dict:
    rows = csv_rows(client, f"/pools/{pool.name}/2026-03/by-day.csv")
    return {name: total([Decimal(row[name]) if row[name] else None for row in rows]) for name in gpu_hours(rows[0])}


def from_workbook(pool: Pool, client: Client, api: Caller) -> dict:
    (row,) = xlsx_rows(client, f"/pools/{pool.name}/2026-03/month.xlsx")
    return {name: None if row[name] is None else Decimal(repr(row[name])) for name in gpu_hours(row)}


def gpu_hours(row: dict) -> list[str]:
    return [name for name in row if name.endswith("_gpu_hours")]


def total(values: list[Decimal | None]) -> Decimal | None:
    known = [value for value in values if value is not None]
    return sum(known, Decimal(0)) if known else None


def csv_rows(client: Client, address: str) -> list[dict[str, str]]:
    response = client.get(address)
    assert response.status_code == 200, address
    return list(csv.DictReader(io.StringIO(response.content.decode(), newline="")))


def xlsx_rows(client: Client, address: str) -> list[dict[str, object]]:
    """The figures under the names that the second sheet gives the columns."""
    figures, about = openpyxl.load_workbook(io.BytesIO(client.get(address).content)).worksheets
    lines = list(about.iter_rows(values_only=True))
    (start,) = (place for place, line in enumerate(lines) if line[0] == "Column")
    names = [str(line[1]) for line in lines[start + 1 :]]
    return [dict(zip(names, row, strict=True)) for row in figures.iter_rows(min_row=2, values_only=True)]


def bars(client: Client, address: str) -> dict[str, tuple[str, str]]:
    """The waterfall of a page: each bar's hours and money as written."""
    found = re.findall(
        r'swatch-(\w+)"></span>.*?class="hours">(.*?)</td>.*?(?:class="money">(.*?)</td>|</tr>)',
        client.get(address).content.decode().split('<table class="waterfall', 1)[1].split("</table>")[0],
        re.S,
    )
    return {name: (strip_tags(hours).strip(), strip_tags(money).strip()) for name, hours, money in found}


def number(text: str) -> Decimal:
    return Decimal(text.replace("\u202f", "").replace("−", "-"))


def places(text: str) -> int:
    return len(text.partition(".")[2])


SOURCES: dict[str, Callable[[Pool, Client, Caller], dict]] = {
    "the command": from_command,
    "/usage of the API": from_usage,
    "the month of the API": from_month,
    "the CSV": from_csv,
    "the days of the CSV": from_days,
    "the workbook": from_workbook,
}


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata"])
@pytest.mark.parametrize("source", SOURCES)
def test_every_door_gives_the_sum_of_the_hours(
    source: str, zone: str, cast: Cast, collected: list[PoolHour], odd: Pool, client: Client
) -> None:
    Organisation.objects.update(accounting_zone=zone)
    client.force_login(cast.analyst, backend=LOG_INS)
    for pool in (cast.pool, odd):
        told = SOURCES[source](pool, client, Caller(token_of(cast.analyst)))
        for name, expected in oracle(pool, zone).items():
            slack = Decimal("0.00001") if source == "the days of the CSV" else Decimal(0)
            found = told[f"{name}_gpu_hours"]
            assert (found is None) == (expected is None), (pool, name)
            assert expected is None or abs(found - expected) <= slack, (pool, name)


def test_the_page_writes_the_numbers_of_the_api(
    cast: Cast, collected: list[PoolHour], odd: Pool, client: Client
) -> None:
    client.force_login(cast.analyst, backend=LOG_INS)
    api = Caller(token_of(cast.analyst))
    for pool in (cast.pool, odd):
        told = exact(api.get(f"pools/{pool.name}/months/2026-03").content)
        steps = {step["step"]: step for step in told["waterfall"]}
        page = bars(client, f"/pools/{pool.name}/2026-03/")
        assert abs(number(page.pop("reserved")[0]) - told["usage"]["reserved_gpu_hours"]) <= Decimal("0.5")
        assert {name for name, step in steps.items() if step["gpu_hours"]} <= set(page)
        for name, (hours, money) in page.items():
            if steps[name]["gpu_hours"] is None:
                assert hours == "–"
                continue
            unit = Decimal(1).scaleb(-places(hours))
            assert abs(number(hours) - steps[name]["gpu_hours"]) < unit, name
            if steps[name]["cost"] is not None:
                assert abs(number(money) - steps[name]["cost"]) < Decimal(1).scaleb(-places(money)), name


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_the_waterfall_of_a_file_is_that_of_the_api(
    suffix: str, cast: Cast, collected: list[PoolHour], odd: Pool, client: Client
) -> None:
    client.force_login(cast.analyst, backend=LOG_INS)
    api = Caller(token_of(cast.analyst))
    for pool in (cast.pool, odd):
        address = f"/pools/{pool.name}/2026-03/waterfall.{suffix}"
        rows = csv_rows(client, address) if suffix == "csv" else xlsx_rows(client, address)
        steps = {row["step"]: row for row in rows}
        for step in exact(api.get(f"pools/{pool.name}/months/2026-03").content)["waterfall"]:
            row = steps[step["step"]]
            for key, column in (("gpu_hours", "gpu_hours"), ("cost", "cost_usd")):
                if column in row:
                    cell = row[column]
                    assert (None if cell in ("", None) else Decimal(str(cell))) == _rounded(step[key], suffix)


def _rounded(value: Decimal | None, suffix: str) -> Decimal | None:
    """A workbook holds what a double holds."""
    return value if value is None or suffix == "csv" else Decimal(repr(float(value)))


def test_every_door_asks_the_same_leave(cast: Cast, collected: list[PoolHour], odd: Pool, client: Client) -> None:
    people = (cast.owner, cast.borrower, cast.viewer, cast.approver, cast.analyst, cast.outsider, cast.nobody)
    seen = {}
    for person in people:
        client.force_login(person, backend=LOG_INS)
        api = Caller(token_of(person))
        for pool in (cast.pool, odd):
            page = f"/pools/{pool.name}/2026-03/"
            answers = [
                *(client.get(page + end).status_code for end in ("", "month.csv", "month.xlsx", "waterfall.csv")),
                api.get(f"pools/{pool.name}/months/2026-03").status_code,
                api.get(f"pools/{pool.name}").status_code,
                api.get("usage", month="2026-03", pool=pool.name).status_code,
            ]
            assert len(set(answers)) == 1, (person, pool, answers)
            seen[person.username, pool.name] = answers[0]
    assert {name for (name, pool), status in seen.items() if pool == odd.name and status == 200} == {
        "approver",
        "analyst",
        "outsider",
    }
    assert set(seen.values()) == {200, 404}


def test_no_door_tells_a_price_to_who_may_not_see_it(cast: Cast, collected: list[PoolHour], client: Client) -> None:
    for person, priced in ((cast.viewer, False), (cast.owner, True)):
        client.force_login(person, backend=LOG_INS)
        months = Caller(token_of(person)).get("pools/serve-h100/months/2026-03").json()
        assert (months["worth"]["paid_cost"] is not None) is priced
        assert ("cost_usd" in csv_rows(client, "/pools/serve-h100/2026-03/waterfall.csv")[0]) is priced
        assert ("cost_usd" in xlsx_rows(client, "/pools/serve-h100/2026-03/waterfall.xlsx")[0]) is priced
        assert any(money for _, money in bars(client, "/pools/serve-h100/2026-03/").values()) is priced


def test_a_file_that_would_be_too_long_is_refused_and_never_cut_short(
    cast: Cast, collected: list[PoolHour], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(cast.analyst, backend=LOG_INS)
    whole = csv_rows(client, "/fleet/2026-03/by-hour.csv")
    monkeypatch.setattr("telemetry.views.sheets.MOST_ROWS", len(whole) - 1)
    refused = client.get("/fleet/2026-03/by-hour.csv")
    assert refused.status_code == 413
    assert "take them by day" in refused.content.decode()
    monkeypatch.setattr("reservations.tables.workbook.MOST_CELLS", 1000)
    refused = client.get("/pools/serve-h100/2026-03/by-hour.xlsx")
    assert refused.status_code == 413
    assert "take the CSV" in refused.content.decode()
