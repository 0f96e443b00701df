"""What was paid twice, from EC2's own answers over HTTP to the figures, the files and the command."""

import csv
import io
import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test.utils import CaptureQueriesContext

from reservations.domain.access import Grant, Person, Role
from reservations.domain.period import Period
from reservations.models import Account, Owner, Pool, PoolReservationRule, PriceQuote, PriceSubject
from reservations.selectors.pools import pool_rows
from telemetry.domain.double_pay.parties import Cause
from telemetry.domain.sweep import RegionQuestion
from telemetry.selectors.double_pay import PaidTwiceFound, double_pay
from telemetry.selectors.sources import source_freshness
from telemetry.services.sync import sync_reservations
from telemetry.sources.ec2.clients import ec2_client
from telemetry.sources.synthetic.endpoint import Fault, RegionWorld
from tests.reservations.api.calling import Caller, token_of
from tests.telemetry.sources.ec2_world import NOON, PROD, aws, real_client, reservation
from tests.telemetry.sources.test_ec2_instances import instance

pytestmark = pytest.mark.django_db

HOUR = Period(NOON, NOON + timedelta(hours=1))
MINUTE_MS = 60_000
ANALYST, VIEWER = Person("analyst", (Grant(Role.ANALYST),)), Person("viewer", (Grant(Role.VIEWER),))
OPEN = {"CapacityReservationSpecification": {"CapacityReservationPreference": "open"}}


@pytest.fixture(autouse=True)
def _real_client(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)
    made: dict[str, Any] = {}

    def kept(question: RegionQuestion, session: Any = None) -> Any:
        if question.endpoint_url not in made:
            made[question.endpoint_url] = ec2_client(question, session)
        return made[question.endpoint_url]

    # one real client for all sweeps of a test: to make one takes longer than to ask
    monkeypatch.setattr("telemetry.sources.ec2.region.ec2_client", kept)


@pytest.fixture
def pool() -> Pool:
    owner = Owner.objects.create(name="serving")
    pool = Pool.objects.create(name="h100", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)
    PoolReservationRule.objects.create(pool=pool, tag_key="team", value="serving")
    PriceQuote.objects.create(
        subject=PriceSubject.objects.create(pool=pool),
        period=DateRange(date(2026, 1, 1), None),
        on_demand=98,
        reserved=62,
        currency="USD",
        unit="node-hour",
    )
    return pool


def an_hour(running: Any, free: Any = lambda minute: 1, fault: Any = None, **said: Any) -> None:
    """Sweeps every five minutes; ``running`` and ``free`` are asked for each minute."""
    minute = 0

    def world(region: str, account: str) -> RegionWorld:
        return RegionWorld([reservation(AvailableInstanceCount=free(minute), **said)], instances=running(minute))

    with aws(world=world, fault=fault) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        for minute in range(-15, 61, 5):
            sync_reservations(as_of=NOON + timedelta(minutes=minute))


def found(person: Person | None = ANALYST) -> PaidTwiceFound:
    return double_pay(pools=pool_rows(), period=HOUR, person=person)


def opted_out_for_half_an_hour(minute: int) -> list[dict[str, Any]]:
    if minute < 30:
        return [instance("i-0a"), instance("i-spot", InstanceLifecycle="spot")]
    return [instance("i-0a", CapacityReservationId="cr-0aaa")]


def test_an_instance_that_opted_out_is_paid_twice_until_it_runs_in_the_reservation(pool: Pool) -> None:
    an_hour(opted_out_for_half_an_hour)
    (line,) = found().lines
    assert (line.pool, line.reservation, line.instance_id, line.cause) == ("h100", "cr-0aaa", "i-0a", Cause.OPTED_OUT)
    assert (line.instance_ms, line.gpu_ms) == (30 * MINUTE_MS, 8 * 30 * MINUTE_MS)
    assert (line.cost, line.currency) == (Decimal(49), "USD")
    assert (line.first, line.last) == (NOON, NOON + timedelta(minutes=30))
    assert found().unknown_ms == {pool.pk: 0}
    assert found().usable_ms == {pool.pk: 60 * MINUTE_MS}


