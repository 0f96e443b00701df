"""How far the data of the front page reach."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.selectors.facts import Facts


@dataclass(frozen=True, slots=True)
class Reach:
    """The instant the whole inventory is known at and up to which every metrics source gave hours; None: not yet."""

    inventory_at: datetime | None
    metrics_until: datetime | None
    inventory_late: bool
    metrics_late: bool


def reach(known: Facts) -> Reach:
    """The oldest of the sources behind the pools that are shown."""
    swept = [region.last_complete_at for region in known.regions]
    asked = [source.data_until for source in known.sources if set(source.pool_ids) & set(known.pools)]
    inventory, metrics = _oldest(swept), _oldest(asked)
    policy = known.policy
    return Reach(
        inventory_at=inventory,
        metrics_until=metrics,
        inventory_late=inventory is None or known.as_of - inventory > policy.inventory_late_after,
        metrics_late=metrics is None or known.as_of - metrics > policy.metrics_late_after,
    )


def _oldest(instants: list[datetime | None]) -> datetime | None:
    known = [instant for instant in instants if instant is not None]
    return min(known) if known and len(known) == len(instants) else None
