"""A small scenario with every field, to be spoilt one field at a time."""

from copy import deepcopy
from typing import Any

from tests.scheduler.domain.allocation.strategies import Scenario

EXAMPLE: Scenario = {
    "gpus": 8,
    "steps": 4,
    "step_minutes": 60,
    "blocks": "aligned",
    "nodes": [4, 4],
    "objective": {"half_life_steps": 2, "realtime_penalty": 8, "realtime": "weighted"},
    "jobs": [
        {"id": "t1", "type": "training", "priority": 4, "arrival": 1, "sizes": {"2": 7, "4": 3}, "latest_end": 9},
        {"id": "t0", "type": "quantization", "priority": 2, "running": {"first_gpu": 4, "gpus": 2, "remaining": 3}},
        {
            "id": "chat",
            "type": "realtime",
            "priority": 5,
            "demand": [1, 0, 3, 9],
            "swap_cap": 2,
            "floor": [1, 0, 0, 1],
            "running": {"gpus": [0, 7]},
        },
    ],
}
ABSENT = object()


def changed(path: str, value: Any) -> Scenario:
    """The example with what stands at ``path`` (jobs by number) set to ``value``, or taken away."""
    scenario = deepcopy(EXAMPLE)
    *way, last = path.split(".")
    place: Any = scenario
    for step in way:
        place = place[int(step) if isinstance(place, list) else step]
    key: Any = int(last) if isinstance(place, list) else last
    if value is ABSENT:
        del place[key]
    else:
        place[key] = value
    return scenario
