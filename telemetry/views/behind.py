"""What is behind a number of a month: the hours of a day, those with most of a step, and the pools of either."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from reservations.domain import notation
from reservations.tables.sheet import Sheet
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.waterfall import hour_steps
from telemetry.selectors.ledger import ledger_hours
from telemetry.selectors.totals import fleet_hours, totals_by_pool
from telemetry.tables import by_step
from telemetry.tables.compared import Figures
from telemetry.tables.month_sheets import together_sheet
from telemetry.tables.pool_lines import largest_first, pools_sheet, steps_sheet
from telemetry.views.asked import Asked, UnableToAnswer
from telemetry.views.downloads import about
from telemetry.views.month_figures import missing_in, month_of

UNUSABLE = "paid_unusable"

LABELS = {**STEP_LABELS, UNUSABLE: "paid but not usable"}

WORST = 24
"""How many hours are listed behind one amount of the waterfall."""

HOURS, DAY_POOLS, STEP_POOLS = "hours", "day-pools", "step-pools"
"""The sheets of what is behind a number."""


@dataclass(frozen=True, slots=True)
class Behind:
    """A heading and the hours; ``dated``: they are of several days."""

    heading: str
    parts: Sequence[by_step.Part]
    dated: bool


@dataclass(frozen=True, slots=True)
class DayOfPools:
    """One day of several pools: its hours together, and each pool's sums with the hours that were never collected."""

    parts: Sequence[by_step.Part]
    figures: Figures
    missing: Mapping[int, int]


def step_asked(request: HttpRequest) -> str:
    """The step of ``?step=``, blank for none; UnableToAnswer for one that is not in any waterfall."""
    step = request.GET.get("step", "")
    if step and step not in LABELS:
        raise UnableToAnswer(404, "No such step", f"“{step[:40]}” is not a step of the waterfall.")
    return step


def hours_behind(asked: Asked, step: str, hours: Iterable[LedgerHour]) -> Behind | None:
    """The hours of ``?day=``, or of the month, those with most of ``?step=`` first; None when neither was asked for."""
    if asked.day:
        period = asked.days[asked.day]
        parts = by_step.hour_parts([row for row in hours if row.hour in period], period, asked.until)
        return Behind(f"Hours of {notation.day(asked.day)}", parts, dated=False)
    if not step:
        return None
    ranked = sorted(hours, key=lambda row: (-abs(_amount(row, step)), row.hour))[:WORST]
    parts = [by_step.hour_part(row) for row in ranked if _amount(row, step)]
    return Behind(f"Hours with most “{LABELS[step]}”", parts, dated=True)


def day_of_pools(asked: Asked) -> DayOfPools | None:
    """The day of ``?day=`` of the pools that are shown; None when no day was asked for."""
    if not asked.day:
        return None
    period = asked.days[asked.day]
    found = {row.hour: row.totals for row in fleet_hours(pool_ids=asked.ids, period=period)}
    each = totals_by_pool(pool_ids=asked.ids, periods={asked.day: period})
    of_day = {pool_id: sums for (pool_id, _), sums in each.items()}
    return DayOfPools(
        parts=by_step.part_hours(period, found, asked.until, len(asked.shown)),
        figures=Figures(asked.month, {pool.id: pool.name for pool in asked.shown}, of_day, {}),
        missing=missing_in(period, asked.until, of_day, asked.ids),
    )


def sheet_behind(request: HttpRequest, name: str) -> Callable[[Asked], Sheet] | None:
    """One of the tables of what is behind a number, by its name; None where there is none of that name."""
    build = SHEETS.get(name)
    if build is None:
        return None
    step = step_asked(request)

    def built(asked: Asked) -> Sheet:
        sheet = build(asked, step)
        if sheet is None:
            raise UnableToAnswer(
                404, "No such table", "It is the table of a day or of a step: name one in the address."
            )
        return sheet

    return built


def _hours(asked: Asked, step: str) -> Sheet | None:
    if asked.pool is None:
        day = day_of_pools(asked)
        return day and together_sheet(HOURS, "Hours together", day.parts, about(asked, step))
    hours = ledger_hours(pool_id=asked.ids[0], period=asked.period, with_queues=False)
    behind = hours_behind(asked, step, hours)
    return behind and together_sheet(HOURS, behind.heading, behind.parts, about(asked, step))


def _day_pools(asked: Asked, step: str) -> Sheet | None:
    day = None if asked.pool else day_of_pools(asked)
    if day is None:
        return None
    nothing = Figures(asked.month, {}, {}, {})
    pools = largest_first(asked.shown, day.figures)
    return pools_sheet(pools, day.figures, nothing, day.missing, about(asked, step))


def _step_pools(asked: Asked, step: str) -> Sheet | None:
    if asked.pool or not step:
        return None
    return steps_sheet(asked.shown, month_of(asked).now, step, about(asked, step))


SHEETS: dict[str, Callable[[Asked, str], Sheet | None]] = {
    HOURS: _hours,
    DAY_POOLS: _day_pools,
    STEP_POOLS: _step_pools,
}


def _amount(row: LedgerHour, step: str) -> int:
    return row.paid - row.reserved if step == UNUSABLE else hour_steps(row)[step] or 0
