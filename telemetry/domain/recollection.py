"""A recollection: somebody asks for a range of one pool's hours once more (docs/ledger.md#recollections)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from reservations.domain import notation
from reservations.domain.period import HOUR, HOUR_MS, Period, ceil_hour, floor_hour

LONGEST = timedelta(days=31)
"""What one request may cover: a month of hours, at a few seconds an hour, leaves the worker to others in between."""

MOST_TRIES = 5
"""So many workers in a row that began and got no further, and the request is given up instead of killing another."""


class RecollectionState(StrEnum):
    """Where a request stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


MOVES: dict[RecollectionState, frozenset[RecollectionState]] = {
    RecollectionState.QUEUED: frozenset(
        {RecollectionState.RUNNING, RecollectionState.FAILED, RecollectionState.CANCELLED}
    ),
    RecollectionState.RUNNING: frozenset(
        {RecollectionState.DONE, RecollectionState.FAILED, RecollectionState.CANCELLED}
    ),
    RecollectionState.DONE: frozenset(),
    RecollectionState.FAILED: frozenset(),
    RecollectionState.CANCELLED: frozenset(),
}
"""The legal moves; a worker that died leaves the request running, and the next one goes on from there."""

LIVE: tuple[RecollectionState, ...] = tuple(state for state, moves in MOVES.items() if moves)
"""The states something can still come of."""


def may_become(state: RecollectionState) -> tuple[RecollectionState, ...]:
    """The states from which this one can be reached."""
    return tuple(before for before, moves in MOVES.items() if state in moves)


class UnableToRecollect(ValueError):
    """A range no worker should be sent after; the message is one sentence."""


def recollected_period(start: datetime, end: datetime, *, as_of: datetime) -> Period:
    """The UTC hours that start from ``start`` on and before ``end``.

    UnableToRecollect when the range is backwards, holds no hour, has more than 31 days or has not ended yet.
    """
    if end <= start:
        raise UnableToRecollect("The range ends before it begins: “to” must come after “from”.")
    if end - start > LONGEST:
        raise UnableToRecollect(
            f"One request covers at most {LONGEST.days} days and this range is longer: ask for it in parts."
        )
    first, last, ended = ceil_hour(start), ceil_hour(end), floor_hour(as_of)
    if first == last:
        raise UnableToRecollect("No hour starts in this range.")
    if last > ended:
        raise UnableToRecollect(
            f"The range reaches past the last hour that has ended, which ended on {notation.instant(ended)}."
        )
    return Period(first, last)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Hours in a row that ended in the same way, and in one sentence why."""

    status: str
    why: str
    period: Period

    @property
    def hours(self) -> int:
        """How many hours they are."""
        return self.period.length_ms // HOUR_MS


def stretches(status: str, why: str, hours: Iterable[datetime]) -> list[Stretch]:
    """Hours as stretches without a gap, in order."""
    runs: list[Period] = []
    for hour in sorted(hours):
        if runs and runs[-1].end == hour:
            runs[-1] = Period(runs[-1].start, hour + HOUR)
        else:
            runs.append(Period(hour, hour + HOUR))
    return [Stretch(status, why, run) for run in runs]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many hours of a request ended in each way; together they are the hours that were done."""

    stored: int = 0
    unchanged: int = 0
    refused: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        """All of them."""
        return self.stored + self.unchanged + self.refused + self.failed


def outcome_sentence(counts: Counts, total: int) -> str:
    """What became of the hours: ``20 of 24 hours were stored, 3 said the same again, 1 was refused.``"""
    untried = total - counts.done
    said = [
        f"{counts.stored} of {total} {'hour was' if total == 1 else 'hours were'} stored",
        f"{counts.unchanged} said the same again" if counts.unchanged else "",
        f"{counts.refused} {'was' if counts.refused == 1 else 'were'} refused" if counts.refused else "",
        f"{counts.failed} got no answer" if counts.failed else "",
        f"{untried} {'was' if untried == 1 else 'were'} not tried" if untried else "",
    ]
    return ", ".join(part for part in said if part) + "."
