"""A Moorage in use: the cast's week with its queues, pods and nodes, reservations of every kind, doubts, a request."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain.tokens import Scope
from reservations.models import (
    Reservation,
    ReservationNote,
    ReservationObservation,
    ReservationSize,
    RoleGrant,
    SavedView,
    User,
)
from reservations.services.tokens import make_token
from scheduler.models import AlertEpisode
from telemetry.models import (
    DemandHour,
    HeldPod,
    HourNode,
    HourPod,
    HourSuspect,
    PoolHour,
    PoolHourQueue,
    PoolSource,
    Recollection,
)
from telemetry.services.days import refresh_days
from tests.browser.alerting import alerting
from tests.browser.committed import committed
from tests.fixtures.cast import HOUR_MS, MONTH, Cast
from tests.reservations.holdings import holding, publish_rule
from tests.scheduler.front_page import NOW, in_march

__all__ = ["LivedIn", "in_march", "lived_in"]
NOBODY = {"owner_busy": 0, "borrower_busy": 0, "unmanaged_busy": 0, "unattributed_busy": 0}
TEAMS = (("cq-serve", "serving", "serving"), ("cq-batch", "research", "batch"))


@dataclass(frozen=True)
class LivedIn:
    """``operator`` may do and see everything but approve; ``block`` is a reservation with all there can be to it."""

    cast: Cast
    operator: User
    block: Reservation
    request: Recollection
    alert: AlertEpisode


@pytest.fixture
def lived_in(cast: Cast, collected: list[PoolHour], in_march: datetime) -> LivedIn:
    operator = User.objects.create_user("operator", password="a long enough one")
    for role in ("operator", "analyst"):
        RoleGrant.objects.create(user=operator, role=role, team=None)
    PoolSource.objects.update(pool=cast.pool)
    _used(cast, collected)
    _behind(cast, collected[10:14])
    committed()
    SavedView.objects.create(owner=operator, name="March of serving", path="/pools/serve-h100/2026-03/", shared=True)
    make_token(user_id=operator.pk, name="sheet", scopes=list(Scope), life=timedelta(days=30), at=datetime.now(UTC))
    block = _held(cast)
    return LivedIn(cast, operator, block, _collected_again(cast, operator), alerting(operator, block))


def _used(cast: Cast, hours: list[PoolHour]) -> None:
    """Serving within its quota, research beyond it, and what they needed."""
    PoolHourQueue.objects.bulk_create(
        PoolHourQueue(
            pool_hour=row, cluster_queue=queue, team=team, workload=workload, allocated=row.allocated // 2,
            **NOBODY | {role: getattr(row, role)},
        )
        for row in hours
        for (queue, team, workload), role in zip(TEAMS, ("owner_busy", "borrower_busy"), strict=True)
    )  # fmt: skip
    DemandHour.objects.bulk_create(
        DemandHour(pool=cast.pool, hour=row.hour, workload="serving", nodes=Decimal(place % 24) / 8, source="prod-a")
        for place, row in enumerate(hours)
    )
    refresh_days(pool_id=cast.pool.pk, hours=[row.hour for row in hours])


def _behind(cast: Cast, hours: list[PoolHour]) -> None:
    """Two nodes, a pod of each team and a device in doubt."""
    pods = [HeldPod.objects.create(pool=cast.pool, namespace=team, name=f"{team}-0", uid=team) for _, team, _ in TEAMS]
    for row in hours:
        for node in ("ip-10-0-0-1.ec2.internal", "ip-10-0-0-2.ec2.internal"):
            HourNode.objects.create(
                pool_hour=row, node=node, expected=8 * HOUR_MS, known=8 * HOUR_MS, busy=3 * HOUR_MS,
                idle_held=HOUR_MS, idle_free=4 * HOUR_MS,
            )  # fmt: skip
        for pod, (queue, team, _) in zip(pods, TEAMS, strict=True):
            HourPod.objects.create(
                pool_hour=row, pod=pod, pool=cast.pool, hour=row.hour, cluster_queue=queue, team=team,
                idle_held=2 * HOUR_MS, allocated=4 * HOUR_MS, idle_from=row.hour, **NOBODY,
            )  # fmt: skip
        row.flags = ["suspect"]
        row.notes = {"suspect": "One GPU says that it does nothing while it draws the power of work."}
        row.save(update_fields=["flags", "notes"])
        HourSuspect.objects.create(
            pool_hour=row, node="ip-10-0-0-1.ec2.internal", uuid="GPU-5f1c3a52-0c8e-4d0b-9b7e-2f1a", what="silent",
            why="SM activity is 0 while it draws 640 W.",
        )  # fmt: skip


def _held(cast: Cast) -> Reservation:
    publish_rule()
    holding("cr-0aaa", pool=cast.pool, start_at=NOW - timedelta(days=40))
    holding("cr-0bbb", pool=cast.pool, start_at=NOW - timedelta(days=90), end_at=NOW + timedelta(days=30))
    holding("cr-0ccc", start_at=NOW - timedelta(days=20))
    holding("cr-gone", owner="robotics", missing_since=NOW - timedelta(days=3))
    block = holding(
        "cr-block-0123456789abcdef",
        pool=cast.pool,
        kind="block",
        start_at=NOW - timedelta(days=9),
        end_at=NOW + timedelta(days=12),
        usable_until=NOW + timedelta(days=11),
        upfront_fee=Decimal(5000),
        upfront_fee_currency="USD",
        tags={"team": "serving", "a-long-key-without-any-space:in-it": "x" * 60},
        raw={"State": "active"},
    )
    ReservationSize.objects.create(reservation=block, period=(block.start_at, None), instances=4, dated_by="observed")
    ReservationNote.objects.create(reservation=block, written_by=cast.owner, written_at=NOW, text="asked " + "x" * 90)
    ReservationObservation.objects.bulk_create(
        ReservationObservation(
            reservation=block, observed_at=NOW - timedelta(minutes=5 * place), state_raw="active", total_count=4,
            available_count=place % 3,
        )
        for place in range(30)
    )  # fmt: skip
    return block


def _collected_again(cast: Cast, person: User) -> Recollection:
    ends = MONTH + timedelta(hours=24)
    return Recollection.objects.create(
        pool=cast.pool, period=DateTimeTZRange(MONTH, ends), asked_key="once", asked_by=person,
        asked_by_name="operator", asked_at=NOW, state=Recollection.State.DONE, total_hours=24, done_hours=24, stored=22,
        failed=2, started_at=NOW, finished_at=NOW, message="22 of 24 hours were stored.",
        problems=[{"status": "failed", "why": "prod-a answered 503.", "from": MONTH.isoformat(),
                   "to": (MONTH + timedelta(hours=2)).isoformat()}],
    )  # fmt: skip
