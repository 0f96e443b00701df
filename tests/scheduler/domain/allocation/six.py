"""The six regression scenarios and the figures they are known by."""

import json
from pathlib import Path

from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.scenario import instance_of

SCENARIOS = Path(__file__).parent / "scenarios"
FIFO = {  # utilization, objective
    "backfill": (0.848958, 216.284279),
    "burst": (0.677083, 149.355082),
    "mixed": (0.515625, 87.285774),
    "rt_contention": (0.750000, 106.623454),
    "scale": (0.449219, 1132.089167),
    "training_heavy": (0.536458, 195.524676),
}
OPTIMUM = {  # utilization, objective; proved
    "backfill": (0.880208, 288.572366),
    "burst": (0.781250, 213.021735),
    "mixed": (0.723958, 134.294708),
    "rt_contention": (0.802083, 132.961426),
    "training_heavy": (0.869792, 389.141673),
}
BEST_KNOWN_OF_SCALE = 1280.790153


def six(name: str) -> Instance:
    """One of the six, by name."""
    return instance_of(json.loads((SCENARIOS / f"{name}.json").read_text()))
