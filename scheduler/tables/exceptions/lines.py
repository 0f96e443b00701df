"""Requests as lines of a list: what is asked for, where it stands, and what waits for whoever looks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from reservations.domain import notation
from reservations.domain.procurement.request_state import RequestState
from reservations.selectors.exceptions import ExceptionRow, InboxItem

TONES = {
    RequestState.DRAFT: "none",
    RequestState.SUBMITTED: "late",
    RequestState.RETURNED: "late",
    RequestState.WITHDRAWN: "over",
    RequestState.APPROVED: "good",
    RequestState.REJECTED: "bad",
    RequestState.LAPSED: "bad",
    RequestState.EXECUTED: "good",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One request in a line; ``amount`` and ``term`` blank while its draft does not say them."""

    row: ExceptionRow
    what: str
    term: str
    amount: str
    tone: str
    next: str
    late: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for this person: as which step, in whose name, since when and until when."""

    line: Line
    asks: str
    acting_for: str
    age: str
    due: str
    late: bool


def line_of(row: ExceptionRow, *, today: date, zone: tzinfo) -> Line:
    """A request in a line, with what happens next."""
    after, late = _next(row, today, zone)
    return Line(row, what_words(row), term_words(row.term_start, row.term_end), amount_of(row), _tone(row), after, late)


def waiting_lines(items: Iterable[InboxItem], *, now: datetime, today: date, zone: tzinfo) -> list[Waiting]:
    """The inbox in lines, in its order."""
    return [_waiting(item, now, today, zone) for item in items]


def what_words(row: ExceptionRow) -> str:
    """``13 × p5.48xlarge``, as far as it is said."""
    if row.nodes is None:
        return row.shape or "not submitted yet"
    return f"{notation.grouped(row.nodes)} × {row.shape}" if row.shape else nodes_words(row.nodes)


def nodes_words(count: int) -> str:
    """``1 node``, ``13 nodes``."""
    return f"{notation.grouped(count)} node{'' if count == 1 else 's'}"


def term_words(start: date | None, end: date | None) -> str:
    """``1 Apr 2026 → 1 Oct 2026``; blank where a day is missing."""
    return f"{notation.day(start)} → {notation.day(end)}" if start and end else ""


def amount_of(row: ExceptionRow) -> str:
    """The amount of the whole term as it was typed; blank where it is not said."""
    return "" if row.amount is None else notation.amount(row.amount, row.currency)


def headline(lines: list[Line]) -> str:
    """How many there are and how many of them wait."""
    waiting = sum(line.row.state is RequestState.SUBMITTED for line in lines)
    said = f"{len(lines)} request{'' if len(lines) == 1 else 's'}"
    return f"{said}, {waiting} waiting for approval" if waiting else said


def _tone(row: ExceptionRow) -> str:
    return "bad" if row.glass_due_at else TONES[row.state]


def _next(row: ExceptionRow, today: date, zone: tzinfo) -> tuple[str, bool]:
    if row.glass_due_at:
        return f"second sign-off by {notation.instant(row.glass_due_at, zone)}", True
    if row.state is RequestState.SUBMITTED:
        roles = " and ".join(dict.fromkeys(step.role.value for step in row.waiting))
        by = f", decide by {notation.day(row.decide_by)}" if row.decide_by else ""
        return f"waits for {roles or 'nobody'}{by}", bool(row.decide_by and row.decide_by <= today)
    if row.state is RequestState.APPROVED and row.valid_until:
        return f"valid until {notation.instant(row.valid_until, zone)}", False
    if row.conditions_open and row.condition_due_on:
        due = notation.day(row.condition_due_on)
        said = f"{row.conditions_open} condition{'' if row.conditions_open == 1 else 's'} open"
        return f"{said}, the next due {due}", row.condition_due_on < today
    return "", False


def _waiting(item: InboxItem, now: datetime, today: date, zone: tzinfo) -> Waiting:
    row = item.row
    since = row.submitted_at or row.moved_at
    lent = item.acting_for
    if item.sign_off and row.glass_due_at:
        due, late = f"sign off by {notation.instant(row.glass_due_at, zone)}", row.glass_due_at < now
        asks = "second sign-off of an emergency"
    else:
        due = f"decide by {notation.day(row.decide_by)}" if row.decide_by else "no date says by when"
        late = bool(row.decide_by and row.decide_by - today < timedelta(days=2))
        asks = item.step.why if item.step else ""
    age = notation.duration(timedelta(minutes=int((now - since).total_seconds() // 60)))
    return Waiting(line_of(row, today=today, zone=zone), asks, lent.delegator_name if lent else "", age, due, late)
