"""What stands behind ledger hours: their nodes and pods; none where nobody told, or they are too old to be kept."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import F

from reservations.domain.period import HOUR_MS, Period
from telemetry.domain.details import NodeUse, PodUse
from telemetry.models import HeldPod, HourNode, HourPod


@dataclass(frozen=True, slots=True)
class HeldIdlePod:
    """One pod and the GPU-milliseconds it held idle in a period.

    ``gpus`` is how many it held idle on average in its ``last_hour`` of the period in which it held any so;
    ``queue`` and ``team`` are those of that hour. ``since`` is the instant since which, up to that hour, none
    of its GPUs was busy in an unbroken row of hours; it may lie before the period. ``of_all`` is what all pods
    of its pool held idle in the hours of the period whose pods are known.
    """

    pool_id: int
    pool: str
    namespace: str
    pod: str
    uid: str
    queue: str
    team: str
    idle_held: int
    of_all: int
    gpus: Decimal
    since: datetime
    last_hour: datetime


@dataclass(frozen=True, slots=True)
class FoundPod:
    """A pod by its name, with the queue and team of the last hour in which it held GPUs."""

    pool_id: int
    pool: str
    namespace: str
    pod: str
    uid: str
    queue: str
    team: str
    last_hour: datetime


WHO_AND_SINCE_WHEN = """
WITH top AS MATERIALIZED (
    SELECT pod_id, sum(idle_held)::bigint AS total, max(hour) AS last_hour,
           (sum(sum(idle_held)) OVER (PARTITION BY pool_id))::bigint AS of_all
    FROM telemetry_hourpod
    WHERE pool_id = ANY(%s) AND hour >= %s AND hour < %s AND idle_held > 0 AND %s IN ('', team)
    GROUP BY pool_id, pod_id ORDER BY total DESC, pod_id LIMIT %s
),
hours AS (
    SELECT h.pod_id, h.hour,
           sum(h.owner_busy + h.borrower_busy + h.unmanaged_busy + h.unattributed_busy) > 0 AS busy,
           min(h.idle_from) AS first, max(h.idle_from) AS last, sum(h.idle_held) AS idle_held,
           max(h.cluster_queue) AS queue, max(h.team) AS team
    FROM top JOIN telemetry_hourpod h ON h.pod_id = top.pod_id AND h.hour <= top.last_hour
    WHERE h.idle_from IS NOT NULL
    GROUP BY h.pod_id, h.hour
),
stretches AS (
    SELECT *, busy OR lag(hour) OVER of_pod IS DISTINCT FROM hour - interval '1 hour' AS begins
    FROM hours WINDOW of_pod AS (PARTITION BY pod_id ORDER BY hour)
)
SELECT pool.id, pool.name, pod.namespace, pod.name, pod.uid, newest.queue, newest.team, newest.idle_held,
       top.total, top.of_all, top.last_hour,
       (SELECT CASE WHEN s.busy THEN s.last ELSE s.first END FROM stretches s
        WHERE s.pod_id = top.pod_id AND s.begins ORDER BY s.hour DESC LIMIT 1)
FROM top
JOIN stretches newest ON newest.pod_id = top.pod_id AND newest.hour = top.last_hour
JOIN telemetry_heldpod pod ON pod.id = top.pod_id
JOIN reservations_pool pool ON pool.id = pod.pool_id
ORDER BY top.total DESC, top.pod_id
"""


def hour_nodes(*, pool_id: int, hour: datetime) -> list[NodeUse]:
    """The nodes that were in a pool in one hour, by name, in one query."""
    rows = HourNode.objects.filter(pool_hour__pool_id=pool_id, pool_hour__hour=hour).order_by("node")
    return [NodeUse(*row) for row in rows.values_list("node", "expected", "known", "busy", "idle_held", "idle_free")]


def hour_pods(*, pool_id: int, hour: datetime) -> list[PodUse]:
    """The pods that held GPUs of a pool in one hour, by namespace and name, in one query."""
    rows = HourPod.objects.filter(pool_hour__pool_id=pool_id, pool_hour__hour=hour)
    told = rows.order_by("pod__namespace", "pod__name", "pod__uid", "cluster_queue").values(
        "cluster_queue",
        "team",
        "owner_busy",
        "borrower_busy",
        "unmanaged_busy",
        "unattributed_busy",
        "idle_held",
        "allocated",
        "idle_from",
        namespace=F("pod__namespace"),
        name=F("pod__name"),
        uid=F("pod__uid"),
    )
    return [_pod_use(row) for row in told]


def _pod_use(row: dict) -> PodUse:
    idle_from = row.pop("idle_from")
    return PodUse(pod=row.pop("name"), idle_from=idle_from and idle_from.astimezone(UTC), **row)


def held_idle_pods(*, pool_ids: Collection[int], period: Period, limit: int, team: str = "") -> list[HeldIdlePod]:
    """The pods of some pools that held most idle in a period, most first, at most ``limit``, in one query.

    ``team``: only what pods held in the name of that team; ``of_all`` is then of that team too.
    """
    with connection.cursor() as cursor:
        cursor.execute(WHO_AND_SINCE_WHEN, [list(pool_ids), period.start, period.end, team, limit])
        return [_held_idle(*row) for row in cursor.fetchall()]


def _held_idle(*row: Any) -> HeldIdlePod:
    *who, idle_held, total, of_all, last, since = row
    return HeldIdlePod(
        *who,
        idle_held=total,
        of_all=of_all,
        gpus=Decimal(idle_held) / HOUR_MS,
        since=since.astimezone(UTC),
        last_hour=last.astimezone(UTC),
    )


def pods_named(*, text: str, pool_ids: Collection[int], limit: int) -> list[FoundPod]:
    """Pods whose name begins with a text (or is ``namespace/name`` so far), the last seen first, in two queries."""
    namespace, slash, name = text.strip().lower().partition("/")
    pods = HeldPod.objects.filter(pool_id__in=pool_ids)
    pods = pods.filter(namespace=namespace, name__startswith=name) if slash else pods.filter(name__startswith=namespace)
    # A pod's row is as old as its first hour, so the newest rows hold the pods that are looked for.
    newest = {pod.pk: pod for pod in pods.select_related("pool").order_by("-pk")[:limit]} if text.strip() else {}
    hours = (
        HourPod.objects.filter(pod_id__in=newest)
        .order_by("pod_id", "-hour", "-cluster_queue")
        .distinct("pod_id")
        .values_list("pod_id", "cluster_queue", "team", "hour")
    )
    found = [_found(newest[pod_id], *hour) for pod_id, *hour in hours]
    return sorted(found, key=lambda one: one.last_hour, reverse=True)


def _found(pod: HeldPod, queue: str, team: str, hour: datetime) -> FoundPod:
    return FoundPod(pod.pool_id, pod.pool.name, pod.namespace, pod.name, pod.uid, queue, team, hour.astimezone(UTC))
