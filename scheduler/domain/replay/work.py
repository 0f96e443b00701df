"""What a replay is asked: the hours that are known, the jobs that ran in them and what serving needed."""

from dataclasses import dataclass
from datetime import datetime

SERVING, TRAINING = "serving", "training"
TYPES = {TRAINING: "training"}
"""Workload → type of job; every other is batch inference, but for serving, which is real-time demand."""

OTHER_TYPE = "batch_inference"


class UnableToReplay(ValueError):
    """A month can't be replayed; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class ReplayJob:
    """One job as it is replayed; steps are the hours that are known, counted on.

    ``gpus`` is a power of two, ``used`` the GPUs that were recorded, ``recorded`` the GPU-milliseconds. ``began`` is
    the step in which it was first seen, ``arrival`` the one since which it is known to have waited.
    """

    id: str
    workload: str
    gpus: int
    used: int
    steps: int
    began: int
    arrival: int
    recorded: int

    @property
    def gpu_steps(self) -> int:
        """GPU-hours it takes, without what rounding up added."""
        return self.used * self.steps


@dataclass(frozen=True, slots=True)
class ReplayWork:
    """All that is replayed: ``hours`` the known ones, which are the steps, in order.

    ``realtime`` is GPUs that serving needed, one a step; ``jobs`` by arrival, then by when they began, then by name.
    """

    hours: tuple[datetime, ...]
    realtime: tuple[int, ...]
    jobs: tuple[ReplayJob, ...]

    @property
    def swap_cap(self) -> int:
        """GPUs serving is seen to take or give back within an hour, the most of the month."""
        changes = [abs(now - before) for before, now in zip(self.realtime, self.realtime[1:], strict=False)]
        return max(changes, default=0)
