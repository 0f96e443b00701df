"""How fast every rule is asked about a large organisation: ``make bench`` prints a row of a table."""

from datetime import UTC, datetime, timedelta
from time import perf_counter, process_time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.models import (
    Account,
    InstanceSpan,
    Owner,
    Pool,
    PoolMembership,
    PriceQuote,
    PriceSubject,
    Reservation,
    ReservationSize,
    SyncRun,
)
from scheduler.alerts import every_rule
from scheduler.selectors.alert_facts import alert_facts
from scheduler.selectors.thresholds import limits_of, written_thresholds
from telemetry.models import MetricsSource, PoolSource
from telemetry.services.days import refresh_days

NOW = datetime(2026, 6, 10, 8, 20, tzinfo=UTC)
POLL, HOUR, DAY = timedelta(minutes=5), timedelta(hours=1), timedelta(days=1)
POOLS, RESERVATIONS, DAYS = 200, 1_000, 30
NODE_HOUR = 8 * 3_600_000
SECONDS, QUERIES = 5, 50


OBSERVATIONS = """
INSERT INTO reservations_reservationobservation
    (reservation_id, observed_at, present, state_raw, total_count, available_count)
SELECT id, at, true, 'active', 4, id %% 4 FROM reservations_reservation
CROSS JOIN generate_series(%(first)s::timestamptz, %(last)s::timestamptz, interval '5 minutes') at
"""

HOURS = """
INSERT INTO telemetry_poolhour (pool_id, hour, source, reserved, paid, ec2_unused, expected, not_joined, not_observed,
    known, unknown, busy, idle, idle_held, flags, notes, complete, final, read_at)
SELECT id, hour, 'main', 20 * node, 20 * node, node, 18 * node, node, 0, 18 * node, 0, 8 * node, 10 * node, 6 * node,
    ARRAY[]::varchar[], '{}'::jsonb, true, true, hour
FROM reservations_pool CROSS JOIN (SELECT %(node)s::bigint AS node) each
CROSS JOIN generate_series(%(first)s::timestamptz, %(last)s::timestamptz, interval '1 hour') hour
"""

DOUBTS = """
INSERT INTO telemetry_hoursuspect (pool_hour_id, node, uuid, what, why)
SELECT id, 'n1', 'GPU-1', 'silent', '0 while it drew 600 W.' FROM telemetry_poolhour
WHERE hour >= %(first)s AND pool_id %% 5 = 0
"""


def fill() -> None:
    """200 pools of five reservations each, thirty days of hours, a day of inventory, instances beside every tenth."""
    owner = Owner.objects.create(name="serving")
    source = MetricsSource.objects.create(name="main", url="http://127.0.0.1:9090")
    account = Account.objects.create(name="prod", account_id="111122223333", regions=["us-east-1"])
    pools = Pool.objects.bulk_create(
        Pool(name=f"pool-{n:03d}", owner=owner, instance_type=f"p{n % 8}.48xlarge", gpus_per_node=8)
        for n in range(POOLS)
    )
    PoolSource.objects.bulk_create(PoolSource(pool=pool, source=source) for pool in pools)
    subjects = PriceSubject.objects.bulk_create(PriceSubject(pool=pool) for pool in pools)
    quote = {"on_demand": 80, "reserved": 40, "currency": "USD", "unit": "node-hour"}
    PriceQuote.objects.bulk_create(
        PriceQuote(subject=one, period=((NOW - 90 * DAY).date(), None), **quote) for one in subjects
    )
    held = Reservation.objects.bulk_create(_reservation(n) for n in range(RESERVATIONS))
    since = NOW - 60 * DAY
    PoolMembership.objects.bulk_create(
        PoolMembership(pool=pools[n % POOLS], reservation=one, period=(since, None)) for n, one in enumerate(held)
    )
    ReservationSize.objects.bulk_create(
        ReservationSize(reservation=one, period=(since, None), instances=4, dated_by="provider") for one in held
    )
    polls = [NOW - POLL * place for place in range(288)]
    with connection.cursor() as cursor:
        cursor.execute(OBSERVATIONS, {"first": polls[-1], "last": polls[0]})
    shapes = [f"p{n}.48xlarge" for n in range(8)]
    SyncRun.objects.bulk_create(
        SyncRun(account=account, region="us-east-1", as_of=at, finished_at=at, complete=True, instance_shapes=shapes)
        for at in polls
    )
    InstanceSpan.objects.bulk_create(
        InstanceSpan(
            account=account,
            region="us-east-1",
            instance_id=f"i-{n}",
            shape=f"p{n % 8}.48xlarge",
            seen_from=NOW - DAY,
            seen_until=NOW,
            zone_id="use1-az4",
            platform="Linux/UNIX",
            tenancy="default",
            lifecycle="on_demand",
        )
        for n in range(RESERVATIONS // 10)
    )
    _hours(pools)


def _reservation(n: int) -> Reservation:
    end = NOW + timedelta(hours=n % 300) if n % 3 else None
    return Reservation(
        arn=f"arn:aws:ec2:us-east-1:111122223333:capacity-reservation/cr-{n}",
        external_id=f"cr-{n}",
        owner_account="111122223333",
        seen_by=["111122223333"],
        kind="block" if n % 3 == 1 else "on_demand",
        ends_terminate_instances=n % 3 == 1,
        state="active",
        state_raw="active",
        region="us-east-1",
        zone_id="use1-az4",
        platform="Linux/UNIX",
        tenancy="default",
        shape=f"p{n % POOLS % 8}.48xlarge",
        matching="open",
        gpus_per_instance=8,
        total_count=4,
        start_at=NOW - 60 * DAY,
        end_at=end,
        first_seen_at=NOW - 60 * DAY,
        last_seen_at=NOW,
    )


def _hours(pools: list[Pool]) -> None:
    top = NOW.replace(minute=0)
    with connection.cursor() as cursor:
        cursor.execute(HOURS, {"first": top - DAYS * DAY, "last": top - HOUR, "node": NODE_HOUR})
        cursor.execute(DOUBTS, {"first": top - 4 * HOUR})
    hours = [top - HOUR * place for place in range(1, DAYS * 24, 24)]
    for pool in pools:
        refresh_days(pool_id=pool.pk, hours=hours)


@pytest.mark.benchmark
@pytest.mark.timeout(1200)
@pytest.mark.django_db
def test_every_rule_over_a_thousand_reservations_and_two_hundred_pools_is_asked_within_five_seconds() -> None:
    fill()
    connection.cursor().execute("ANALYZE")
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            began, worked = perf_counter(), process_time()
            facts = alert_facts(as_of=NOW)
            read = perf_counter() - began
            written = written_thresholds()
            found = {rule.name: len(rule.check(facts, limits_of(rule, written)).findings) for rule in every_rule()}
            took, worked = perf_counter() - began, process_time() - worked
    print(
        f"16 rules, {len(facts.reservations)} reservations, {len(facts.pools)} pools: {took:.2f} s "
        f"({read:.2f} s of it reading; {worked:.2f} s of this process), "
        f"{len(queries)} queries, {sum(found.values())} findings: {found}"
    )
    slow = sorted(queries.captured_queries, key=lambda one: -float(one["time"]))[:3]
    print(*((one["time"], one["sql"][:120]) for one in slow), sep="\n")
    assert len(facts.reservations) == RESERVATIONS
    assert found["reserved_unused"] > RESERVATIONS // 2
    assert found["double_pay"] > 0
    assert took < SECONDS
    assert len(queries) <= QUERIES
