"""What stands in a calendar about one reservation: instants in UTC, and decision dates as whole days."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from enum import StrEnum
from hashlib import sha256

from reservations.domain import notation
from reservations.domain.period import local_midnight
from reservations.domain.reservation_state import Kind, State
from scheduler.domain.recommendation.evidence import canonical_json, evidence_hash
from scheduler.domain.recommendation.moves import EXTENSION_CLOSES, EXTENSION_OPENS
from scheduler.domain.renewal.possible import EXTENSION_SURE

LONGEST_SUMMARY = 300
LONGEST_DESCRIPTION = 2_000


class EventKind(StrEnum):
    """Every kind of event that a reservation may bring, in the order of its life."""

    START = "start"
    EXTENSION_OPENS = "extension_opens"
    DECISION = "decision"
    EXTENSION_CLOSES = "extension_closes"
    USABLE_END = "usable_end"
    END = "end"


KIND_WORDS = {
    EventKind.START: "block starts",
    EventKind.EXTENSION_OPENS: "extension opens",
    EventKind.DECISION: "decide by",
    EventKind.EXTENSION_CLOSES: "extension closes",
    EventKind.USABLE_END: "stops working",
    EventKind.END: "ends",
}


@dataclass(frozen=True, slots=True)
class Dated:
    """One reservation that is not over; ``arn`` tells it from all others, ``decided`` is what follows it, or blank."""

    arn: str
    external_id: str
    kind: Kind
    state: State
    owner: str
    pool: str
    shape: str
    nodes: int | None
    start_at: datetime | None
    end_at: datetime | None
    usable_until: datetime | None
    decide_on: date | None
    lead_words: str = ""
    decided: str = ""
    reservation_id: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One event; ``on`` is its whole day in the accounting zone, and then ``at`` when that day begins."""

    uid: str
    reservation_id: int | None
    owner: str
    kind: EventKind
    at: datetime
    summary: str
    description: str
    on: date | None = None

    @property
    def content_hash(self) -> str:
        """SHA-256 of all that a reader of a calendar sees of it."""
        told = {"on": self.on, "at": self.at, "summary": self.summary, "description": self.description}
        return evidence_hash(canonical_json(told))


def event_uid(arn: str, kind: EventKind) -> str:
    """The same for one reservation and kind for ever, wherever it is told."""
    return f"{sha256(arn.encode()).hexdigest()[:32]}-{kind.value.replace('_', '-')}@moorage"


GRANTED = frozenset({State.ACTIVE, State.SCHEDULED, State.UNAVAILABLE, State.WINDING_DOWN, State.UNKNOWN})
"""States of what is there or will be; what is only asked for has no date to rely on."""


def events_of(seen: Iterable[Dated], zone: tzinfo) -> list[Event]:
    """Every event of these reservations, by time; whole days are those of ``zone``."""
    told = [_event(one, kind, at, on) for one in seen if one.state in GRANTED for kind, at, on in _times(one, zone)]
    return sorted(told, key=lambda event: (event.at, event.uid))


def plain_text(text: str, longest: int, *, lines: bool = False) -> str:
    """A text without control characters, in one line unless ``lines``, shortened with an ellipsis."""
    kept = "".join(
        character
        if unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") or (lines and character == "\n")
        else " "
        for character in text
    ).strip()
    return kept if len(kept) <= longest else f"{kept[: longest - 1]}…"


def _times(one: Dated, zone: tzinfo) -> Iterator[tuple[EventKind, datetime, date | None]]:
    if one.kind is Kind.BLOCK and one.start_at is not None:
        yield EventKind.START, one.start_at, None
    if one.decide_on is not None:
        yield EventKind.DECISION, local_midnight(one.decide_on, zone), one.decide_on
    if one.end_at is None:
        return
    if one.kind is Kind.BLOCK and one.state in (State.ACTIVE, State.SCHEDULED):
        opens = one.end_at - EXTENSION_OPENS
        if one.start_at is None or one.start_at < opens:
            yield EventKind.EXTENSION_OPENS, opens, None
        yield EventKind.EXTENSION_CLOSES, one.end_at - EXTENSION_CLOSES, None
    if one.usable_until is not None and one.usable_until != one.end_at:
        yield EventKind.USABLE_END, one.usable_until, None
    yield EventKind.END, one.end_at, None


def _event(one: Dated, kind: EventKind, at: datetime, on: date | None) -> Event:
    return Event(
        uid=event_uid(one.arn, kind),
        reservation_id=one.reservation_id,
        owner=one.owner,
        kind=kind,
        at=at,
        on=on,
        summary=plain_text(_summary(one, kind), LONGEST_SUMMARY),
        description=plain_text("\n".join(_description(one, kind)), LONGEST_DESCRIPTION, lines=True),
    )


def _summary(one: Dated, kind: EventKind) -> str:
    name, what = one.pool or one.external_id, _what(one)
    if kind is EventKind.DECISION:
        return f"{name}: decided, {one.decided}" if one.decided else f"Decide what follows {what} of {name}"
    return {
        EventKind.START: f"{name}: {what} starts",
        EventKind.EXTENSION_OPENS: f"{name}: {what} can be extended from now on",
        EventKind.EXTENSION_CLOSES: f"{name}: {what} can't be extended any more",
        EventKind.USABLE_END: f"{name}: {what} stops working",
        EventKind.END: f"{name}: {what} ends",
    }[kind]


def _what(one: Dated) -> str:
    return f"{notation.grouped(one.nodes)} × {one.shape}" if one.nodes is not None else one.shape or one.external_id


def _description(one: Dated, kind: EventKind) -> Iterator[str]:
    yield f"{one.external_id}, {f'owned by {one.owner}' if one.owner else 'owned by nobody'}."
    if kind is EventKind.DECISION and one.lead_words and one.end_at is not None:
        yield f"It ends {notation.instant(one.end_at)}; {one.lead_words}."
    if kind is EventKind.EXTENSION_CLOSES and one.end_at is not None:
        yield f"Bought after {notation.instant(one.end_at - EXTENSION_SURE)}, an extension may be paid too late."
    if kind in (EventKind.USABLE_END, EventKind.END) and one.decided:
        yield f"Decided: {one.decided}."
