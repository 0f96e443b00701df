"""The tables of the data pages as files, with the filters of the page they stand on."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.tables.sheet import Sheet
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.downloads import sheet_response
from telemetry.selectors.doubts import doubt_runs
from telemetry.selectors.recollections import recollection_rows
from telemetry.selectors.runs import recent_runs
from telemetry.selectors.sources import source_freshness
from telemetry.selectors.suspects import suspect_devices
from telemetry.selectors.totals import totals_by_day
from telemetry.tables.coverage import coverage_days, three_months
from telemetry.tables.health import (
    coverage_sheet,
    doubts_sheet,
    recollections_sheet,
    runs_sheet,
    sources_sheet,
    suspects_sheet,
)
from telemetry.tables.sources import source_rows
from telemetry.views.health_asked import HealthAsked, health_asked
from telemetry.views.health_parts import whole_days

MOST_ROWS = 50_000


@require_safe
@answers_plainly
def health_sheet(request: HttpRequest, sheet: str, suffix: str) -> HttpResponse:
    """``/health/data/flagged.csv?pool=NAME&days=31``: all rows of one table."""
    made = SHEETS.get(sheet)
    if made is None:
        raise UnableToAnswer(404, "No such table", f"There is no table “{sheet[:40]}” here: {', '.join(SHEETS)}.")
    asked = health_asked(request)
    return sheet_response(made(asked), suffix, f"moorage-data-{sheet}-{asked.as_of:%Y-%m-%d}")


def _about(asked: HealthAsked, **more: str) -> tuple[tuple[str, str], ...]:
    return (
        ("as of", notation.instant(asked.as_of)),
        ("pools", asked.pool.name if asked.pool else "all that this person may see"),
        *more.items(),
        ("taken by", asked.person.name),
    )


def _looked_back(asked: HealthAsked) -> dict[str, str]:
    return {"from": notation.instant(asked.period.start), "until": notation.instant(asked.period.end)}


def _sources(asked: HealthAsked) -> Sheet:
    states = source_freshness(as_of=asked.as_of)
    rows = source_rows(states, [pool.id for pool in asked.pools], asked.everything) if _sees(asked) else []
    return sources_sheet(rows, _about(asked))


def _sees(asked: HealthAsked) -> bool:
    return bool(asked.pools) or asked.everything


def _calendar(asked: HealthAsked) -> Sheet:
    days = three_months(asked.as_of.date())
    totals = totals_by_day(pool_ids=asked.ids, period=whole_days(days))
    told = {pool.name: coverage_days(pool.id, days, totals, asked.as_of) for pool in asked.shown}
    past = {name: [one for one in each if one.due] for name, each in told.items()}
    return coverage_sheet(past, _about(asked, days="UTC"))


def _flagged(asked: HealthAsked) -> Sheet:
    found = doubt_runs(pool_ids=asked.ids, period=asked.period, as_of=asked.as_of, flag=asked.flag, limit=MOST_ROWS)
    about = _about(asked, flag=asked.flag or "any", **_looked_back(asked))
    return doubts_sheet(found.runs, {pool.id: pool.name for pool in asked.pools}, about)


def _suspects(asked: HealthAsked) -> Sheet:
    devices, _ = suspect_devices(pool_ids=asked.ids, period=asked.period, limit=MOST_ROWS)
    names = {pool.id: pool.name for pool in asked.pools}
    return suspects_sheet(devices, names, _about(asked, **_looked_back(asked)))


def _runs(asked: HealthAsked) -> Sheet:
    runs = recent_runs(pool_ids=asked.ids, since=asked.period.start, limit=MOST_ROWS)
    return runs_sheet(runs, _about(asked, **_looked_back(asked)))


def _recollections(asked: HealthAsked) -> Sheet:
    return recollections_sheet(recollection_rows(pool_ids=asked.ids, limit=MOST_ROWS), _about(asked))


SHEETS: dict[str, Callable[[HealthAsked], Sheet]] = {
    "sources": _sources,
    "calendar": _calendar,
    "flagged": _flagged,
    "suspects": _suspects,
    "runs": _runs,
    "recollections": _recollections,
}
