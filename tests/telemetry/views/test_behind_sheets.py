"""What is behind a number of a month, as files with the rows of its page."""

import csv
import io
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client

from telemetry.models import PoolHour
from tests.fixtures.cast import HOUR_MS, MONTH, Cast

pytestmark = pytest.mark.django_db
POOL = "/pools/serve-h100/2026-03/"
FLEET = "/fleet/2026-03/"


def ms(hours: str) -> int:
    """GPU-milliseconds of so many GPU-hours as files write them: seven places, so that each is told exactly."""
    return round(Decimal(hours or 0) * HOUR_MS)


def rows(client: Client, address: str) -> list[dict[str, str]]:
    answer = client.get(address)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def linked(client: Client, page: str, sheet: str) -> list[dict[str, str]]:
    """The rows of a file to which its page leads."""
    place, _, question = page.partition("?")
    text = client.get(page).text
    for form in ("csv", "xlsx"):
        assert f'href="{place}{sheet}.{form}?{question}"' in text
    return rows(client, f"{place}{sheet}.csv?{question}")


def test_the_hours_of_a_day_are_a_file(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    day = [row for row in collected if MONTH + timedelta(days=1) <= row.hour < MONTH + timedelta(days=2)]
    told = linked(logged_in(cast.owner), f"{POOL}?day=2026-03-02", "hours")
    assert len(told) == 24
    assert sum(ms(row["reserved_gpu_hours"]) for row in told) == sum(row.reserved for row in day)
    assert {row["start"][:10] for row in told} == {"2026-03-02"}


def test_the_hours_with_most_of_a_step_are_a_file_in_their_order(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    told = linked(logged_in(cast.owner), f"{POOL}?step=idle_held", "hours")
    amounts = [ms(row["idle_held_gpu_hours"]) for row in told]
    assert amounts == sorted(amounts, reverse=True)
    assert amounts[0] == max(row.idle_held or 0 for row in collected)


def test_a_day_of_the_fleet_is_two_files_its_hours_and_its_pools(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    client = logged_in(cast.owner)
    hours = linked(client, f"{FLEET}?day=2026-03-02", "hours")
    pools = linked(client, f"{FLEET}?day=2026-03-02", "day-pools")
    whole = sum(Decimal(row["reserved_gpu_hours"] or 0) for row in hours)
    assert whole > 0
    assert sum(Decimal(row["reserved_gpu_hours"]) for row in pools) == whole


def test_the_pools_with_most_of_a_step_are_a_file(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    (told,) = linked(logged_in(cast.owner), f"{FLEET}?step=idle_held", "step-pools")
    assert told["pool"] == "serve-h100"
    assert ms(told["gpu_hours"]) == sum(row.idle_held or 0 for row in collected)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (f"{POOL}hours.csv", 404),
        (f"{POOL}hours.csv?step=colour", 404),
        (f"{POOL}hours.csv?day=2026-04-01", 404),
        (f"{POOL}day-pools.csv?day=2026-03-02", 404),
        (f"{POOL}step-pools.csv?step=idle_held", 404),
        (f"{FLEET}step-pools.csv", 404),
        (f"{FLEET}hours.pdf?day=2026-03-02", 404),
    ],
)
def test_what_is_behind_nothing_is_no_file(
    address: str, status: int, cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    assert logged_in(cast.owner).get(address).status_code == status


def test_the_hours_of_others_are_no_file(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    assert logged_in(cast.outsider).get(f"{POOL}hours.csv?day=2026-03-02").status_code == 404


def test_one_hours_waterfall_is_a_file_that_adds_up(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client, hour = logged_in(cast.owner), "/pools/serve-h100/hours/2026-03-01T10/"
    assert 'href="waterfall.csv"' in client.get(hour).text
    told = {row["step"]: ms(row["gpu_hours"]) for row in rows(client, f"{hour}waterfall.csv")}
    beside = told.pop("paid_unusable")
    assert told.pop("reserved") == collected[10].reserved
    assert sum(told.values()) == collected[10].reserved
    assert beside == collected[10].paid - collected[10].reserved


def test_the_tiles_of_a_month_are_files_beside_them(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    page = logged_in(cast.owner).get(POOL).text
    assert f'href="{POOL}tiles.csv"' in page
    assert f'href="{POOL}tiles.xlsx"' in page
