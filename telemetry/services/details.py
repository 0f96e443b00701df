"""Writing what stands behind ledger hours, with the hours and in their transaction."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from django.conf import settings

from reservations.selectors.shapes import QueueOwner
from telemetry.domain.details import HourDetails, PodUse
from telemetry.models import HeldPod, HourNode, HourPod, HourSuspect, PoolHour

BATCH = 2_000
NOBODY = QueueOwner("", "")
PodName = tuple[str, str, str]


def details_kept_from(as_of: datetime) -> datetime:
    """The instant before which nothing is kept but the hours themselves."""
    return as_of - timedelta(days=settings.HOUR_DETAILS_DAYS)


def write_details(
    *, hours: Sequence[PoolHour], details: Mapping[datetime, HourDetails], owners: Mapping[str, QueueOwner]
) -> None:
    """Write what stands behind some hours of one pool that have nothing behind them yet."""
    behind = [(hour, details[hour.hour]) for hour in hours if hour.hour in details]
    if not behind:
        return
    HourNode.objects.bulk_create(_nodes(behind), batch_size=BATCH)
    HourSuspect.objects.bulk_create(_suspects(behind), batch_size=BATCH)
    ids = _pod_ids(behind[0][0].pool_id, {_name(pod) for _, told in behind for pod in told.pods})
    HourPod.objects.bulk_create(_pods(behind, ids, owners), batch_size=BATCH)


def forget_details(*, hour_ids: Collection[int]) -> None:
    """Delete what stands behind some hours."""
    for model in (HourNode, HourPod, HourSuspect):
        model.objects.filter(pool_hour_id__in=hour_ids).delete()


def _nodes(behind: Iterable[tuple[PoolHour, HourDetails]]) -> Iterator[HourNode]:
    for hour, told in behind:
        for one in told.nodes:
            yield HourNode(
                pool_hour=hour,
                node=one.node,
                expected=one.expected,
                known=one.known,
                busy=one.busy,
                idle_held=one.idle_held,
                idle_free=one.idle_free,
            )


def _suspects(behind: Iterable[tuple[PoolHour, HourDetails]]) -> Iterator[HourSuspect]:
    for hour, told in behind:
        for (uuid, what), one in {(one.uuid, one.what): one for one in told.suspects}.items():
            yield HourSuspect(pool_hour=hour, node=one.node, uuid=uuid, what=what, why=one.why)


def _pods(
    behind: Iterable[tuple[PoolHour, HourDetails]], ids: Mapping[PodName, int], owners: Mapping[str, QueueOwner]
) -> Iterator[HourPod]:
    for hour, told in behind:
        for one in told.pods:
            yield HourPod(
                pool_hour=hour,
                pod_id=ids[_name(one)],
                pool_id=hour.pool_id,
                hour=hour.hour,
                cluster_queue=one.cluster_queue,
                team=owners.get(one.cluster_queue, NOBODY).team,
                owner_busy=one.owner_busy,
                borrower_busy=one.borrower_busy,
                unmanaged_busy=one.unmanaged_busy,
                unattributed_busy=one.unattributed_busy,
                idle_held=one.idle_held,
                allocated=one.allocated,
                idle_from=one.idle_from,
            )


def _name(pod: PodUse) -> PodName:
    return pod.namespace, pod.pod, pod.uid


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
