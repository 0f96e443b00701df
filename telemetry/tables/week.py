"""The hours of the week as sheets: one row for each cell, and the same as a clock with a column for each weekday."""

from collections.abc import Sequence
from datetime import tzinfo
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.week import HOURS_A_DAY, WEEKDAYS, WeekCell
from telemetry.tables.usage import gpu_hours

NAME = "hour-of-week"
TITLE = "When it is busy"

COLUMNS = (
    Column("weekday", "weekday", Kind.TEXT),
    Column("hour_start", "from", Kind.TEXT),
    Column("hours", "hours collected", Kind.COUNT),
    Column("hours_known", "hours known", Kind.COUNT),
    Column("busy_gpu_hours", "busy", Kind.GPU_HOURS, "GPU-hours", "busy"),
    Column("reserved_gpu_hours", "reserved in them", Kind.GPU_HOURS, "GPU-hours"),
    Column("busy_share", "busy ÷ reserved", Kind.SHARE, "", "busy_share"),
)


def week_sheet(cells: Sequence[WeekCell]) -> Sheet:
    """One row for each hour of each weekday; blank amounts where nobody knows any hour of it."""
    rows = tuple(
        (
            WEEKDAYS[cell.weekday],
            f"{cell.hour:02}:00",
            cell.hours,
            cell.known,
            gpu_hours(cell.busy if cell.known else None),
            gpu_hours(cell.reserved if cell.known else None),
            cell.share,
        )
        for cell in cells
    )
    return Sheet(NAME, TITLE, COLUMNS, rows)


def clock_sheet(cells: Sequence[WeekCell]) -> Sheet:
    """24 rows by seven weekdays: busy ÷ reserved."""
    days = tuple(Column(f"{day.lower()}_busy_share", day, Kind.SHARE) for day in WEEKDAYS)
    rows = tuple(
        (f"{hour:02}:00", *(cells[day * HOURS_A_DAY + hour].share for day in range(len(WEEKDAYS))))
        for hour in range(HOURS_A_DAY)
    )
    return Sheet(NAME, TITLE, (Column("hour_start", "from", Kind.TEXT), *days), rows)


def week_summary(cells: Sequence[WeekCell], zone: tzinfo) -> str:
    """``Busiest Tue 14:00–15:00 (81.2 %), quietest Sun 04:00–05:00 (3.1 %) …`` and over how many hours."""
    known = [(cell.share, cell) for cell in cells if cell.share is not None]
    if not known:
        return ""
    most = max(known, key=lambda pair: pair[0])
    least = min(known, key=lambda pair: pair[0])
    said = f"Busiest {_named(most[1])}, quietest {_named(least[1])}" if most[0] > least[0] else _flat(least[1])
    counted = sum(cell.known for cell in cells)
    unknown = sum(cell.hours for cell in cells) - counted
    doubt = f"; {_hours(unknown)} with busy time unknown left out" if unknown else ""
    return f"{said}, of what was reserved in {_hours(counted)}{doubt}. Clock of {notation.zone_name(zone)}."


def why_no_week(hours: int) -> str:
    """Why there is nothing to colour."""
    if not hours:
        return "No hour of this month is in the ledger."
    return "In no hour of this month is busy time known while something was reserved."


def _flat(cell: WeekCell) -> str:
    return f"The same in every hour of the week, {notation.percent(cell.share or Decimal(0))} busy"


def _named(cell: WeekCell) -> str:
    end = (cell.hour + 1) % HOURS_A_DAY
    share = notation.percent(cell.share or Decimal(0))
    return f"{WEEKDAYS[cell.weekday]} {cell.hour:02}:00–{end:02}:00 ({share})"


def _hours(count: int) -> str:
    return f"{notation.grouped(count)} hour{'' if count == 1 else 's'}"
