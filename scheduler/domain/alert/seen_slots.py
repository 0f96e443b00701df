"""What the observations of the last hour say of a reservation's free slots."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Protocol

from reservations.domain.held import OBSERVATION_HOLDS
from scheduler.domain.alert.facts import NOTHING_SEEN, FreeSlots

WATCHED_FOR = timedelta(minutes=60)


class Seen(Protocol):
    """One observation; ``free`` None shows nothing of free slots."""

    @property
    def at(self) -> datetime: ...

    @property
    def free(self) -> int | None: ...

    @property
    def total(self) -> int | None: ...


def free_slots(seen: Sequence[Seen], *, free: int | None, since: datetime | None, as_of: datetime) -> FreeSlots:
    """What is told of free slots by the observations in time order of ``(as_of − 60 min − holds, as_of]``.

    ``free`` is what holds now and ``since`` the first observation of its run. An observation holds for ten minutes, so
    that the hour is covered when none of its gaps, and neither of its ends, is longer.
    """
    if not seen:
        return NOTHING_SEEN
    start = as_of - WATCHED_FOR
    at_start = next((one for one in reversed(seen) if one.at <= start), None)
    within = [one for one in seen if one.at > start]
    told = within if at_start is None else [at_start, *within]
    gaps = [later.at - earlier.at for earlier, later in pairwise(told)]
    covered = at_start is not None and start - at_start.at <= OBSERVATION_HOLDS
    first = told[0]
    return FreeSlots(
        free=free,
        watched=covered and all(gap <= OBSERVATION_HOLDS for gap in (*gaps, as_of - told[-1].at)),
        every_free=all(one.free is not None and one.free > 0 for one in told),
        since=since,
        clean=_in_a_row(seen, lambda one: one.free == 0),
        used_first=None if first.total is None or first.free is None else first.total - first.free,
        unused=_in_a_row(seen, lambda one: one.free == one.total),
    )


def _in_a_row(seen: Sequence[Seen], shows: Callable[[Seen], bool]) -> int | None:
    """How many of the newest in a row show something; None where the newest tells nothing of free slots."""
    if seen[-1].free is None:
        return None
    count = 0
    for one in reversed(seen):
        if one.free is None or not shows(one):
            break
        count += 1
    return count
