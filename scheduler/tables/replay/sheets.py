"""A replay as a sheet: what the page shows, and its CSV and workbook and the command's CSV hold."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from reservations.tables.sheet import Column, Kind, Sheet

About = tuple[tuple[str, str], ...]

COLUMNS = (
    Column("nodes", "nodes", Kind.COUNT),
    Column("gpus", "GPUs", Kind.COUNT),
    Column("is_current", "held now", Kind.YES_NO),
    Column("is_packed", "packed", Kind.YES_NO, "", "packed_size"),
    Column("value", "value", Kind.MONEY, "priority × GPU-hours"),
    Column("value_share", "of today's", Kind.SHARE),
    Column("utilization", "utilization", Kind.SHARE),
    Column("occupied_share", "occupied", Kind.SHARE),
    Column("unmet_gpu_hours", "serving unmet", Kind.COUNT, "GPU-hours"),
    Column("waiting_hours", "waiting", Kind.COUNT, "job-hours"),
    Column("waiting_gpu_hours", "waiting", Kind.COUNT, "GPU-hours"),
    Column("longest_wait_hours", "longest wait", Kind.COUNT, "hours"),
    Column("jobs_that_waited", "jobs that waited", Kind.COUNT),
    Column("completed", "completed", Kind.COUNT, "jobs"),
    Column("continuing", "going on", Kind.COUNT, "jobs"),
    Column("not_started", "not started", Kind.COUNT, "jobs"),
    Column("too_large", "too large", Kind.COUNT, "jobs"),
    Column("output", "output", Kind.MONEY, "priority × GPU-hours"),
    Column("done_gpu_hours", "done", Kind.COUNT, "GPU-hours"),
    Column("left_gpu_hours", "left", Kind.COUNT, "GPU-hours"),
    Column("not_started_gpu_hours", "not started", Kind.COUNT, "GPU-hours"),
)

SHOWN = (
    "nodes", "value", "value_share", "utilization", "unmet_gpu_hours", "waiting_hours", "jobs_that_waited",
    "longest_wait_hours", "not_started",
)  # fmt: skip
"""What the page's table has of it; files have all."""

TOLD = (*SHOWN, "is_current", "is_packed")
"""And what a terminal shows."""


def replay_sheet(document: Mapping[str, Any], *, about: About = ()) -> Sheet:
    """One row a size, with every figure; none where there was not enough data."""
    rows = tuple(tuple(size[column.name] for column in COLUMNS) for size in size_rows(document))
    return Sheet("replay", "The month on every size", COLUMNS, rows, about)


def shown_sheet(document: Mapping[str, Any]) -> Sheet:
    """The columns that the page has room for, the packed size and today's named."""
    by_name = {column.name: column for column in COLUMNS}
    columns = (*(by_name[name] for name in SHOWN), Column("mark", "which it is", Kind.TEXT))
    rows = tuple((*(size[name] for name in SHOWN), " and ".join(_marks(size))) for size in size_rows(document))
    return Sheet("replay", "The month on every size", columns, rows)


def size_rows(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sizes with exact decimals for shares and values, and which of them is held and which is packed."""
    current, packed = document["current_nodes"], document["packed_nodes"]
    now = next((size["value"] for size in document["sizes"] if size["nodes"] == current), None)
    return [
        {
            **size,
            **{name: _decimal(size[name]) for name in ("value", "output", "utilization", "occupied_share")},
            "value_share": _decimal(size["value"] / now) if now and now > 0 else None,
            "is_current": size["nodes"] == current,
            "is_packed": size["nodes"] == packed,
        }
        for size in document["sizes"]
    ]


def _marks(size: Mapping[str, Any]) -> list[str]:
    return [name for name, is_it in (("held now", size["is_current"]), ("packed", size["is_packed"])) if is_it]


def _decimal(value: float | None) -> Decimal | None:
    return None if value is None else round(Decimal(value), 6)
