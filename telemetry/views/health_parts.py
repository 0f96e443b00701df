"""What each part of the data page shows."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.http import HttpRequest
from django.urls import reverse

from reservations.domain import notation
from reservations.domain.period import Period
from reservations.selectors.pools import PoolRow
from reservations.views.answers import UnableToAnswer
from reservations.views.paging import Paged
from telemetry.domain.day_coverage import CoverageDay, days_until
from telemetry.domain.recollection import LONGEST
from telemetry.selectors.doubts import MISSING, DoubtRun, doubt_runs
from telemetry.selectors.recollections import recollection_rows
from telemetry.selectors.runs import recent_runs
from telemetry.selectors.sources import source_freshness
from telemetry.selectors.suspects import suspect_devices
from telemetry.selectors.totals import totals_by_day
from telemetry.tables.coverage import LEGEND, WEEKDAYS, coverage_days, coverage_months, three_months
from telemetry.tables.health import DOUBT_WORDS, coverage_sheet
from telemetry.tables.sources import source_rows
from telemetry.views.health_asked import HealthAsked

STRIPS = 20
STRIP_DAYS = 31
ROWS = 25


@dataclass(frozen=True, slots=True)
class Strip:
    """One pool's days in a row; ``months`` are the addresses of the months they lie in, by ``YYYY-MM``."""

    pool: PoolRow
    cells: Sequence[tuple[CoverageDay, str]]


@dataclass(frozen=True, slots=True)
class DoubtRow:
    """A run of hours in doubt; ``again`` is what one click collects again, None where the person may not.

    ``address`` is where its first hour is shown: by itself, or where there is no such hour, in its day.
    """

    run: DoubtRun
    pool: PoolRow
    again: Period | None
    address: str

    @property
    def whole(self) -> bool:
        """Whether one click covers all of it."""
        return self.again == self.run.period


def overview_part(asked: HealthAsked, request: HttpRequest) -> dict[str, object]:
    """The sources, and the coverage of every pool by day or of one pool by month."""
    rows = source_rows(source_freshness(as_of=asked.as_of), [pool.id for pool in asked.pools], asked.everything)
    return {
        "metrics": [row for row in rows if not row.is_inventory],
        "inventory": [row for row in rows if row.is_inventory],
        "recollections": recollection_rows(pool_ids=asked.ids, limit=5, live=True),
        "legend": LEGEND,
        **(_strips(asked) if asked.pool is None else _months(asked, asked.pool)),
    }


def hours_part(asked: HealthAsked, request: HttpRequest) -> dict[str, object]:
    """Runs of hours that are flagged, missing or late to be final."""
    offset = (asked.page - 1) * ROWS
    found = doubt_runs(
        pool_ids=asked.ids, period=asked.period, as_of=asked.as_of, flag=asked.flag, limit=ROWS, offset=offset
    )
    names = {pool.id: pool for pool in asked.pools}
    return {
        "doubts": [_doubt(asked, run, names[run.pool_id]) for run in found.runs],
        "flags": sorted({*found.flags, *filter(None, [asked.flag])}),
        "key": uuid.uuid4().hex,
        "total": found.total,
        "paged": _paged(asked, found.total, "doubts"),
    }


def suspects_part(asked: HealthAsked, request: HttpRequest) -> dict[str, object]:
    """Devices whose values are not to be believed."""
    offset = (asked.page - 1) * ROWS
    devices, total = suspect_devices(pool_ids=asked.ids, period=asked.period, limit=ROWS, offset=offset)
    names = {pool.id: pool.name for pool in asked.pools}
    return {
        "devices": [(one, names[one.pool_id], DOUBT_WORDS[one.what], one.until - one.since) for one in devices],
        "paged": _paged(asked, total, "suspects"),
    }


