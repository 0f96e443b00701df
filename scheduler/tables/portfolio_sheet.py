"""The portfolio as rows of a page and as a sheet to take away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.months import Months
from scheduler.domain.policy import Policy
from scheduler.tables.portfolio import Line, signed
from telemetry.tables.spark import Spark
from telemetry.tables.usage import gpu_hours, share

COLUMNS = (
    Column("pool", "pool", Kind.TEXT),
    Column("owner", "owner", Kind.TEXT, term="owner"),
    Column("instance_type", "instance type", Kind.TEXT),
    Column("month", "month", Kind.TEXT),
    Column("to_date", "to date", Kind.YES_NO),
    Column("reserved_gpu_hours", "reserved", Kind.GPU_HOURS, "GPU-hours", "reserved"),
    Column("busy_gpu_hours", "busy", Kind.GPU_HOURS, "GPU-hours", "busy"),
    Column("busy_share", "busy ÷ reserved", Kind.SHARE, term="busy_share"),
    Column("busy_paid_share", "busy ÷ paid", Kind.SHARE, term="busy_paid_share"),
    Column("break_even_share", "break-even", Kind.SHARE, term="break_even"),
    Column("adjusted_break_even_share", "break-even with launches that fail", Kind.SHARE, term="adjusted_break_even"),
    Column("last_month_busy_share", "busy ÷ reserved of the month before", Kind.SHARE),
    Column("coverage_share", "coverage", Kind.SHARE, term="coverage"),
    Column("next_end_at", "next end", Kind.INSTANT),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """One line in words; ``bar`` and ``even`` are places in per cent of the whole width, blank where unknown.

    ``path`` draws the months as one line, broken where a month is unknown; ``level`` is the height of break-even.
    """

    name: str
    owner: str
    instance_type: str
    reserved: str
    busy: str
    share: str
    bar: str
    even: str
    adjusted: str
    even_words: str
    below: bool
    path: str
    last: str
    to_date: str
    level: str
    spark_words: str
    trend: str
    next_end: str
    coverage: str
    thin: bool


def shown(line: Line, zone: tzinfo, policy: Policy) -> Shown:
    """A line as the page writes it; days are those of ``zone``."""
    coverage, drawn = line.shown.coverage, line.spark
    return Shown(
        name=line.pool.name if line.pool else "",
        owner=line.pool.owner if line.pool else "",
        instance_type=line.pool.instance_type if line.pool else "",
        reserved=notation.gpu_hours(line.shown.reserved),
        busy=notation.gpu_hours(line.shown.busy),
        share=notation.percent(line.share),
        bar=_place(line.share),
        even=_place(line.even),
        adjusted=_place(line.adjusted),
        even_words=_even_words(line),
        below=_below(line),
        path=_path(drawn),
        last=_dot(drawn.last),
        to_date=_dot(drawn.to_date),
        level=drawn.even,
        spark_words=drawn.words,
        trend=signed(line.trend),
        next_end="" if line.next_end is None else notation.day(line.next_end.astimezone(zone).date()),
        coverage=notation.percent(coverage),
        thin=coverage is not None and coverage < policy.coverage,
    )


def portfolio_sheet(lines: Sequence[Line], months: Months, about: tuple[tuple[str, str], ...]) -> Sheet:
    """One row for each line, with every digit."""
    rows = tuple(_cells(line, months) for line in lines)
    return Sheet("pools", "Pools", COLUMNS, rows, about)


def _cells(line: Line, months: Months) -> tuple[object, ...]:
    pool = line.pool
    return (
        pool.name if pool else None,
        pool.owner if pool else None,
        pool.instance_type if pool else None,
        f"{months.shown:%Y-%m}",
        months.to_date,
        gpu_hours(line.shown.reserved),
        gpu_hours(line.shown.busy),
        share(line.share),
        share(line.shown.busy_paid_share),
        share(line.even),
        share(line.adjusted),
        share(line.last.share),
        share(line.shown.coverage),
        line.next_end,
    )


def _even_words(line: Line) -> str:
    if line.even is None:
        return "no break-even known"
    fails = "" if line.adjusted is None else f", with launches that fail {notation.percent(line.adjusted)}"
    return f"break-even {notation.percent(line.even)}{fails}"


def _below(line: Line) -> bool:
    """Whether busy ÷ paid is below the line that decides: the adjusted one where it is known."""
    even, held = line.even if line.adjusted is None else line.adjusted, line.shown.busy_paid_share
    return even is not None and held is not None and held < even


def _path(drawn: Spark) -> str:
    """The runs of a spark line as one path, a month that stands alone as a point."""
    runs = ["M" + points.replace(" ", "L") for points in drawn.lines]
    return "".join([*runs, *(f"M{x},{y}m-1,0h2" for x, y in drawn.dots)])


def _dot(point: tuple[str, str] | None) -> str:
    """A point as a path of no length, which a round pen makes a dot."""
    return "" if point is None else f"M{point[0]},{point[1]}h0"


def _place(value: Decimal | None) -> str:
    return "" if value is None else f"{min(max(value, Decimal(0)), Decimal(1)) * 100:.1f}%"
