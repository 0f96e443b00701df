"""Terms of reservations as bars on one axis of time: places in per cent of the width, heights in pixels."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import pairwise

from reservations.domain.held import SizeSpan
from reservations.domain.period import Period, local_midnight

ROW = 28
THINNEST, THICKEST = 4, 22
TICKS_AT_MOST = 13
ROOM = 0.075  # of the axis, which a month's name needs on a phone
FAR = timedelta(days=5 * 365)


@dataclass(frozen=True, slots=True)
class Term:
    """What is drawn of one reservation; ``sizes`` are its billed sizes, ``look`` the word its bar is styled by."""

    start_at: datetime | None
    end_at: datetime | None
    usable_until: datetime | None
    decision_on: date | None
    instances: int | None
    sizes: tuple[SizeSpan, ...]
    look: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One rectangle."""

    x: str
    width: str
    y: str
    height: str
    look: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One reservation's rectangles and marks; a mark outside the window is blank."""

    pieces: tuple[Piece, ...]
    decision: str
    usable: str
    end: str
    goes_on: bool
    before: bool


@dataclass(frozen=True, slots=True)
class Tick:
    """Where a month, a quarter or a year begins."""

    x: str
    label: str


def bar(term: Term, window: Period, *, most: int, zone: tzinfo) -> Bar:
    """One reservation in a window; the largest of ``most`` instances is the thickest."""
    pieces = [
        piece
        for start, end, instances in _spans(term, window)
        if (piece := _piece(start, end, instances, window, most, term.look)) is not None
    ]
    unusable = _unusable(term, window)
    if unusable and pieces:
        pieces.append(Piece(unusable[0], unusable[1], pieces[-1].y, pieces[-1].height, "unusable"))
    decision = local_midnight(term.decision_on, zone) if term.decision_on else None
    return Bar(
        pieces=tuple(pieces),
        decision=_mark(decision, window),
        usable=_mark(term.usable_until if term.usable_until != term.end_at else None, window),
        end=_mark(term.end_at, window),
        goes_on=term.end_at is None or term.end_at > window.end,
        before=term.start_at is None or term.start_at < window.start,
    )


def sum_bar(terms: Iterable[Term], window: Period, *, most: int) -> tuple[Piece, ...]:
    """What several hold together, as steps: gaps stay blank, overlaps are thicker."""
    spans = [span for term in terms for span in _spans(term, window)]
    edges = sorted({edge for start, end, _ in spans for edge in (start, end)})
    steps: list[tuple[datetime, datetime, int]] = []
    for start, end in pairwise(edges):
        together = sum(many or 0 for since, until, many in spans if since <= start and end <= until)
        if steps and steps[-1][2] == together and steps[-1][1] == start:
            steps[-1] = (steps[-1][0], end, together)
        elif together:
            steps.append((start, end, together))
    pieces = (_piece(start, end, many, window, most, "sum") for start, end, many in steps)
    return tuple(piece for piece in pieces if piece is not None)


def ticks(window: Period, zone: tzinfo) -> tuple[Tick, ...]:
    """The beginnings of months, or of every third, sixth or twelfth where there are more than a dozen."""
    first = window.start.astimezone(zone).date().replace(day=1)
    last = window.end.astimezone(zone).date()
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    step = next((step for step in (1, 3, 6) if months / step <= TICKS_AT_MOST), 12)
    found = []
    for place in range(months + 1):
        year, month = divmod(first.year * 12 + first.month - 1 + place, 12)
        at = local_midnight(date(year, month + 1, 1), zone)
        if (year * 12 + month) % step == 0 and window.start <= at < window.end:
            label = f"{date(year, month + 1, 1):%b}" if step < 12 and month else str(year)
            cut = (window.end - at) / (window.end - window.start) < ROOM
            found.append(Tick(_share(at, window), "" if cut else label))
    return tuple(found)


def place(at: datetime, window: Period) -> str:
    """Where an instant lies, blank outside the window."""
    return _mark(at, window)


def calendar_window(name: str, today: date, *, first: datetime | None, last: datetime | None, zone: tzinfo) -> Period:
    """``quarter``: the one a day lies in; ``year``: twelve months about it; ``all``: within five years."""
    if name == "quarter":
        begun = today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1)
        return _days(begun, _month(begun, 3), zone)
    if name == "year":
        return _days(_month(today, -4), _month(today, 8), zone)
    noon = datetime.combine(today, time(12), tzinfo=zone)
    begins = min(max(first or noon, noon - FAR), noon - timedelta(days=30))
    return Period(begins, max(min(last or noon, noon + FAR), noon + timedelta(days=90)))


def _month(day: date, later: int) -> date:
    """The first day of the month some months later."""
    year, month = divmod(day.year * 12 + day.month - 1 + later, 12)
    return date(year, month + 1, 1)


def _days(first: date, following: date, zone: tzinfo) -> Period:
    return Period(local_midnight(first, zone), local_midnight(following, zone))


def _spans(term: Term, window: Period) -> list[tuple[datetime, datetime, int | None]]:
    """Its sizes within the window; where none is kept, what it promises from its start to its end."""
    whole = [(size.start, size.end or term.end_at, size.instances) for size in term.sizes]
    known_until = whole[-1][1] if whole else None
    if not whole:
        whole = [(term.start_at or window.start, term.end_at, term.instances)]
    elif known_until is None:
        whole[-1] = (whole[-1][0], term.end_at, whole[-1][2])
    clipped = [(max(start, window.start), min(end or window.end, window.end), many) for start, end, many in whole]
    return [(start, end, many) for start, end, many in clipped if start < end]


def _piece(start: datetime, end: datetime, instances: int | None, window: Period, most: int, look: str) -> Piece | None:
    if instances == 0:
        return None
    height = THINNEST + (THICKEST - THINNEST) * (instances or 0) / max(most, 1)
    return Piece(_share(start, window), _width(start, end, window), f"{(ROW - height) / 2:.1f}", f"{height:.1f}", look)


def _unusable(term: Term, window: Period) -> tuple[str, str] | None:
    if term.usable_until is None or term.end_at is None:
        return None
    start, end = max(term.usable_until, window.start), min(term.end_at, window.end)
    return (_share(start, window), _width(start, end, window)) if start < end else None


def _mark(at: datetime | None, window: Period) -> str:
    return _share(at, window) if at is not None and window.start <= at <= window.end else ""


def _share(at: datetime, window: Period) -> str:
    return f"{100 * ((at - window.start) / (window.end - window.start)):.3f}%"


def _width(start: datetime, end: datetime, window: Period) -> str:
    return f"{max(0.15, 100 * ((end - start) / (window.end - window.start))):.3f}%"