def test_nothing_is_paid_twice_while_no_slot_is_free(pool: Pool) -> None:
    an_hour(opted_out_for_half_an_hour, lambda minute: int(minute >= 20))
    assert [line.instance_ms for line in found().lines] == [10 * MINUTE_MS]


def test_one_that_was_there_before_the_slot_became_free_was_not_moved_back(pool: Pool) -> None:
    an_hour(lambda minute: [instance(**OPEN)], lambda minute: int(minute >= 20), InstanceMatchCriteria="open")
    assert [(line.cause, line.instance_ms) for line in found().lines] == [(Cause.NOT_MOVED_BACK, 40 * MINUTE_MS)]


def test_since_when_a_slot_was_free_reaches_back_before_the_time_that_is_asked_about(pool: Pool) -> None:
    launched = {**OPEN, "LaunchTime": NOON - timedelta(minutes=7)}
    an_hour(lambda minute: [instance(**launched)], lambda minute: int(minute >= -10), InstanceMatchCriteria="open")
    assert [line.cause for line in found().lines] == [Cause.MISSED]


def test_the_same_shape_in_another_zone_is_a_near_miss_and_not_paid_twice(pool: Pool) -> None:
    place = {"AvailabilityZone": "us-east-1b", "AvailabilityZoneId": "use1-az6", "Tenancy": "default"}
    an_hour(lambda minute: [instance(Placement=place)])
    (line,) = found().lines
    assert (line.near, line.cause, line.instance_ms) == (True, Cause.OTHER_ZONE, 60 * MINUTE_MS)


def test_a_refused_call_leaves_it_unknown_and_the_data_s_health_says_so(pool: Pool) -> None:
    def refuse(call: Any) -> Fault | None:
        return Fault(status=403, code="UnauthorizedOperation") if call.action == "DescribeInstances" else None

    an_hour(opted_out_for_half_an_hour, fault=refuse)
    told = found()
    assert (told.lines, told.listed) == ((), False)
    assert told.unknown_ms == told.usable_ms == {pool.pk: 60 * MINUTE_MS}
    (state,) = source_freshness(as_of=HOUR.end)
    assert not state.failing
    assert "ec2:DescribeInstances is not allowed" in " ".join(state.degraded)


def test_listings_that_failed_for_a_while_leave_that_time_unknown(pool: Pool) -> None:
    asked = 0

    def refuse(call: Any) -> Fault | None:
        nonlocal asked
        asked += call.action == "DescribeInstances"
        failing = call.action == "DescribeInstances" and 8 <= asked <= 13
        return Fault(status=403, code="UnauthorizedOperation") if failing else None

    an_hour(lambda minute: [instance("i-0a")], fault=refuse)
    told = found()
    # the list of minute 15 holds until 25, and the next one came at 50
    assert told.unknown_ms == {pool.pk: 25 * MINUTE_MS}
    assert [line.instance_ms for line in told.lines] == [35 * MINUTE_MS]


def test_who_may_not_see_prices_gets_the_same_time_without_money(pool: Pool) -> None:
    an_hour(opted_out_for_half_an_hour)
    (line,) = found(VIEWER).lines
    assert (line.instance_ms, line.cost, line.currency) == (30 * MINUTE_MS, None, "")


