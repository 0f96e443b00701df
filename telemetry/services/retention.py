"""What no figure needs any more is let go: old tries to compute an hour, what is behind old hours, old instances."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from reservations.selectors.pools import pool_rows
from reservations.services.instance_history import forget_instances
from telemetry.models import CollectionRun, HeldPod, HourNode, PoolHour
from telemetry.services.details import forget_details
from telemetry.services.ledger import lock_hours

KEPT_FOR = timedelta(days=90)

HOURS_AT_ONCE = 168
"""Hours of one pool whose details one transaction deletes: whoever writes its hours waits no longer than for that."""


def forget_old_runs(*, as_of: datetime) -> int:
    """Delete collection runs read more than 90 days before an instant, and say how many; safe to repeat.

    The newest of every pool, source and outcome stays: how fresh a source is can always be told. Sweeps and
    observations are never let go: unused counts and absences are computed from them again.
    """
    same = {name: OuterRef(name) for name in ("pool", "source", "status")}
    newer = CollectionRun.objects.filter(**same, read_at__gt=OuterRef("read_at"))
    forgotten, _ = CollectionRun.objects.filter(Exists(newer), read_at__lt=as_of - KEPT_FOR).delete()
    return forgotten


def forget_old_details(*, before: datetime) -> int:
    """Delete the nodes, pods and doubtful devices behind hours before an instant, and say of how many hours.

    The hours themselves stay; a pod goes with the last of its hours. Safe to repeat.
    """
    forgotten = 0
    for pool in pool_rows():
        while ids := _hours_with_details(pool.id, before):
            with transaction.atomic():
                lock_hours(pool.id)
                forget_details(hour_ids=ids)
            forgotten += len(ids)
        with transaction.atomic():
            lock_hours(pool.id)
            HeldPod.objects.filter(pool_id=pool.id, hours__isnull=True).delete()
    return forgotten


def forget_old_instances(*, before: datetime) -> int:
    """Delete the history of instances that were last seen before an instant, and say of how many spans; repeatable."""
    return forget_instances(before=before)


def _hours_with_details(pool_id: int, before: datetime) -> list[int]:
    nodes = HourNode.objects.filter(pool_hour=OuterRef("pk"))
    old = PoolHour.objects.filter(Exists(nodes), pool_id=pool_id, hour__lt=before)
    return list(old.order_by("hour").values_list("pk", flat=True)[:HOURS_AT_ONCE])
