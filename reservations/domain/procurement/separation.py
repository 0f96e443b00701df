"""Separation of duties by person: whoever asks does not approve, whoever approves does not buy, nobody twice."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class Part(StrEnum):
    """What a person has done about a version; each person has one part only."""

    REQUESTER = "requester"
    APPROVER = "approver"
    REPRESENTED = "represented"
    EXECUTOR = "executor"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Played:
    """One person's part."""

    user_id: int
    part: Part


_WHY = {
    Part.REQUESTER: "asked for it",
    Part.APPROVER: "approved a step of it",
    Part.REPRESENTED: "had a step of it approved in their name",
    Part.EXECUTOR: "executes it",
    Part.SECOND: "gave its second sign-off",
}

_ACTS = {
    Part.REQUESTER: "ask for it",
    Part.APPROVER: "approve it",
    Part.REPRESENTED: "have it approved in their name",
    Part.EXECUTOR: "execute it",
    Part.SECOND: "give its second sign-off",
}


def why_not_part(played: Iterable[Played], *, user_id: int, part: Part, acting_for: int | None = None) -> str:
    """Why somebody may not take a part, in one sentence; blank where they may. A delegate counts as both persons.

    Roles are not asked here: superusers, staff and tokens are persons like all others.
    """
    if acting_for == user_id:
        return "Nobody acts for themselves: approve it in your own name."
    before = {one.user_id: one.part for one in played}
    for person, named in ((user_id, "You"), (acting_for, "Whoever you act for")):
        if person is not None and person in before and not (part is before[person] is Part.REQUESTER):
            return f"{named} {_WHY[before[person]]}, so {_who(named)} can’t {_ACTS[part]} as well."
    return ""


def parts_of(*, user_id: int, part: Part, acting_for: int | None = None) -> tuple[Played, ...]:
    """The parts one act takes: the person's own, and that of whom they act for."""
    own = Played(user_id, part)
    return (own,) if acting_for is None else (own, Played(acting_for, Part.REPRESENTED))


def is_marked(changed_at: datetime | None, *, at: datetime, days: int) -> bool:
    """Whether a role was granted so few days ago that auditors are shown it."""
    return changed_at is not None and at - changed_at < timedelta(days=days)


def _who(named: str) -> str:
    return "you" if named == "You" else "they"