def test_two_pools_of_one_fit_share_an_instance_and_one_alone_is_told_its_part(pool: Pool) -> None:
    other = Pool.objects.create(name="a-first", owner=pool.owner, instance_type="p5.48xlarge", gpus_per_node=8)
    PoolReservationRule.objects.create(pool=other, tag_key="", value="cr-0bbb")

    def world(region: str, account: str) -> RegionWorld:
        held = [reservation(), reservation("cr-0bbb", Tags=[])]
        return RegionWorld(held, instances=[instance("i-0a")])

    with aws(world=world) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        for minute in range(0, 61, 5):
            sync_reservations(as_of=NOON + timedelta(minutes=minute))
    assert [line.pool for line in found().lines] == ["a-first"]
    alone = double_pay(pools=[row for row in pool_rows() if row.name == "h100"], period=HOUR)
    assert alone.lines == ()
    assert alone.usable_ms == {pool.pk: 60 * MINUTE_MS}


def test_it_takes_few_queries_however_many_instances_there_are(pool: Pool) -> None:
    an_hour(lambda minute: [instance(f"i-{number}") for number in range(20)], lambda minute: 4)
    with CaptureQueriesContext(connection) as queries:
        assert len(found().lines) == 4
    assert len(queries) <= 9


def test_the_command_and_the_files_say_the_same(pool: Pool, client: Any, django_user_model: Any) -> None:
    an_hour(opted_out_for_half_an_hour)
    out = io.StringIO()
    call_command("double_pay", month="2026-05", format="json", stdout=out, stderr=io.StringIO())
    told = json.loads(out.getvalue())
    assert told["pools"] == [
        {
            "pool": "h100",
            "double_pay_instance_hours": 0.75,
            "double_pay_gpu_hours": 6,
            "double_pay_cost": 73.5,
            "currency": "USD",
            "near_miss_instance_hours": 0,
            "instances": 1,
            "known_share": round(85 / (31 * 24 * 60), 9),
        }
    ]
    person = django_user_model.objects.create_user("admin", password="x", is_superuser=True)
    client.force_login(person)
    page = client.get("/pools/h100/2026-05/double-pay.csv").content.decode()
    csv_out = io.StringIO()
    call_command("double_pay", month="2026-05", pool="h100", format="csv", stdout=csv_out, stderr=io.StringIO())
    assert page == csv_out.getvalue()
    (row,) = csv.DictReader(io.StringIO(page))
    assert (row["instance"], row["cause"], Decimal(row["cost"])) == ("i-0a", "opted out", Decimal("73.5"))
    figures = client.get("/pools/h100/2026-05/figures/money/").content.decode()
    assert "1 instance ran 0.75 hours on demand while a slot that fits was free: 73.50" in figures
    assert "/pools/h100/2026-05/double-pay.xlsx" in figures


def test_the_api_says_what_the_command_says(pool: Pool, django_user_model: Any) -> None:
    an_hour(opted_out_for_half_an_hour)
    out = io.StringIO()
    call_command("double_pay", month="2026-05", pool="h100", format="json", stdout=out, stderr=io.StringIO())
    command = json.loads(out.getvalue())
    person = django_user_model.objects.create_user("admin", password="x", is_superuser=True)
    told = Caller(token_of(person)).get("pools/h100/months/2026-05/double-pay").json()
    assert told["rows"] == command["rows"]
    assert {name: told[name] for name in command["pools"][0]} == command["pools"][0]
    assert told["period"] == command["period"]
    assert Caller(token_of(person)).get("pools/h100/months/2199-05/double-pay").status_code == 404
    assert Caller(token_of(person)).get("pools/nowhere/months/2026-05/double-pay").status_code == 404


def test_bad_input_is_one_sentence(pool: Pool) -> None:
    for asked in ({"pool": "nowhere", "month": "2026-05"}, {"month": "mars"}, {}, {"month": "2199-01"}):
        with pytest.raises(CommandError):
            call_command("double_pay", **asked)


def test_a_month_before_anything_was_looked_at_is_unknown(pool: Pool) -> None:
    an_hour(opted_out_for_half_an_hour)
    april = Period(datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 4, 2, tzinfo=UTC))
    told = double_pay(pools=pool_rows(), period=april)
    assert (told.lines, told.listed) == ((), False)
