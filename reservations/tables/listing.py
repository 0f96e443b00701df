"""A reservation as a row of a page: what each cell says."""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.held_now import OVER, ReservationRow
from reservations.domain.reservation_state import Kind, State

KINDS = {
    Kind.ON_DEMAND: "on demand",
    Kind.BLOCK: "block",
    Kind.FUTURE: "future-dated",
    Kind.INTERRUPTIBLE: "interruptible",
    Kind.MANUAL: "entered by hand",
}
STATES = {state: state.value.replace("_", " ") for state in State}
TONES = {
    State.ACTIVE: "good",
    State.UNAVAILABLE: "late",
    State.WINDING_DOWN: "late",
    State.FAILED: "bad",
    State.ENDED: "over",
}
SOON_DAYS = 30


@dataclass(frozen=True, slots=True)
class ListedRow:
    """One reservation and its cells in words."""

    row: ReservationRow
    state: str
    tone: str
    kind: str
    size: str
    gpus: str
    used: str
    start: str
    end: str
    usable: str
    decision: str
    why_no_decision: str
    due: bool
    fee: str


def listed(row: ReservationRow, zone: tzinfo, as_of: datetime) -> ListedRow:
    """The cells of one reservation; instants as days in ``zone``, since a term is counted in days."""
    decision = row.decision.on
    return ListedRow(
        row=row,
        state=state_word(row),
        tone=tone(row),
        kind=KINDS[row.kind],
        size=size(row),
        gpus=number(row.gpus),
        used=used(row),
        start=_day(row.start_at, zone),
        end=_day(row.end_at, zone) if row.end_at else "no end",
        usable=_usable(row, zone),
        decision=notation.day(decision) if decision else notation.UNKNOWN,
        why_no_decision=row.decision.why_not,
        due=decision is not None and not row.over and (decision - as_of.date()).days <= SOON_DAYS,
        fee=notation.amount(row.upfront_fee, row.upfront_fee_currency) if row.upfront_fee is not None else "",
    )


def state_word(row: ReservationRow) -> str:
    """Its state in one word, or that it is no longer listed."""
    return "no longer listed" if _vanished(row) else STATES[row.state]


def tone(row: ReservationRow) -> str:
    """How much its state matters: what shape stands before the word."""
    return "bad" if _vanished(row) else TONES.get(row.state, "none")


def size(row: ReservationRow) -> str:
    """``16 × p5.48xlarge``."""
    return f"{number(row.total_count)} × {row.shape or 'unknown type'}"


def used(row: ReservationRow) -> str:
    """``14 of 16``; nothing is known of what no provider observes."""
    if row.used_count is None:
        return notation.UNKNOWN
    return f"{notation.grouped(row.used_count)} of {number(row.total_count)}"


def usable_differs(row: ReservationRow) -> bool:
    """Whether it works only to an earlier instant than it is billed to."""
    return row.usable_until is not None and row.usable_until != row.end_at


def _usable(row: ReservationRow, zone: tzinfo) -> str:
    """Until when it works where that is not its end: the time of day alone where it is the same day."""
    if row.usable_until is None or not usable_differs(row):
        return ""
    stops = row.usable_until.astimezone(zone)
    same_day = row.end_at is not None and row.end_at.astimezone(zone).date() == stops.date()
    return f"{stops:%H:%M}" if same_day else f"{notation.day(stops.date())}, {stops:%H:%M}"


def number(value: int | Decimal | None) -> str:
    """A count with thin spaces, parts of a GPU with their digits; unknown is a dash."""
    if value is None:
        return notation.UNKNOWN
    return notation.grouped(value) if value == int(value) else f"{Decimal(value).normalize():f}"


def _vanished(row: ReservationRow) -> bool:
    return row.missing_since is not None and row.state not in OVER


def _day(at: datetime | None, zone: tzinfo) -> str:
    return notation.UNKNOWN if at is None else notation.day(at.astimezone(zone).date())
