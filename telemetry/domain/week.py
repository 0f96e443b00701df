"""The week as a clock shows it: how busy each hour of each weekday was.

A ledger hour belongs to the local hour in which it starts. So a local hour that comes twice when clocks go back counts
twice in its cell, and one that is skipped is not there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import tzinfo
from decimal import Decimal

from telemetry.domain.use import UseHour

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS_A_DAY = 24


@dataclass(frozen=True, slots=True)
class WeekCell:
    """One hour of one weekday (0 is Monday); amounts in GPU-milliseconds over the ``known`` of its ``hours``."""

    weekday: int
    hour: int
    hours: int
    known: int
    busy: int
    reserved: int

    @property
    def share(self) -> Decimal | None:
        """Σ busy ÷ Σ reserved over the hours in which busy is known; None where nothing was reserved in them."""
        return Decimal(self.busy) / self.reserved if self.reserved else None


def hours_of_week(hours: Iterable[UseHour], zone: tzinfo) -> tuple[WeekCell, ...]:
    """All 168 cells, Monday 00:00 first, of hours in any order."""
    sums = [[0, 0, 0, 0] for _ in range(len(WEEKDAYS) * HOURS_A_DAY)]
    for row in hours:
        local = row.hour.astimezone(zone)
        cell = sums[local.weekday() * HOURS_A_DAY + local.hour]
        cell[0] += 1
        if row.busy is not None:
            cell[1] += 1
            cell[2] += row.busy
            cell[3] += row.busy_reserved
    return tuple(
        WeekCell(place // HOURS_A_DAY, place % HOURS_A_DAY, count, known, busy, reserved)
        for place, (count, known, busy, reserved) in enumerate(sums)
    )
