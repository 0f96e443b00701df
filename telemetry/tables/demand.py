"""Demand as rows: as a command and a sheet write them, and as a file that can be imported has them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise

from reservations.domain.period import HOUR, Period
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.demand import HOUR_FORM, DemandTrace, rows_of_trace
from telemetry.tables.load_duration import decimal_share
from telemetry.tables.usage import share

NAME = "demand"
TITLE = "Nodes needed, hour by hour"

FILE_COLUMNS = ("hour", "workload", "nodes")
"""The columns of a demand file, as `import_trace` reads them."""

COLUMNS = (*FILE_COLUMNS, "peak_nodes", "source")

SHEET_COLUMNS = (
    Column("hour", "hour", Kind.INSTANT),
    Column("workload", "workload", Kind.TEXT),
    Column("nodes", "needed", Kind.NODES, "nodes", "demand"),
    Column("peak_nodes", "peak of all workloads", Kind.NODES, "nodes"),
    Column("source", "source", Kind.TEXT),
)


def demand_rows(trace: DemandTrace) -> list[dict[str, object]]:
    """One row for each hour and workload; the peak is of all workloads of the hour together, None unknown."""
    place = {hour: at for at, hour in enumerate(trace.hours)}
    return [
        {
            "hour": row.hour,
            "workload": row.workload,
            "nodes": row.nodes,
            "peak_nodes": trace.peak[place[row.hour]],
            "source": trace.sources[place[row.hour]] if trace.sources else "",
        }
        for row in rows_of_trace(trace)
    ]


def demand_sheet(trace: DemandTrace, about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """The same rows as a sheet."""
    names = [column.name for column in SHEET_COLUMNS]
    rows = tuple(tuple(row[name] for name in names) for row in demand_rows(trace))
    return Sheet(NAME, TITLE, SHEET_COLUMNS, rows, about)


def demand_document(trace: DemandTrace, *, pool: str, period: Period, missing: Sequence[datetime]) -> dict[str, object]:
    """The whole answer with what is not told: hours missing, and hours in which what was queued is unknown."""
    return {
        "pool": pool,
        "period": {"start": period.start, "end": period.end},
        "hours": len(trace.hours),
        "hours_missing": len(missing),
        "bound_only_hours": len(trace.bound_only),
        "coverage_share": share(decimal_share(trace.coverage_share)),
        "missing": list(missing),
        "rows": demand_rows(trace),
    }


def runs_of_hours(hours: Sequence[datetime]) -> Iterable[str]:
    """Hours in order as runs: “2026-05-01T10:00Z (1 h)”, “2026-05-02T00:00Z to 2026-05-02T06:00Z (6 h)”."""
    if not hours:
        return
    starts = [hours[0], *(after for before, after in pairwise(hours) if after - before > HOUR)]
    ends = [*(before for before, after in pairwise(hours) if after - before > HOUR), hours[-1]]
    for start, last in zip(starts, ends, strict=True):
        count = (last - start) // HOUR + 1
        until = f" to {last + HOUR:{HOUR_FORM}}" if count > 1 else ""
        yield f"{start:{HOUR_FORM}}{until} ({count} h)"
