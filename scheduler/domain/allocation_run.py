"""A run of the allocator's full mode in the background: its states, and what may be asked of it (docs/api.md)."""

from enum import StrEnum

MOST_TRIES = 3
"""So many workers that began a run and never came back, and it is given up instead of killing another."""


class RunState(StrEnum):
    """Where a run stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


MOVES: dict[RunState, frozenset[RunState]] = {
    RunState.QUEUED: frozenset({RunState.RUNNING, RunState.FAILED, RunState.CANCELLED}),
    RunState.RUNNING: frozenset({RunState.DONE, RunState.FAILED, RunState.CANCELLED}),
    RunState.DONE: frozenset(),
    RunState.FAILED: frozenset(),
    RunState.CANCELLED: frozenset(),
}
"""The legal moves; a worker that died leaves the run running, and the next one begins it anew."""

LIVE: tuple[RunState, ...] = tuple(state for state, moves in MOVES.items() if moves)
"""The states something can still come of."""


def may_become(state: RunState) -> tuple[RunState, ...]:
    """The states from which this one can be reached."""
    return tuple(before for before, moves in MOVES.items() if state in moves)


class UnableToAllocate(ValueError):
    """What the allocator is not sent after; the message is one sentence."""


class UnableToQueueRun(UnableToAllocate):
    """Somebody has as many runs under way as one may have; the message is one sentence."""
