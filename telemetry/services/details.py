"""Writing what stands behind ledger hours, with the hours and in their transaction."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from django.db import connection
from django.db.models import Model

from reservations.selectors.shapes import QueueOwner
from telemetry.domain.details import HourDetails, PodUse
from telemetry.domain.kept_name import LONGEST, LONGEST_UID, LONGEST_UUID, kept_name, kept_text
from telemetry.models import HeldPod, HourNode, HourPod, HourSuspect, PoolHour

BATCH = 2_000
NOBODY = QueueOwner("", "")
NODE_AMOUNTS = ("expected", "known", "busy", "idle_held", "idle_free")
POD_AMOUNTS = (
    "owner_busy",
    "borrower_busy",
    "unmanaged_busy",
    "unattributed_busy",
    "idle_held",
    "allocated",
    "idle_from",
)
PodName = tuple[str, str, str]


def write_details(
    *, hours: Sequence[PoolHour], details: Mapping[datetime, HourDetails], owners: Mapping[str, QueueOwner]
) -> None:
    """Write what stands behind some hours of one pool that have nothing behind them yet."""
    behind = [(hour, details[hour.hour]) for hour in hours if hour.hour in details]
    if not behind:
        return
    _copy(HourNode, ("pool_hour", "node", *NODE_AMOUNTS), _nodes(behind))
    HourSuspect.objects.bulk_create(_suspects(behind), batch_size=BATCH)
    ids = _pod_ids(behind[0][0].pool_id, {_name(pod) for _, told in behind for pod in told.pods})
    _copy(
        HourPod, ("pool_hour", "pod", "pool", "hour", "team", "cluster_queue", *POD_AMOUNTS), _pods(behind, ids, owners)
    )


def forget_details(*, hour_ids: Collection[int]) -> None:
    """Delete what stands behind some hours."""
    for model in (HourNode, HourPod, HourSuspect):
        model.objects.filter(pool_hour_id__in=hour_ids).delete()


def _copy(model: type[Model], columns: Sequence[str], rows: Iterable[tuple[object, ...]]) -> None:
    """Write many rows at once: an hour of a large pool has thousands, and making an object of each is slow."""
    names = ", ".join(model._meta.get_field(name).column for name in columns)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {model._meta.db_table} ({names}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


def _nodes(behind: Iterable[tuple[PoolHour, HourDetails]]) -> Iterator[tuple[object, ...]]:
    for hour, told in behind:
        for one in told.nodes:
            yield (hour.pk, kept_name(one.node, LONGEST), *(getattr(one, name) for name in NODE_AMOUNTS))


def _suspects(behind: Iterable[tuple[PoolHour, HourDetails]]) -> Iterator[HourSuspect]:
    for hour, told in behind:
        for (uuid, what), one in {(one.uuid, one.what): one for one in told.suspects}.items():
            yield HourSuspect(
                pool_hour=hour,
                node=kept_name(one.node, LONGEST),
                uuid=kept_name(uuid, LONGEST_UUID),
                what=what,
                why=kept_text(one.why),
            )


def _pods(
    behind: Iterable[tuple[PoolHour, HourDetails]], ids: Mapping[PodName, int], owners: Mapping[str, QueueOwner]
) -> Iterator[tuple[object, ...]]:
    for hour, told in behind:
        for one in told.pods:
            team = owners.get(one.cluster_queue, NOBODY).team
            queue = kept_name(one.cluster_queue, LONGEST)
            amounts = (getattr(one, name) for name in POD_AMOUNTS)
            yield hour.pk, ids[_name(one)], hour.pool_id, hour.hour, team, queue, *amounts


def _name(pod: PodUse) -> PodName:
    return kept_name(pod.namespace, LONGEST), kept_name(pod.pod, LONGEST), kept_name(pod.uid, LONGEST_UID)


def _pod_ids(pool_id: int, names: set[PodName]) -> dict[PodName, int]:
    """The row of every pod, made where there is none; the lock on the pool's hours keeps others from it."""
    if not names:
        return {}
    standing = HeldPod.objects.filter(pool_id=pool_id, name__in={name for _, name, _ in names})
    ids = {(one.namespace, one.name, one.uid): one.pk for one in standing}
    new = sorted(names - ids.keys())
    made = HeldPod.objects.bulk_create(
        (HeldPod(pool_id=pool_id, namespace=namespace, name=name, uid=uid) for namespace, name, uid in new),
        batch_size=BATCH,
    )
    return ids | {(one.namespace, one.name, one.uid): one.pk for one in made}
