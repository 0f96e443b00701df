"""What the figures of a month need to know of one hour, of one pool or of many together."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class UseHour:
    """One UTC hour in whole GPU-milliseconds; ``busy_reserved`` is what was reserved where ``busy`` is known.

    None is unknown, or was not asked for. ``allocated`` is what bound pods asked for.
    """

    hour: datetime
    reserved: int | None = None
    busy: int | None = None
    busy_reserved: int = 0
    allocated: int | None = None
