"""A large organisation made in the database itself: many pools, two years of hours, a thousand reservations.

Amounts are made by arithmetic, lawful in every hour (the identities hold), and differ by pool, day and hour; gaps,
unknown telemetry, flags and hours that are not final are among them. Days are added up by the product's own statements.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from reservations.models import (
    Account,
    Organisation,
    Owner,
    Pool,
    PriceQuote,
    PriceSubject,
    Queue,
    Reservation,
    RoleGrant,
    SyncRun,
    User,
)
from telemetry.models import MetricsSource, PoolSource
from telemetry.services.days import refresh_days
from telemetry.services.queue_days import refresh_queue_days

HOURS = """
INSERT INTO telemetry_poolhour (pool_id, hour, source, reserved, paid, ec2_unused, expected, not_joined, not_observed,
    known, unknown, busy, sm, idle, idle_held, idle_free, allocated, owner_busy, borrower_busy, unmanaged_busy,
    unattributed_busy, flags, notes, complete, final, read_at)
SELECT pool, hour, 'main', reserved, reserved, unused, expected, 0, 0, known, unknown, busy, busy / 2,
    known - busy, (known - busy) / 3, known - busy - (known - busy) / 3, busy + (known - busy) / 3,
    busy / 2, busy - busy / 2 - busy / 20, 0, busy / 20,
    CASE WHEN place %% 97 = 0 THEN ARRAY['suspect_zero_activity'] ELSE ARRAY[]::varchar[] END,
    CASE WHEN place %% 97 = 0 THEN '{"suspect_zero_activity": "GPU 3 of node 2 says nothing while it works."}'::jsonb
         ELSE '{}'::jsonb END,
    true, hour < %(final)s, hour + interval '65 minutes'
FROM (
    SELECT *, expected - unknown AS known,
        CASE WHEN dark THEN NULL ELSE (expected - unknown) / 24 * ((place + pool) %% 24) END AS busy
    FROM (
        SELECT *, reserved - unused AS expected,
            CASE WHEN dark THEN reserved - unused ELSE (reserved - unused) / 100 * (place %% 11) END AS unknown
        FROM (
            SELECT pool, hour, place, nodes * 28800000 AS reserved,
                (CASE WHEN pool %% 5 = 0 THEN 28800000 ELSE 0 END) AS unused, (place + pool) %% 501 < 3 AS dark
            FROM (
                SELECT %(pool)s::int AS pool, %(nodes)s::bigint + (place / 5000) AS nodes, place,
                    %(start)s::timestamptz + place * interval '1 hour' AS hour
                FROM generate_series(0, %(hours)s - 1) AS place
            ) AS grid
            WHERE (place + pool) %% 353 <> 0
        ) AS held
    ) AS launched
) AS used
"""

QUEUES = """
INSERT INTO telemetry_poolhourqueue (pool_hour_id, cluster_queue, team, workload, allocated, owner_busy, borrower_busy,
    unmanaged_busy, unattributed_busy)
SELECT h.id, q.cluster_queue, o.name, q.workload, h.allocated / 2,
    CASE WHEN q.workload = 'serving' THEN h.owner_busy ELSE h.busy - h.busy END,
    CASE WHEN q.workload = 'batch' THEN h.borrower_busy ELSE h.busy - h.busy END,
    h.unmanaged_busy, h.busy - h.busy
FROM telemetry_poolhour h
JOIN reservations_queue q ON q.pool_id = h.pool_id
JOIN reservations_owner o ON o.id = q.owner_id
WHERE h.pool_id = %(pool)s
"""

SIZES = """
INSERT INTO reservations_reservationsize (reservation_id, period, instances, usable, dated_by)
SELECT id, tstzrange(start_at, NULL), total_count, true, 'provider' FROM reservations_reservation
"""

OBSERVATIONS = """
INSERT INTO reservations_reservationobservation (reservation_id, observed_at, present, state_raw, total_count,
    available_count)
