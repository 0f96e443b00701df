"""What a declarative run did to one object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """How an object stands after the run."""

    CREATED = "created"
    UPDATED = "updated"
    REMOVED = "removed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Change:
    """One object by kind and name, and the names of the fields that were written anew.

    ``before`` and ``after`` are the values of those fields, where they are known.
    """

    kind: str
    name: str
    outcome: Outcome
    fields: tuple[str, ...] = ()
    before: Mapping[str, object] | None = field(default=None, compare=False, repr=False)
    after: Mapping[str, object] | None = field(default=None, compare=False, repr=False)
