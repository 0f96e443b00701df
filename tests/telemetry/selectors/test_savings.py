"""What reserving saved and covered, from the ledger and from what ran beside it."""

import csv
import io
import json
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from reservations.models import Pool
from reservations.selectors.pools import pool_rows
from telemetry.selectors.double_pay import OnDemandTime, PaidTwiceFound
from telemetry.selectors.savings import Saved, saved_by_pool
from tests.reservations.api.calling import Caller, token_of
from tests.telemetry.domain.lawful_rows import H, bare, lawful
from tests.telemetry.selectors.test_worth import ANALYST, MAY, VIEWER, collected, quote
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db

YEAR = MAY.start.date().replace(month=1, day=1)


@pytest.fixture
def pool() -> Pool:
    pool = a_pool("one")
    quote(pool, YEAR, None, 40)
    collected(pool, [lawful(n, busy=4 * H, known=8 * H) for n in range(10)] + [bare(10)])
    return pool


def beside(instance_hours: int, listed_hours: int, shape: str = "p5.48xlarge") -> PaidTwiceFound:
    return PaidTwiceFound((), {}, {}, {shape: OnDemandTime(instance_hours * H, listed_hours * H)})


def saved(found: PaidTwiceFound, person: Any = ANALYST) -> tuple[Saved, list[Saved]]:
    return saved_by_pool(pools=pool_rows(), period=MAY, beside=found, person=person)


def test_coverage_is_of_what_ran_on_average_in_the_time_each_is_known(pool: Pool) -> None:
    _, (one,) = saved(beside(instance_hours=50, listed_hours=100))
    assert one.gpus.on_demand == 4
    assert one.gpus.reserved == 8
    assert abs(one.gpus.coverage - Decimal(8) / 12) < Decimal("1e-20")


def test_coverage_is_unknown_where_nobody_looked_at_what_ran_on_demand(pool: Pool) -> None:
    for found in (PaidTwiceFound((), {}, {}), beside(0, 0)):
        together, (one,) = saved(found)
        assert one.gpus.coverage is None
        assert together.gpus.coverage is None
        assert one.savings.rate is not None


def test_instances_on_demand_count_once_for_pools_of_one_shape(pool: Pool) -> None:
    other = a_pool("two")
    collected(other, [lawful(n, busy=4 * H, known=8 * H) for n in range(10)])
    together, each = saved(beside(50, 100))
    assert [one.gpus.on_demand for one in each] == [4, 4]
    assert together.gpus.on_demand == 4
    assert together.gpus.reserved == 16
    assert together.savings.left_out == ("two",)


def test_who_may_not_see_prices_gets_the_coverage_without_money(pool: Pool) -> None:
    _, (one,) = saved(beside(50, 100), VIEWER)
    assert (one.savings.spent, one.savings.not_busy) == (None, None)
    assert one.savings.why_not == "your role does not include prices."
    assert one.gpus.coverage is not None


def test_the_command_the_page_the_file_and_the_api_say_the_same(
    pool: Pool, client: Any, django_user_model: Any
) -> None:
    out, text = io.StringIO(), io.StringIO()
    call_command("savings", month="2026-05", pool="one", format="json", stdout=out)
    call_command("savings", month="2026-05", pool="one", format="csv", stdout=text)
    told = json.loads(out.getvalue(), parse_float=Decimal)
    (row,) = told["rows"]
    assert (row["on_demand_equivalent_cost"], row["currency"]) == (400, "USD")
    assert row["effective_savings_rate"] == round(1 - Decimal(row["spent_cost"]) / 400, 9)
    assert row["reserved_coverage_share"] is None
    assert row["why_unknown"] == "what ran on demand was not looked at."
    person = django_user_model.objects.create_user("admin", password="x", is_superuser=True)
    client.force_login(person)
    assert client.get("/pools/one/2026-05/savings.csv").content.decode() == text.getvalue()
    (line,) = csv.DictReader(io.StringIO(text.getvalue()))
    assert Decimal(line["not_busy_cost"]) == row["not_busy_cost"]
    answer = Caller(token_of(person)).get("pools/one/months/2026-05/savings")
    api = json.loads(answer.content, parse_float=Decimal)
    assert {name: api[name] for name in row} == row
    page = client.get("/pools/one/2026-05/figures/money/").content.decode()
    assert "and the time that was busy would have cost 400" in page


def test_bad_input_is_one_sentence(pool: Pool) -> None:
    for asked in ({"pool": "nowhere", "month": "2026-05"}, {"month": "mars"}, {}, {"month": "2199-01"}):
        with pytest.raises(CommandError):
            call_command("savings", **asked)
