"""The instant up to which the whole inventory is known."""

from datetime import datetime

from reservations.selectors.syncs import region_syncs


def inventory_as_of() -> datetime | None:
    """The oldest of every configured region's last complete sweep; None while any of them never had one."""
    instants = [region.last_complete_at for region in region_syncs()]
    known = [instant for instant in instants if instant is not None]
    return min(known) if known and len(known) == len(instants) else None