def collection_part(asked: HealthAsked, request: HttpRequest) -> dict[str, object]:
    """The form that asks for hours once more, what was asked, and what the collector did of late."""
    runs = recent_runs(pool_ids=asked.ids, since=asked.period.start, limit=ROWS + 1, offset=(asked.page - 1) * ROWS)
    if asked.page > 1 and not runs:
        raise UnableToAnswer(404, "No such page", f"There is no page {asked.page} of what was collected.")
    return {
        "recollections": recollection_rows(pool_ids=asked.ids, limit=10),
        "runs": runs[:ROWS],
        "more": len(runs) > ROWS,
        "key": uuid.uuid4().hex,
        "longest": LONGEST.days,
        **_prefilled(asked, request),
    }


def _prefilled(asked: HealthAsked, request: HttpRequest) -> dict[str, object]:
    """What the form begins with: what the address says, else yesterday."""
    today = asked.as_of.astimezone(asked.zone).date()
    yesterday = today - timedelta(days=1)
    return {
        "form_from": request.GET.get("from", "")[:25] or f"{yesterday}T00:00",
        "form_to": request.GET.get("to", "")[:25] or f"{today}T00:00",
        "form_force": bool(request.GET.get("force")),
    }


def _strips(asked: HealthAsked) -> dict[str, object]:
    page = asked.paged(len(asked.pools), STRIPS, "coverage")
    pools = asked.pools[page.start : page.end]
    days = days_until(asked.as_of, STRIP_DAYS)
    totals = totals_by_day(pool_ids=[pool.id for pool in pools], period=whole_days(days))
    return {
        "strips": [Strip(pool, _linked(pool, coverage_days(pool.id, days, totals, asked.as_of))) for pool in pools],
        "days": days,
        "paged": page,
    }


def _months(asked: HealthAsked, pool: PoolRow) -> dict[str, object]:
    days = three_months(asked.as_of.date())
    totals = totals_by_day(pool_ids=[pool.id], period=whole_days(days))
    told = coverage_days(pool.id, days, totals, asked.as_of)
    return {
        "months": [
            (one, reverse("telemetry:pool-month", args=[pool.name, f"{one.month:%Y-%m}"]))
            for one in coverage_months(told)
        ],
        "weekdays": WEEKDAYS,
        "calendar": coverage_sheet({pool.name: [one for one in told if one.due]}),
    }


def _linked(pool: PoolRow, days: Sequence[CoverageDay]) -> list[tuple[CoverageDay, str]]:
    months = {one.day.replace(day=1) for one in days}
    addresses = {month: reverse("telemetry:pool-month", args=[pool.name, f"{month:%Y-%m}"]) for month in months}
    return [(one, f"{addresses[one.day.replace(day=1)]}?day={one.day}") for one in days]


def whole_days(days: Sequence[date]) -> Period:
    """The UTC days of a list of days in a row."""
    begins = datetime(days[0].year, days[0].month, days[0].day, tzinfo=UTC)
    return Period(begins, begins + timedelta(days=len(days)))


def _doubt(asked: HealthAsked, run: DoubtRun, pool: PoolRow) -> DoubtRow:
    first = run.period.start.astimezone(asked.zone)
    address = reverse("telemetry:pool-month", args=[pool.name, f"{first:%Y-%m}"]) + f"?day={first:%Y-%m-%d}#hours"
    if run.flag != MISSING:
        address = reverse("telemetry:pool-hour", args=[pool.name, f"{run.period.start:%Y-%m-%dT%H}"])
    if not asked.may_collect(pool):
        return DoubtRow(run, pool, None, address)
    return DoubtRow(run, pool, Period(max(run.period.start, run.period.end - LONGEST), run.period.end), address)


def _paged(asked: HealthAsked, total: int, anchor: str) -> Paged:
    """The page of rows that are counted as they are read: after the last one there is nothing to count."""
    if asked.page > 1 and not total:
        raise UnableToAnswer(404, "No such page", f"This list has no page {notation.grouped(asked.page)}.")
    return asked.paged(total, ROWS, anchor)
