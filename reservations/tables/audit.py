"""The audit trail as text that others can check, as a table, and one event's states side by side."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reservations.domain.audit_chain import Event, canonical_bytes
from reservations.tables.sheet import Column, Kind, Sheet

COLUMNS = (
    Column("sequence", "number", Kind.COUNT),
    Column("at", "when", Kind.INSTANT),
    Column("by_name", "who", Kind.TEXT),
    Column("by_id", "log-in’s number", Kind.TEXT),
    Column("acting_for", "acting for", Kind.TEXT),
    Column("act", "act", Kind.TEXT, term="audit_act"),
    Column("about", "of what", Kind.TEXT),
    Column("ident", "which", Kind.TEXT),
    Column("via", "via", Kind.TEXT),
    Column("address", "from", Kind.TEXT),
    Column("request_id", "request", Kind.TEXT),
    Column("before", "before", Kind.TEXT),
    Column("after", "after", Kind.TEXT),
    Column("why", "why", Kind.TEXT),
    Column("previous_hash", "hash before it", Kind.TEXT),
    Column("hash", "hash", Kind.TEXT),
)


@dataclass(frozen=True, slots=True)
class Beside:
    """One field of an event's states; blank where it did not stand there."""

    field: str
    before: str
    after: str
    changed: bool


def event_lines(events: Iterable[Event]) -> Iterator[str]:
    """Events as JSON Lines: the very text that is hashed, with the hash beside the other fields."""
    for event in events:
        told = json.loads(canonical_bytes(event)) | {"hash": event.hash}
        yield json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=True) + "\n"


def audit_sheet(events: Iterable[Event], *, about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """Events as a table, every field of each."""
    rows = tuple(tuple(getattr(event, column.name) for column in COLUMNS) for event in events)
    return Sheet("audit", "Audit trail", COLUMNS, rows, about)


def side_by_side(event: Event) -> list[Beside]:
    """What stood before and after an act, field by field; a state that is no object stands as one field."""
    before, after = _fields(event.before), _fields(event.after)
    names = [*before, *(name for name in after if name not in before)]
    return [
        Beside(name, before.get(name, ""), after.get(name, ""), before.get(name) != after.get(name)) for name in names
    ]


def act_words(word: str) -> str:
    """An act or a kind of object as people read it."""
    return word.replace("_", " ")


def _fields(text: str) -> dict[str, str]:
    if not text:
        return {}
    try:
        state = json.loads(text)
    except ValueError:  # altered behind our back: it is shown as it stands
        return {"": text}
    if not isinstance(state, dict):
        return {"": text}
    return {name: _told(value) for name, value in state.items()}


def _told(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value or "“”"
    if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, list):
        return "\n".join(map(_told, value))
    if isinstance(value, dict):
        return ", ".join(f"{act_words(name)} {_told(inner)}" for name, inner in value.items())
    return str(value)