SELECT r.id, at, true, r.state_raw, r.total_count, r.available_count
FROM reservations_reservation r
CROSS JOIN generate_series(%(from)s::timestamptz, %(end)s::timestamptz, interval '5 minutes') AS at
"""

MEMBERSHIPS = """
INSERT INTO reservations_poolmembership (pool_id, reservation_id, period)
SELECT p.id, r.id, tstzrange(r.start_at, NULL)
FROM reservations_reservation r JOIN reservations_pool p ON p.name = r.tags ->> 'pool'
WHERE r.id % 50 <> 0
"""


@dataclass(frozen=True)
class Scale:
    """How much of everything; ``end`` is the end of the newest hour."""

    end: datetime
    pools: int = 200
    days: int = 730
    reservations: int = 1000
    teams: int = 20
    observed: timedelta = timedelta(days=2)


def fill(scale: Scale) -> None:
    """All of it, committed pool by pool where the caller is in no transaction."""
    start = scale.end - timedelta(days=scale.days)
    with connection.cursor() as cursor:  # rows this lawful need no foreign key looked up for each
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET synchronous_commit = off")
    Organisation.objects.get_or_create(id=1)
    teams = [Owner.objects.get_or_create(name=f"team-{number}")[0] for number in range(scale.teams)]
    _people()
    source = MetricsSource.objects.create(name="main", url="http://127.0.0.1:9")
    account = Account.objects.create(name="prod", account_id="111122223333", regions=["us-east-1"])
    SyncRun.objects.create(account=account, region="us-east-1", as_of=scale.end, finished_at=scale.end, complete=True)
    for number in range(scale.pools):
        pool = _pool(number, teams, source, start)
        _hours(pool, 2 + number % 15, start, scale)
    _inventory(start, scale)
    with connection.cursor() as cursor:
        cursor.execute("RESET session_replication_role")
        cursor.execute("RESET synchronous_commit")
        cursor.execute("ANALYZE")


def _people() -> None:
    analyst, _ = User.objects.get_or_create(username="analyst")
    RoleGrant.objects.get_or_create(user=analyst, role="analyst", team=None)


def _pool(number: int, teams: list[Owner], source: MetricsSource, start: datetime) -> Pool:
    owner, other = teams[number % len(teams)], teams[(number + 7) % len(teams)]
    pool = Pool.objects.create(name=f"pool-{number}", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)
    PoolSource.objects.create(pool=pool, source=source, node_label="label_pool", node_values=[pool.name])
    for name, team, workload in (("serve", owner, "serving"), ("batch", other, "batch")):
        Queue.objects.create(pool=pool, cluster_queue=f"{pool.name}-{name}", owner=team, workload=workload)
    subject = PriceSubject.objects.create(pool=pool)
    first, changed = start.date(), (start + timedelta(days=400 + number % 9)).date()
    for period, reserved in (((first, changed), 40), ((changed, None), 36)):
        PriceQuote.objects.create(
            subject=subject, period=period, on_demand=80, reserved=reserved, currency="USD", unit="node-hour"
        )
    return pool


def _hours(pool: Pool, nodes: int, start: datetime, scale: Scale) -> None:
    days = [start + timedelta(days=number) for number in range(scale.days)]
    with connection.cursor() as cursor:
        cursor.execute(
            HOURS,
            {
                "pool": pool.pk,
                "nodes": nodes,
                "start": start,
                "hours": scale.days * 24,
                "final": scale.end - timedelta(days=1),
            },
        )
        cursor.execute(QUEUES, {"pool": pool.pk})
    refresh_days(pool_id=pool.pk, hours=days)
    refresh_queue_days(pool_id=pool.pk, days=[day.date() for day in days])


def _inventory(start: datetime, scale: Scale) -> None:
    Reservation.objects.bulk_create(_reservation(number, start, scale) for number in range(scale.reservations))
    with connection.cursor() as cursor:
        cursor.execute(SIZES)
        cursor.execute(OBSERVATIONS, {"from": scale.end - scale.observed, "end": scale.end})
        cursor.execute(MEMBERSHIPS)


def _reservation(number: int, start: datetime, scale: Scale) -> Reservation:
    name = f"cr-{number:08d}"
    ended = number % 10 == 0
    return Reservation(
        arn=f"arn:aws:ec2:us-east-1:111122223333:capacity-reservation/{name}",
        external_id=name,
        owner_account="111122223333",
        seen_by=["111122223333"],
        region="us-east-1",
        zone_id=f"use1-az{1 + number % 6}",
        kind="on_demand",
        shape="p5.48xlarge",
        platform="Linux/UNIX",
        gpus_per_instance=8,
        total_count=2 + number % 9,
        available_count=int(number % 4 == 0),
        state_raw="expired" if ended else "active",
        state="ended" if ended else "active",
        start_at=start,
        end_at=scale.end + timedelta(days=number % 200 - 20) if number % 3 == 0 else None,
        matching="targeted",
        tags={"team": f"team-{number % scale.teams}", "pool": f"pool-{number % scale.pools}"},
        raw={"InstanceType": "p5.48xlarge"},
        first_seen_at=start,
        last_seen_at=scale.end,
    )
