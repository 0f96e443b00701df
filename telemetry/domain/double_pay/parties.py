"""Who meets: free slots of reservations, and instances that run on demand outside any."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""Half-open, in milliseconds since 1970."""


class Cause(StrEnum):
    """Why an instance ran beside a free slot; those of ``NEAR`` did not fit it, and are not paid twice."""

    OPTED_OUT = "opted_out"
    NAMES_ANOTHER = "names_another"
    NAMES_GROUP = "names_group"
    NOT_NAMED = "not_named"
    NOT_SHARED = "not_shared"
    NOT_MOVED_BACK = "not_moved_back"
    MISSED = "missed"
    UNKNOWN = "unknown"
    OTHER_ZONE = "other_zone"
    OTHER_PLATFORM = "other_platform"
    OTHER_TENANCY = "other_tenancy"
    NOT_PLACED = "not_placed"


NEAR = frozenset({Cause.OTHER_ZONE, Cause.OTHER_PLATFORM, Cause.OTHER_TENANCY, Cause.NOT_PLACED})


@dataclass(frozen=True, slots=True)
class FreeRun:
    """``count`` free slots, all observed, in ``[start, end)``."""

    start: int
    end: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """One reservation of a shape while it backed a pool and could be used, and its free slots where they were observed.

    ``free_since`` is when slots of the first run had become free, where that is known; ``accounts`` may use it. Each
    is an object of its own. Runs and spans are in time order.
    """

    reservation: str
    pool_id: int
    zone_id: str
    platform: str
    tenancy: str
    matching: str
    accounts: frozenset[str]
    usable: Sequence[Span]
    free: Sequence[FreeRun]
    free_since: int | None = None

    @property
    def fits(self) -> tuple[str, str, str]:
        """What an instance of the same shape must have to run in it."""
        return self.zone_id, self.platform, self.tenancy


@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """An on-demand instance that ran in no reservation during ``[start, end)``; blank is unknown."""

    instance_id: str
    account_id: str
    zone_id: str
    platform: str
    tenancy: str
    preference: str
    target: str
    launched: int | None
    start: int
    end: int

    @property
    def fits(self) -> tuple[str, str, str]:
        """What a reservation of the same shape must have for it."""
        return self.zone_id, self.platform, self.tenancy


def cause_of(slots: Slots, instance: Outside, free_since: int | None) -> Cause:
    """The probable cause why an instance ran beside a slot that was free since then (None: longer than is known)."""
    if slots.fits != instance.fits or "" in slots.fits:
        return _near(slots, instance)
    if instance.account_id not in slots.accounts:
        return Cause.NOT_SHARED
    if instance.preference == "none":
        return Cause.OPTED_OUT
    if instance.target and instance.target != slots.reservation:
        return Cause.NAMES_GROUP if instance.target.startswith("arn:") else Cause.NAMES_ANOTHER
    if slots.matching == "targeted" and not instance.target:
        return Cause.NOT_NAMED
    if free_since is None or instance.launched is None or not (instance.preference or instance.target):
        return Cause.UNKNOWN
    return Cause.NOT_MOVED_BACK if instance.launched < free_since else Cause.MISSED


def _near(slots: Slots, instance: Outside) -> Cause:
    pairs = zip(slots.fits, instance.fits, (Cause.OTHER_ZONE, Cause.OTHER_PLATFORM, Cause.OTHER_TENANCY), strict=True)
    for held, ran, cause in pairs:
        if "" not in (held, ran) and held != ran:
            return cause
    return Cause.NOT_PLACED
