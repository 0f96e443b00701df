"""What became of one alert, oldest first: found, told, commented, acknowledged, put off, resolved."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from itertools import groupby

from reservations.domain import notation
from reservations.domain.period import UnableToReadTime, read_instant
from scheduler.domain.alert.delivery import DeliveryState, Mode
from scheduler.domain.alert.episode import Deed
from scheduler.selectors.alerts import EpisodeDetail, NoteRow
from scheduler.selectors.notification_routes import DeliveryRow

_UNTIL = re.compile(r"^until (\S+Z)(?:: (.*))?$", re.S)


@dataclass(frozen=True, slots=True)
class Told:
    """One message to one recipient; ``tone`` is the status's shape, ``why`` what went wrong."""

    where: str
    words: str
    tone: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened; ``text`` is what somebody wrote, ``told`` to whom it was told."""

    at: datetime
    words: str
    text: str = ""
    told: tuple[Told, ...] = field(default=())


def story(detail: EpisodeDetail, zone: tzinfo) -> list[Event]:
    """Deeds and messages by their time."""
    row = detail.row
    events = [Event(row.opened_at, "Found by the rules")]
    events += [_noted(note, zone) for note in detail.notes]
    by_step = sorted(detail.deliveries, key=lambda one: (one.owed_at, one.step))
    events += [_messages(step, at, list(some), zone) for (at, step), some in groupby(by_step, key=_step)]
    if row.resolved_at is not None and not any(note.deed is Deed.RESOLVED for note in detail.notes):
        events.append(Event(row.resolved_at, f"Resolved by {row.resolved_by}" if row.resolved_by else "Found in order"))
    return sorted(events, key=lambda one: one.at)


def _step(one: DeliveryRow) -> tuple[datetime, str]:
    return one.owed_at, one.step


def _noted(note: NoteRow, zone: tzinfo) -> Event:
    who = note.by or "the rules"
    until = _UNTIL.match(note.text)
    if note.deed is Deed.SNOOZED and until:
        return Event(note.at, f"{who} snoozed it until {_instant(until[1], zone)}", until[2] or "")
    if note.deed is Deed.ASSIGNED:
        return Event(note.at, f"{who} assigned it to {note.text or 'nobody'}")
    if note.deed is Deed.RESOLVED and not note.by:
        return Event(note.at, "Found in order", note.text)
    return Event(note.at, f"{who} {_DID[note.deed]}", note.text)


_DID = {
    Deed.COMMENTED: "wrote",
    Deed.ACKNOWLEDGED: "acknowledged it",
    Deed.SNOOZED: "snoozed it",
    Deed.WOKEN: "opened it again",
    Deed.ASSIGNED: "assigned it",
    Deed.RESOLVED: "resolved it",
    Deed.WORSE: "found it worse",
    Deed.STEP: "came to its next step",
}


def _instant(text: str, zone: tzinfo) -> str:
    try:
        return notation.instant(read_instant(text), zone)
    except UnableToReadTime:
        return text


def _messages(step: str, at: datetime, some: Iterable[DeliveryRow], zone: tzinfo) -> Event:
    words = f"Told: {step}"
    return Event(at, words, told=tuple(told(one, zone) for one in some))


TONES = {
    DeliveryState.SENT: "good",
    DeliveryState.DUE: "none",
    DeliveryState.FAILED: "bad",
    DeliveryState.DROPPED: "over",
}


def told(one: DeliveryRow, zone: tzinfo) -> Told:
    """Where one message went and what became of it."""
    where = f"{one.route} ({one.shown})" if one.route else one.shown
    return Told(where, state_words(one, zone), TONES[one.state], one.error)


def state_words(one: DeliveryRow, zone: tzinfo) -> str:
    """What became of a message: ``sent 9 May 2027, 13:00 UTC``."""
    digest = ", in the digest" if one.mode is Mode.DIGEST else ""
    if one.state is DeliveryState.SENT and one.sent_at is not None:
        return f"sent {notation.instant(one.sent_at, zone)}{digest}"
    if one.state is DeliveryState.DUE:
        tries = f", tried {one.attempts} time{'' if one.attempts == 1 else 's'}" if one.attempts else ""
        return f"due {notation.instant(one.try_at, zone)}{digest}{tries}"
    if one.state is DeliveryState.FAILED:
        return f"given up after {one.attempts} tr{'y' if one.attempts == 1 else 'ies'}"
    return "dropped before it was sent"
