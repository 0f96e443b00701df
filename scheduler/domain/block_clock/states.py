"""Where a job on an ending block stands, which moves are legal, and what can be wrong."""

from enum import StrEnum


class JobState(StrEnum):
    """Where a job stands on its way out of a block."""

    REGISTERED = "registered"
    STOP_REQUESTED = "stop_requested"
    VERIFIED = "verified"
    RESUMABLE = "resumable"
    ESCALATED = "escalated"
    FINISHED = "finished"
    WITHDRAWN = "withdrawn"


_ANY = frozenset(JobState)

MOVES: dict[JobState, frozenset[JobState]] = {
    JobState.REGISTERED: _ANY - {JobState.REGISTERED, JobState.RESUMABLE},
    JobState.STOP_REQUESTED: _ANY - {JobState.STOP_REQUESTED, JobState.RESUMABLE},
    JobState.VERIFIED: _ANY - {JobState.VERIFIED},
    JobState.ESCALATED: _ANY - {JobState.ESCALATED, JobState.RESUMABLE},
    JobState.RESUMABLE: frozenset(),
    JobState.FINISHED: frozenset(),
    JobState.WITHDRAWN: frozenset(),
}
"""The legal moves. Only a verified checkpoint makes a job resumable. An end that moves leads a job back
to where it stands for that end: mostly registered, and for an end that was its end before, as it stood then."""

LIVE: tuple[JobState, ...] = tuple(state for state, moves in MOVES.items() if moves)
"""The states something can still come of."""


def may_become(state: JobState) -> tuple[JobState, ...]:
    """The states from which this one can be reached."""
    return tuple(before for before, moves in MOVES.items() if state in moves)


class Trouble(StrEnum):
    """Why a job was escalated: somebody has to look, though the controller goes on trying."""

    HOOK_DOWN = "hook_down"
    CHECKPOINT_MISSING = "checkpoint_missing"
    CHECKPOINT_OLD = "checkpoint_old"
    CHECKSUM_WRONG = "checksum_wrong"
    CHECKPOINT_UNREADABLE = "checkpoint_unreadable"
    NO_RIGHTS = "no_rights"
    STORE_DOWN = "store_down"
    LATE = "late"


class Step(StrEnum):
    """What is done about a job, at most once for each end of its block."""

    REQUEST_STOP = "request_stop"
    VERIFY_CHECKPOINT = "verify_checkpoint"
    MARK_RESUMABLE = "mark_resumable"
    ESCALATE = "escalate"


class Decision(StrEnum):
    """What is to follow the block's end, decided beforehand."""

    RENEW = "renew"
    FALL_BACK = "fall_back"
    PAUSE = "pause"
