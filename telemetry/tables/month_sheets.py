"""The tables of a month as sheets: its tiles, and its days and hours under the names of `usage`."""

from collections.abc import Iterable, Mapping, Sequence

from reservations.domain.glossary import GLOSSARY
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.totals import Totals
from telemetry.domain.worth import Worth
from telemetry.tables.by_step import Part
from telemetry.tables.compared import Compared, Figures
from telemetry.tables.usage import COLUMNS, gpu_hours, share

About = tuple[tuple[str, str], ...]

_KINDS = {
    "pool": Kind.TEXT,
    "start": Kind.INSTANT,
    "end": Kind.INSTANT,
    "hours": Kind.COUNT,
    "hours_missing": Kind.COUNT,
    "flags": Kind.FLAGS,
    "final": Kind.YES_NO,
}
_SUFFIXES = {"_gpu_hours": Kind.GPU_HOURS, "_share": Kind.SHARE}

USAGE = tuple(name for name in COLUMNS if name not in {"pool", "flags", "final", "hours_missing"})
TOGETHER = (*USAGE[:2], "hours", "hours_missing", *USAGE[2:])
"""What can be said of several pools together."""


def usage_sheet(name: str, title: str, rows: Iterable[Mapping[str, object]], about: About = ()) -> Sheet:
    """The rows of the command `usage`, in its columns."""
    columns = tuple(usage_column(column) for column in COLUMNS)
    return Sheet(name, title, columns, tuple(tuple(row[column] for column in COLUMNS) for row in rows), about)


def together_sheet(name: str, title: str, parts: Sequence[Part], about: About = ()) -> Sheet:
    """Days or hours of several pools together, in the columns of `usage` that hold for that."""
    rows = tuple(tuple(_told(part, column) for column in TOGETHER) for part in parts)
    return Sheet(name, title, tuple(usage_column(column) for column in TOGETHER), rows, about)


def tiles_sheet(compared: Compared, missing: int, about: About = ()) -> Sheet:
    """The figures of the month's tiles, and those of the month before; money in the currency of its row."""
    names = (
        "month", "hours", "hours_missing", "reserved_gpu_hours", "paid_gpu_hours", "allocated_gpu_hours",
        "busy_gpu_hours", "idle_gpu_hours", "busy_share", "busy_paid_share", "allocated_reserved_share",
        "break_even_share", "adjusted_break_even_share", "coverage_share", "cost_of_idle", "paid_cost", "currency",
    )  # fmt: skip
    kinds = {"month": Kind.TEXT, "cost_of_idle": Kind.MONEY, "paid_cost": Kind.MONEY, "currency": Kind.TEXT}
    columns = tuple(Column(name, _label(name), kinds[name]) if name in kinds else usage_column(name) for name in names)
    rows = (_figures(compared.now, missing), _figures(compared.before, None))
    return Sheet("tiles", "Figures", columns, rows, about)


def usage_column(name: str) -> Column:
    """One column of `usage`."""
    kind = _KINDS.get(name) or next(kind for suffix, kind in _SUFFIXES.items() if name.endswith(suffix))
    word = name if name in GLOSSARY else name.removesuffix("_gpu_hours").removesuffix("_share")
    unit = "GPU-hours" if kind is Kind.GPU_HOURS else ""
    return Column(name, _label(name), kind, unit=unit, term=word if word in GLOSSARY else "")


def _label(name: str) -> str:
    return name.removesuffix("_gpu_hours").removesuffix("_share").replace("_", " ")


def _told(part: Part, column: str) -> object:
    if column in {"start", "end"}:
        return getattr(part.period, column)
    if column == "hours_missing":
        return part.missing
    if column == "hours":
        return part.totals.hours
    if column == "coverage_share":
        return share(part.totals.coverage)
    return gpu_hours(getattr(part.totals, column.removesuffix("_gpu_hours")))


def _figures(figures: Figures, missing: int | None) -> tuple[object, ...]:
    totals: Totals = figures.whole
    worth: Worth = figures.money
    return (
        f"{figures.month:%Y-%m}",
        totals.hours,
        missing,
        *(gpu_hours(getattr(totals, name)) for name in ("reserved", "paid", "allocated", "busy", "idle")),
        share(totals.busy_share),
        share(totals.busy_paid_share),
        share(totals.allocated_reserved_share),
        share(worth.break_even),
        share(worth.adjusted),
        share(totals.coverage),
        worth.idle,
        worth.paid,
        worth.currency,
    )
