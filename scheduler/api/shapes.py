"""What the allocator is asked and what it answers, as the description of the API says it."""

from datetime import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

from reservations.api.shapes import PageTold
from scheduler.domain.allocation_run import RunState
from scheduler.domain.policy import ONLINE_LIMITS

MOST_ITERATIONS = 1_000_000


class AllocateAsked(Schema):
    """How the scenario in the body is to be answered."""

    mode: Literal["fifo", "fast", "full"] = Field(
        "fast", description="fifo and fast answer at once, full with a run to fetch"
    )
    seed: int = Field(0, ge=0, lt=2**31, description="of fast and full: the same seed gives the same grid")
    iterations: int | None = Field(
        None, ge=0, le=MOST_ITERATIONS, description="of the search in fast mode; as many as it deems right without it"
    )
    certificate: bool = Field(
        False, description="also `bound`, `gap_share` and `proved`; full mode tells them without being asked"
    )
    reasons: bool = Field(False, description="also why each job starts no sooner, in one sentence")
    time_limit: float = Field(
        30.0, gt=0, le=ONLINE_LIMITS.time_limit_seconds, description="seconds that full mode may take"
    )


class JobTold(Schema):
    """What became of one job."""

    id: str = Field(examples=["t1"])
    placed: bool
    start: int | None = Field(description="its first step")
    first_gpu: int | None = Field(description="the lowest GPU of its block; null for a real-time job")
    gpus: int | None = Field(description="GPUs of its block; of a real-time job the most it holds at once")
    reason: str | None = Field(description="why no sooner, in one sentence; null unless asked for")


class AllocationTold(Schema):
    """A legal grid and what it is worth."""

    mode: str = Field(examples=["fast"])
    grid: list[list[str | None]] = Field(description="for each GPU the id of the job it runs at each step, or null")
    objective: float = Field(description="Σ priority × decay × paid share over batch cells, less the penalty")
    value: float = Field(description="the objective by its other name")
    output: float = Field(description="the same without decay and penalty, real-time demand served included")
    utilization: float = Field(description="wanted work ÷ all cells")
    occupied_share: float = Field(description="the same with GPUs merely held")
    completed: int = Field(description="batch-like jobs that end within the horizon")
    continuing: int = Field(description="batch-like jobs that go on beyond it")
    unplaced: int = Field(description="batch-like jobs that never start within it")
    realtime_served: int = Field(description="real-time jobs that miss nothing")
    unmet_gpu_steps: int = Field(description="real-time demand that is not served")
    weighted_shortfall: float = Field(description="Σ priority × demand that is not served")
    swaps_used: int = Field(description="GPUs that real-time jobs add and drop")
    bound: float | None = Field(description="no legal grid is worth more; null unless asked for")
    gap_share: float | None = Field(description="(bound − objective) ÷ |bound|; null too where the bound is 0")
    proved: bool = Field(description="the gap is at most 1e-6")
    latency_ms: float = Field(description="of the allocator with its set-up, without bound, reading and writing")
    jobs: list[JobTold]
    seed: int
    warnings: list[str] = Field(description="what is legal and hardly meant, a sentence each")


class RunTold(Schema):
    """One run of full mode, as far as it is; `result` is null until its state is `done`."""

    id: int = Field(examples=[7])
    state: RunState
    gpus: int
    steps: int
    jobs: int
    seed: int
    time_limit_seconds: float
    asked_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    heard_at: datetime | None = Field(description="when the solver last said how far it is")
    phase: str = Field(description="what the solver is at")
    value: float | None = Field(description="the best grid's objective so far")
    bound: float | None = Field(description="what no grid is worth more than, so far")
    message: str = Field(description="how it ended, in one sentence")


class RunWholeTold(RunTold):
    result: AllocationTold | None


class RunPage(PageTold):
    rows: list[RunTold]


_PRIORITY = {"type": "number", "minimum": 1e-6, "maximum": 1e9}
_COUNT = {"type": "integer", "minimum": 0, "maximum": 1_000_000_000}
_AMOUNT = {"type": "integer", "minimum": 1, "maximum": 1_000_000_000}
_ID = {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$", "example": "t1"}


def _object(required: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": required, "additionalProperties": False, "properties": properties}


BATCH_JOB = _object(
    ["id", "type", "priority"],
    {
        "id": _ID,
        "type": {"type": "string", "enum": ["training", "batch_inference", "quantization"]},
        "priority": _PRIORITY,
        "arrival": _COUNT | {"description": "the first step it may start; needed unless it is running"},
        "sizes": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"enum": [str(2**power) for power in range(15)]},
            "additionalProperties": _AMOUNT,
            "description": "steps by GPUs, a power of two; needed unless it is running",
            "example": {"4": 7},
        },
        "latest_end": _COUNT,
        "running": _object(
            ["first_gpu", "gpus", "remaining"],
            {"first_gpu": _COUNT, "gpus": _AMOUNT, "remaining": _AMOUNT},
        ),
    },
)
REALTIME_JOB = _object(
    ["id", "type", "priority", "demand", "swap_cap"],
    {
        "id": _ID,
        "type": {"type": "string", "enum": ["realtime"]},
        "priority": _PRIORITY,
        "demand": {"type": "array", "items": _COUNT, "description": "GPUs, one number a step"},
        "swap_cap": _COUNT | {"description": "GPUs added plus dropped between two steps, at most"},
        "floor": {"anyOf": [_COUNT, {"type": "array", "items": _COUNT}]},
        "running": _object(["gpus"], {"gpus": {"type": "array", "items": _COUNT}}),
    },
)
SCENARIO = _object(
    ["gpus", "steps", "jobs"],
    {
        "gpus": _AMOUNT,
        "steps": _AMOUNT,
        "step_minutes": _PRIORITY,
        "blocks": {"type": "string", "enum": ["aligned", "contiguous"]},
        "nodes": {"type": "array", "items": _AMOUNT, "description": "sizes of the nodes, adding up to the GPUs"},
        "objective": _object(
            [],
            {
                "half_life_steps": {"anyOf": [_PRIORITY, {"type": "null"}]},
                "realtime_penalty": {"type": "number", "minimum": 5, "maximum": 10},
                "realtime": {"type": "string", "enum": ["weighted", "guaranteed"]},
            },
        ),
        "jobs": {"type": "array", "items": {"anyOf": [BATCH_JOB, REALTIME_JOB]}},
    },
)
"""A scenario as ``scheduler.domain.allocation.scenario`` reads it; what hangs together beyond that it says itself."""

EXAMPLE = {
    "gpus": 8,
    "steps": 6,
    "jobs": [
        {"id": "t1", "type": "training", "priority": 4, "arrival": 0, "sizes": {"4": 3}},
        {"id": "t0", "type": "training", "priority": 2, "running": {"first_gpu": 4, "gpus": 4, "remaining": 3}},
        {"id": "chat", "type": "realtime", "priority": 5, "demand": [1, 1, 0, 2, 3, 3], "swap_cap": 2},
    ],
}

REQUEST_BODY = {
    "requestBody": {
        "required": True,
        "description": "A scenario, as the command `allocate` reads it.",
        "content": {"application/json": {"schema": SCENARIO, "example": EXAMPLE}},
    }
}
