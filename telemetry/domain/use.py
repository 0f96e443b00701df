"""What the figures of a month need to know of one hour, of one pool or of many together."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from telemetry.domain.ledger import LedgerHour


@dataclass(frozen=True, slots=True)
class UseHour:
    """One UTC hour in whole GPU-milliseconds; ``busy_reserved`` is what was reserved where ``busy`` is known.

    None is unknown. ``allocated`` is what bound pods asked for.
    """

    hour: datetime
    reserved: int
    busy: int | None = None
    busy_reserved: int = 0
    allocated: int | None = None


def use_of(hours: Iterable[LedgerHour]) -> list[UseHour]:
    """The hours of one pool's ledger, in their order."""
    return [
        UseHour(row.hour, row.reserved, row.busy, 0 if row.busy is None else row.reserved, row.allocated)
        for row in hours
    ]
