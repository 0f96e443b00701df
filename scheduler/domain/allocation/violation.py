"""What the verifier reads of a grid, and what it says."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Violation:
    """One constraint that a grid breaks: which (``kind``), a sentence, and the first job, step and GPU that do."""

    kind: str
    sentence: str
    job: str | None = None
    step: int | None = None
    gpu: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What one check found of one job: the rest of a sentence that begins with the job, the step and the GPU."""

    what: str
    step: int
    gpu: int | None = None


@dataclass(frozen=True)
class Cells:
    """The cells of one job, by step and within a step by GPU."""

    steps: Numbers
    gpus: Numbers

    @property
    def start(self) -> int:
        """The first step that holds a cell."""
        return int(self.steps[0])

    @cached_property
    def block(self) -> Numbers:
        """GPUs held at the first step, ascending."""
        return self.at(self.start)

    @property
    def first_gpu(self) -> int:
        """The lowest GPU held at the first step."""
        return int(self.gpus[0])

    @cached_property
    def held_steps(self) -> Numbers:
        """The steps that hold a cell, each once, ascending."""
        return np.unique(self.steps)

    def at(self, step: int) -> Numbers:
        """GPUs held at ``step``, ascending."""
        low, high = np.searchsorted(self.steps, [step, step + 1])
        return self.gpus[low:high]
