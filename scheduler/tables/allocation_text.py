"""An allocation as text: JSON with a GPU a line, its jobs as rows, or the grid drawn in letters."""

import json
from collections.abc import Mapping
from string import ascii_letters, digits
from typing import Any

COLUMNS = ("id", "placed", "start", "first_gpu", "gpus", "reason")
FIGURES = (
    *("objective", "output", "utilization", "occupied_share", "completed", "continuing", "unplaced"),
    *("unmet_gpu_steps", "swaps_used", "bound", "gap_share", "proved", "latency_ms"),
)
MARKS = ascii_letters + digits
NOBODY = "."


def allocation_json(result: Mapping[str, Any]) -> str:
    """A result as JSON, one GPU and one job a line."""
    members = [f"{json.dumps(key)}: {_lines(value)}" for key, value in result.items()]
    return "{" + ",\n".join(members) + "}"


def job_rows(result: Mapping[str, Any]) -> list[dict[str, object]]:
    """The jobs of a result as rows of ``COLUMNS``."""
    return [{column: job[column] for column in COLUMNS} for job in result["jobs"]]


def figures_line(result: Mapping[str, Any]) -> str:
    """The figures of a result in one line, unknown ones left out."""
    told = [f"{name} {_short(result[name])}" for name in FIGURES if result.get(name) is not None]
    return f"{result['mode']}: {', '.join(told)}"


def grid_drawing(result: Mapping[str, Any]) -> str:
    """A grid in letters, one line a GPU and one column a step, with who is who below."""
    ids = [job["id"] for job in result["jobs"]]
    width = 1 if len(ids) <= len(MARKS) else 2 if len(ids) <= len(MARKS) ** 2 else 3
    marks: dict[str | None, str] = {id: _mark(at, width) for at, id in enumerate(ids)} | {None: NOBODY * width}
    margin = len(str(len(result["grid"]) - 1))
    lines = [f"{gpu:>{margin}} {''.join(marks[id] for id in row)}" for gpu, row in enumerate(result["grid"])]
    legend = [_legend(marks[job["id"]], job) for job in result["jobs"]]
    return "\n".join([figures_line(result), "", *lines, "", *legend])


def _legend(mark: str, job: Mapping[str, Any]) -> str:
    where = "is not placed"
    if job["placed"]:
        block = "up to" if job["first_gpu"] is None else f"from GPU {job['first_gpu']} on,"
        where = f"starts at step {job['start']}, {block} {job['gpus']} {'GPU' if job['gpus'] == 1 else 'GPUs'}"
    return f"{mark} {job['id']} {where}" + (f". {job['reason']}" if job["reason"] else "")


def _mark(at: int, width: int) -> str:
    mark = ""
    for _ in range(width):
        at, place = divmod(at, len(MARKS))
        mark = MARKS[place] + mark
    return mark


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _lines(value: object) -> str:
    if isinstance(value, list) and any(isinstance(one, list | dict) for one in value):
        return "[\n" + ",\n".join(json.dumps(one, allow_nan=False) for one in value) + "\n]"
    return json.dumps(value, allow_nan=False)
