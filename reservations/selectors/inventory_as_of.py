"""The instant up to which the whole inventory is known."""

from datetime import datetime

from django.db.models import Max, Q

from reservations.models import SyncRun


def inventory_as_of() -> datetime | None:
    """The oldest of every account and region's last complete sweep; None while any of them never had one."""
    latest = SyncRun.objects.values("account", "region").annotate(swept_at=Max("as_of", filter=Q(complete=True)))
    instants = [row["swept_at"] for row in latest]
    return min(instants) if instants and None not in instants else None
