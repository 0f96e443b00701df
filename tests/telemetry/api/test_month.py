"""One pool's month: its usage, a waterfall that adds up, and money for who may see it."""

import json
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from telemetry.models import PoolHour
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller, problem, token_of

pytestmark = pytest.mark.django_db

ADDRESS = "pools/serve-h100/months/2026-03"


def exact(response) -> dict:
    return json.loads(response.content, parse_float=Decimal, parse_int=Decimal)


def test_the_waterfall_adds_up_to_reserved_and_its_money_to_what_was_paid(
    cast: Cast, collected: list[PoolHour]
) -> None:
    told = exact(Caller(token_of(cast.owner)).get(ADDRESS))
    steps = told["waterfall"]
    reserved = Decimal(sum(row.reserved for row in collected)) / 3_600_000
    assert told["usage"]["reserved_gpu_hours"] == reserved
    assert abs(sum(step["gpu_hours"] or 0 for step in steps) - reserved) < Decimal("0.000001")
    assert told["worth"]["paid_cost"] == reserved * 5
    assert abs(sum(step["cost"] or 0 for step in steps) - reserved * 5) < Decimal("0.0001")
    assert told["worth"]["break_even_share"] == Decimal("0.5")
    assert told["worth"]["currency"] == "USD"


def test_who_may_not_see_prices_gets_the_same_hours_and_no_money(cast: Cast, collected: list[PoolHour]) -> None:
    viewer, owner = (Caller(token_of(person)).get(ADDRESS).json() for person in (cast.viewer, cast.owner))
    assert viewer["usage"] == owner["usage"]
    assert {step["cost"] for step in viewer["waterfall"]} == {None}
    assert viewer["worth"]["paid_cost"] is None
    assert viewer["worth"]["why_not"] == "your role does not include prices."
    assert "5" not in viewer["worth"]["why_not"]


def test_a_month_without_hours_is_unknown_and_not_zero(cast: Cast, collected: list[PoolHour]) -> None:
    told = Caller(token_of(cast.owner)).get("pools/serve-h100/months/2026-02").json()
    assert told["usage"]["reserved_gpu_hours"] is None
    assert told["usage"]["hours_missing"] == 28 * 24
    assert told["busy_share"] is None


@pytest.mark.parametrize(
    ("month", "status"),
    [("2026-13", 422), ("0000-00", 422), ("2026-3", 422), ("mars", 422), ("2199-12", 404), ("1999-12", 404)],
)
def test_a_month_that_is_none_or_not_yet_says_so(month: str, status: int, cast: Cast) -> None:
    response = Caller(token_of(cast.owner)).get(f"pools/serve-h100/months/{month}")
    assert response.status_code == status
    problem(response)


def test_the_current_month_is_to_date(cast: Cast) -> None:
    told = Caller(token_of(cast.owner)).get(f"pools/serve-h100/months/{timezone.now():%Y-%m}").json()
    assert told["period"]["to_date"] is True


def test_a_month_takes_few_queries(cast: Cast, collected: list[PoolHour]) -> None:
    caller = Caller(token_of(cast.owner))
    caller.get(ADDRESS)
    with CaptureQueriesContext(connection) as queries:
        assert caller.get(ADDRESS).status_code == 200
    assert len(queries) <= 12
