"""What a pool's reservations promised during some time, as the ledger needs it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class SizeSpan:
    """``instances`` promised in ``[start, end)``; ``end`` None is open; not usable: still billed, but gone."""

    start: datetime
    end: datetime | None
    instances: int
    usable: bool = True


@dataclass(frozen=True, slots=True)
class AvailableSeen:
    """One observation of the free slots; ``available`` None when the state gave that count no meaning."""

    at: datetime
    available: int | None


@dataclass(frozen=True, slots=True)
class Held:
    """One reservation while it backed a pool: ``member_from``/``member_until`` None are open ends.

    ``observations`` are in time order and reach back far enough (10 minutes) to cover the period's start.
    """

    external_id: str
    sizes: tuple[SizeSpan, ...]
    observations: tuple[AvailableSeen, ...]
    start_at: datetime | None
    end_at: datetime | None
    usable_until: datetime | None
    member_from: datetime | None = None
    member_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class PoolShape:
    """What the ledger must know of a pool: GPUs per node as decimal (parts of a GPU exist)."""

    name: str
    gpus_per_node: Decimal
    flavor: str = ""
    queues: tuple[str, ...] = ()
