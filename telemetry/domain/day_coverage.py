"""What one UTC day of one pool is worth: how much of the device time is known, or in one word why none is."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum

from reservations.domain.notation import THIN as THIN_SPACE
from reservations.domain.period import HOUR
from telemetry.domain.rollup import due_until
from telemetry.domain.totals import Totals

THIN = Decimal("0.5")
"""Below, a day is drawn hatched, like an hour."""
WHOLE = Decimal("0.9")
"""From here on hours may feed a recommendation or a statement."""


class DayState(StrEnum):
    """How a day stands."""

    WHOLE = "whole"
    LOW = "low"
    THIN = "thin"
    NO_DEVICES = "no_devices"
    UNKNOWN = "unknown"
    NOT_COLLECTED = "not_collected"
    NOT_DUE = "not_due"


STATE_WORDS: Mapping[DayState, str] = {
    DayState.WHOLE: "90\u202f% or more known",
    DayState.LOW: "50 to 90\u202f% known",
    DayState.THIN: "under 50\u202f% known",
    DayState.NO_DEVICES: "no devices expected",
    DayState.UNKNOWN: "devices unknown",
    DayState.NOT_COLLECTED: "not collected",
    DayState.NOT_DUE: "not due yet",
}


@dataclass(frozen=True, slots=True)
class CoverageDay:
    """One UTC day of one pool; ``coverage`` is known ÷ expected, None where that has no meaning.

    ``due`` are the hours that should stand in the ledger by now, ``hours`` those that do.
    """

    day: date
    state: DayState
    coverage: Decimal | None
    hours: int
    due: int
    open_hours: int
    flagged_hours: int

    @property
    def missing(self) -> int:
        """Hours that were due and are not there."""
        return max(0, self.due - self.hours)

    @property
    def share_text(self) -> str:
        """Whole per cent, never rounded up to 100."""
        return "" if self.coverage is None else f"{int(self.coverage * 100)}"

    @property
    def words(self) -> str:
        """The day in words: ``97 % known, 2 hours missing``."""
        said = f"{self.share_text}{THIN_SPACE}% known" if self.coverage is not None else STATE_WORDS[self.state]
        if not self.hours or not self.missing:
            return said
        return f"{said}, {self.missing} {'hour' if self.missing == 1 else 'hours'} missing"


def coverage_day(day: date, totals: Totals | None, *, as_of: datetime) -> CoverageDay:
    """A day from the totals of its hours, None where there is none."""
    begins = datetime.combine(day, time(), tzinfo=UTC)
    due = max(0, min(24, (due_until(as_of) - begins) // HOUR))
    if totals is None or not totals.hours:
        state = DayState.NOT_COLLECTED if due else DayState.NOT_DUE
        return CoverageDay(day, state, None, 0, due, 0, 0)
    return CoverageDay(day, _state(totals), totals.coverage, totals.hours, due, totals.open_hours, totals.flagged_hours)


def days_until(as_of: datetime, days: int) -> list[date]:
    """So many UTC days in order, the last of them today."""
    today = as_of.astimezone(UTC).date()
    return [today - timedelta(days=before) for before in reversed(range(days))]


def _state(totals: Totals) -> DayState:
    coverage = totals.coverage
    if coverage is None:
        return DayState.NO_DEVICES if totals.expected == 0 else DayState.UNKNOWN
    if coverage < THIN:
        return DayState.THIN
    return DayState.LOW if coverage < WHOLE else DayState.WHOLE
