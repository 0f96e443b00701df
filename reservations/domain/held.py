"""What a pool's reservations promised during some time, as the ledger needs it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

OBSERVATION_HOLDS = timedelta(minutes=10)
"""So long at most an observation of the free slots speaks for the time after it."""


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

    ``observations`` are in time order and reach back far enough (``OBSERVATION_HOLDS``) to cover the period's start.
    ``usable_until`` is the latest instant it can work to where the provider did not say which.
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
