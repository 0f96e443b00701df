"""A grid: which job each GPU runs at each step."""

import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.int32]
"""Shape (GPUs, steps); the index of a job in ``Instance.jobs``, or ``FREE``."""

FREE = -1


def empty_grid(gpus: int, steps: int) -> Grid:
    """A grid of ``gpus`` × ``steps`` cells that no job holds."""
    return np.full((gpus, steps), FREE, dtype=np.int32)
