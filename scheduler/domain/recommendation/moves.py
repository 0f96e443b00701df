"""What a provider lets one do with a reservation, by its kind and state: a table, each row with its reason."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from reservations.domain import notation
from reservations.domain.reservation_state import Kind, State

EXTENSION_OPENS = timedelta(days=56)
EXTENSION_CLOSES = timedelta(hours=1)
"""A capacity block can be extended from so long to so long before its end."""


@dataclass(frozen=True, slots=True)
class Moves:
    """Whether nodes may be added to it, taken from it, or all of it given back before its end; and why, a sentence."""

    grow: bool
    shrink: bool
    cancel: bool
    why: str


_FREE = Moves(True, True, True, "It can be grown, shrunk and cancelled at any time.")
_BLOCK = Moves(False, False, False, "A capacity block can't be resized, moved, split or cancelled; it ends by itself.")
_SOURCE = Moves(False, False, False, "An interruptible reservation is resized by its source alone.")
_CONTRACT = Moves(False, False, False, "It was entered by hand, and what its contract allows is not written down.")
_REQUESTED = Moves(False, False, False, "It is not granted yet: until it is, there is nothing to resize.")
_COMMITTED = Moves(True, False, False, "Until its commitment ends it can be grown and neither shrunk nor cancelled.")
_WINDING_DOWN = Moves(False, False, False, "It was cancelled in its commitment: its nodes are gone, its bill is not.")
_UNAVAILABLE = Moves(False, False, False, "The provider says that it is unavailable: it is paid and can't be changed.")
_OVER = Moves(False, False, False, "It is over: there is nothing to change.")
_UNKNOWN = Moves(False, False, False, "Its state has a word that is not known, so what it allows is not known either.")

MOVES: Mapping[tuple[Kind, State], Moves] = {
    (Kind.ON_DEMAND, State.ACTIVE): _FREE,
    (Kind.ON_DEMAND, State.REQUESTED): _REQUESTED,
    (Kind.FUTURE, State.ACTIVE): _FREE,
    (Kind.FUTURE, State.REQUESTED): _REQUESTED,
    (Kind.FUTURE, State.SCHEDULED): Moves(
        False, False, False, "It is granted and has not begun: a change needs a quote of the provider."
    ),
    (Kind.BLOCK, State.ACTIVE): _BLOCK,
    (Kind.BLOCK, State.SCHEDULED): _BLOCK,
    (Kind.BLOCK, State.REQUESTED): Moves(
        False, False, False, "Its payment is under way: it can be neither changed nor extended."
    ),
    (Kind.INTERRUPTIBLE, State.ACTIVE): _SOURCE,
    (Kind.INTERRUPTIBLE, State.REQUESTED): _REQUESTED,
    (Kind.MANUAL, State.ACTIVE): _CONTRACT,
    (Kind.MANUAL, State.SCHEDULED): _CONTRACT,
    (Kind.MANUAL, State.REQUESTED): _REQUESTED,
}
"""Rows that differ by kind; what is not here is told by its state alone."""

BY_STATE: Mapping[State, Moves] = {
    State.UNAVAILABLE: _UNAVAILABLE,
    State.WINDING_DOWN: _WINDING_DOWN,
    State.ENDED: _OVER,
    State.FAILED: _OVER,
    State.SCHEDULED: _REQUESTED,
    State.UNKNOWN: _UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Part:
    """One reservation behind a pool: its nodes, and when it and its commitment end (None: no end is known)."""

    external_id: str
    kind: Kind
    state: State
    nodes: int
    end_at: datetime | None = None
    commitment_end_at: datetime | None = None


def moves_of(part: Part, as_of: datetime) -> Moves:
    """What its kind, state and commitment allow at an instant."""
    if part.state is State.ACTIVE and part.commitment_end_at is not None and part.commitment_end_at > as_of:
        return _COMMITTED if part.kind in (Kind.ON_DEMAND, Kind.FUTURE) else MOVES[part.kind, part.state]
    return MOVES.get((part.kind, part.state)) or BY_STATE[part.state]


def free_from(part: Part, as_of: datetime) -> datetime | None:
    """The first instant at which fewer of its nodes may be held; None where nobody knows one."""
    if moves_of(part, as_of).shrink:
        return as_of
    ends = [part.end_at]
    if part.state is State.ACTIVE and part.kind in (Kind.ON_DEMAND, Kind.FUTURE):
        ends.append(part.commitment_end_at)
    known = [end for end in ends if end is not None and end > as_of]
    return min(known, default=None)


@dataclass(frozen=True, slots=True)
class Bounds:
    """At least ``floor`` nodes stay held until ``horizon``; what may change may do so from ``changes_from`` on.

    ``why`` says in one sentence what keeps the floor, blank where nothing does.
    """

    floor: int
    changes_from: datetime | None
    why: str


def bounds(parts: Iterable[Part], *, as_of: datetime, horizon: timedelta) -> Bounds:
    """What must be held on: every node that no end, commitment's end or right to shrink frees within the horizon.

    What has not begun is not held yet and bounds nothing.
    """
    every = [part for part in parts if part.state is not State.SCHEDULED]
    freed = [(part, free_from(part, as_of)) for part in every]
    kept = [part for part, at in freed if at is None or at > as_of + horizon]
    soon = [at for part, at in freed if at is not None and at <= as_of + horizon and part.nodes]
    floor = sum(part.nodes for part in kept)
    return Bounds(floor, max(soon, default=None), _why(kept, as_of) if floor else "")


def provider_rules(parts: Sequence[Part], *, as_of: datetime) -> list[dict[str, object]]:
    """Each reservation with what it allows, as it is frozen: ids, sizes, ends and a sentence."""
    return [
        {
            "reservation": part.external_id,
            "kind": part.kind.value,
            "state": part.state.value,
            "nodes": part.nodes,
            "end": part.end_at,
            "commitment_end": part.commitment_end_at,
            "may": [name for name in ("grow", "shrink", "cancel") if getattr(moves_of(part, as_of), name)],
            "rule": moves_of(part, as_of).why + _extension(part),
        }
        for part in sorted(parts, key=lambda one: one.external_id)
    ]


def _why(kept: Sequence[Part], as_of: datetime) -> str:
    largest = max(kept, key=lambda part: (part.nodes, part.external_id))
    more = f" The same holds for {len(kept) - 1} more." if len(kept) > 1 else ""
    said = moves_of(largest, as_of).why
    return f"{largest.external_id}: {said[0].lower()}{said[1:]}{more}"


def _extension(part: Part) -> str:
    """From when to when a block can be extended."""
    if part.kind is not Kind.BLOCK or part.state not in (State.ACTIVE, State.SCHEDULED) or part.end_at is None:
        return ""
    opens, closes = (notation.instant(part.end_at - before) for before in (EXTENSION_OPENS, EXTENSION_CLOSES))
    return f" It can be extended from {opens} to {closes}."
