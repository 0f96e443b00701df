"""Steps on the way to an end, and days as people count them."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from hashlib import sha256

from scheduler.domain.alert.thresholds import shown

LONGEST_STEP = 40
"""Characters: what a step is kept in."""

TROUBLE = "trouble"
"""The step that a job in trouble is, each its own: whoever answered for its block before hears of it too."""

_FIRST_DAY = 1000
"""An ordinal that any time zone can be applied to."""


def latest_step(before: Iterable[timedelta], left: timedelta) -> timedelta | None:
    """The shortest of some lengths that is not shorter than what is left; None while none of them has come."""
    return min((length for length in before if left <= length), default=None)


def step_about(word: str, name: str) -> str:
    """How a step about one thing is called: ``trouble run-1``; a long name is cut, and told from others by its hash."""
    step = f"{word} {name}"
    if len(step) <= LONGEST_STEP:
        return step
    mark = f"…{sha256(name.encode()).hexdigest()[:8]}"
    return step[: LONGEST_STEP - len(mark)] + mark


def step_name(length: timedelta) -> str:
    """How a step is called: ``90 min``, ``24 h``, ``14 d``."""
    return shown(length)


def day_before(day: date, days: int, zone: tzinfo) -> datetime:
    """The first instant of the local day so many days before another."""
    first = date.fromordinal(max(_FIRST_DAY, day.toordinal() - days))
    return datetime.combine(first, time.min, zone).astimezone(UTC)


def occasion(at: datetime) -> str:
    """An instant as it tells one occasion from another: ISO 8601 in UTC."""
    return at.astimezone(UTC).isoformat()
