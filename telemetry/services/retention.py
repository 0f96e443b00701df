"""What no figure needs any more is let go: tries to compute an hour, once they are old and not the newest."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from telemetry.models import CollectionRun

KEPT_FOR = timedelta(days=90)


def forget_old_runs(*, as_of: datetime) -> int:
    """Delete collection runs read more than 90 days before an instant, and say how many; safe to repeat.

    The newest of every pool, source and outcome stays: how fresh a source is can always be told. Sweeps and
    observations are never let go: unused counts and absences are computed from them again.
    """
    same = {name: OuterRef(name) for name in ("pool", "source", "status")}
    newer = CollectionRun.objects.filter(**same, read_at__gt=OuterRef("read_at"))
    forgotten, _ = CollectionRun.objects.filter(Exists(newer), read_at__lt=as_of - KEPT_FOR).delete()
    return forgotten
