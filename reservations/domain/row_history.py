"""What people changed of a row, from what was saved each time: one field at a time, before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

CREATED = "+"


@dataclass(frozen=True, slots=True)
class Saved:
    """A row as it was saved at an instant; ``how`` is ``+`` where it was new, ``who`` None: no person."""

    at: datetime
    who: str | None
    how: str
    values: Mapping[str, object] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """One field that somebody changed."""

    at: datetime
    who: str | None
    field: str
    before: object
    after: object
    reason: str = ""


def changes(saves: Sequence[Saved], fields: Sequence[str]) -> list[Changed]:
    """Field by field what each save changed, in time order; the first save of a row that was new changes nothing.

    Before the first save that is kept every field was blank: nobody had set it.
    """
    found: list[Changed] = []
    before: Mapping[str, object] = {}
    for save in saves:
        if save.how != CREATED:
            found += [
                Changed(save.at, save.who, name, before.get(name), save.values.get(name), save.reason)
                for name in fields
                if before.get(name) != save.values.get(name)
            ]
        before = save.values
    return found
