"""What a declarative run did to one object."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How an object stands after the run."""

    CREATED = "created"
    UPDATED = "updated"
    REMOVED = "removed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Change:
    """One object by kind and name, and the names of the fields that were written anew."""

    kind: str
    name: str
    outcome: Outcome
    fields: tuple[str, ...] = ()
