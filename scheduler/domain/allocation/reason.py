"""Why a job stands where it stands in a grid: the kinds of reasons, and what each one claims."""

from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """What kept a job from starting sooner, or from being served in full."""

    INHERITED = "inherited"
    AT_ONCE = "at_once"
    BLOCKED = "blocked"
    LEFT = "left"
    TOO_LATE = "too_late"
    NO_BLOCK = "no_block"
    NEVER_HERE = "never_here"
    SERVED = "served"
    SHORT = "short"


class Lack(StrEnum):
    """Why a real-time job has less than it wants at a step."""

    FLEET = "fleet"
    TAKEN = "taken"
    CAPPED = "capped"
    SPARED = "spared"


@dataclass(frozen=True, slots=True)
class Blocker:
    """A job in the way, by its index, and from which step to which it holds GPUs there, the end not within."""

    at: int
    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Lacking:
    """Steps at which a real-time job lacks GPUs for one cause, and who holds them where they are taken."""

    lack: Lack
    steps: tuple[int, ...]
    holders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """One job's reason in one sentence; ``blockers`` in full, of which the sentence may only name the first ones."""

    job: str
    why: Why
    sentence: str
    blockers: tuple[Blocker, ...] = ()
    lacking: tuple[Lacking, ...] = ()
