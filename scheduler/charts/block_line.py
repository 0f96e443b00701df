"""The last hours of a block on one line: what may still start, what is being stopped, what is taken away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from reservations.domain.period import Period

BEFORE = timedelta(hours=1)
"""So much of the time before anything happens is shown; what lies farther off is only said."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the line in per cent of its width; ``look`` is ``open``, ``stopping`` or ``taken``."""

    x: str
    width: str
    look: str


@dataclass(frozen=True, slots=True)
class BlockLine:
    """The drawing; ``now`` None: it lies before or after what is drawn."""

    stretches: tuple[Stretch, ...]
    deadlines: tuple[str, ...]
    now: str | None


def block_line(
    *, now: datetime, no_admit_after: datetime, deadlines: Sequence[datetime], usable_until: datetime, end_at: datetime
) -> BlockLine:
    """From an hour before the first deadline to a little past the end."""
    start = min(no_admit_after, usable_until) - BEFORE
    window = Period(start, max(end_at, usable_until + timedelta(minutes=1)) + timedelta(minutes=5))
    edges = [start, max(start, no_admit_after), max(no_admit_after, usable_until), window.end - timedelta(minutes=5)]
    looks = ("open", "stopping", "taken")
    stretches = [
        Stretch(_share(since, window), _width(until - since, window), look)
        for since, until, look in zip(edges, edges[1:], looks, strict=False)
        if until > since
    ]
    marks = sorted({_share(at, window) for at in deadlines if at in window})
    return BlockLine(tuple(stretches), tuple(marks), _share(now, window) if now in window else None)


def _share(at: datetime, window: Period) -> str:
    return _width(at - window.start, window)


def _width(length: timedelta, window: Period) -> str:
    return f"{length / (window.end - window.start):.2%}"
