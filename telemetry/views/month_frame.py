"""What stands around every month: where one is, what it spans, how old the data are, and the way to its neighbours."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from django.http import HttpRequest

from reservations.domain import notation
from reservations.domain.period import HOUR
from reservations.selectors.inventory_as_of import inventory_as_of
from telemetry.selectors.as_of import PoolReach, reach_by_pool
from telemetry.tables.sources import LATE_AFTER
from telemetry.views.addresses import fleet_address, kept, pool_address
from telemetry.views.asked import Asked

NO_SOURCE = "no metrics source"


@dataclass(frozen=True, slots=True)
class SourceAge:
    """One metrics source and the end of the newest hour it gave; ``late``: an hour that was due is not there."""

    name: str
    until: datetime | None
    late: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another month."""

    label: str
    address: str


def month_frame(request: HttpRequest, asked: Asked) -> dict[str, object]:
    """The context all pages of a month share."""
    reach = reach_by_pool(pool_ids=asked.ids)
    inventory_at = inventory_as_of()
    months = _months(asked, reach)
    return {
        "section": "month",
        "asked": asked,
        "reach": reach,
        "sources": _ages(asked, reach),
        "inventory_at": inventory_at,
        "inventory_late": inventory_at is not None and asked.as_of - inventory_at > LATE_AFTER["inventory"],
        "hours": (asked.period.end - asked.period.start) // HOUR,
        "hours_due": (asked.until - asked.period.start) // HOUR,
        "months": months,
        "earlier": _neighbour(request, asked, asked.month_before) if asked.month > months[-1] else None,
        "later": _neighbour(request, asked, _month_after(asked.month)) if asked.month < months[0] else None,
        "presets": _presets(request, asked, months),
        "month_key": f"{asked.month:%Y-%m}",
        "here": kept(request, day=None, step=None),
        "everybody": kept(request, owner=None, without=None, team=None, day=None, step=None) or "?",
        "crumbs": month_crumbs(request, asked),
    }


def month_crumbs(request: HttpRequest, asked: Asked, *below: str) -> list[tuple[str, str]]:
    """From all pools down to what is shown; ``below``: names of what stands under the month or its day."""
    month = kept(request, day=None)
    here = fleet_address(asked.month)
    # a team that borrows may own no pool, and then all pools can't be narrowed to it
    every = month if asked.owner in asked.owners else kept(request, day=None, owner=None)
    crumbs = [(f"All pools, {notation.month(asked.month)}", f"{here}{every}")]
    if asked.pool is not None:
        here = pool_address(asked.pool.name, asked.month)
        crumbs.append((f"{asked.pool.name}, {notation.month(asked.month)}", f"{here}{month}"))
    if asked.day is not None:
        day = kept(request, day=asked.day.isoformat())
        crumbs.append((notation.day_of_month(asked.day), f"{here}{day}#hours"))
    crumbs += [(label, "") for label in below]
    return [*crumbs[:-1], (crumbs[-1][0], "")]


def _ages(asked: Asked, reach: Mapping[int, PoolReach]) -> list[SourceAge]:
    """The sources of what is shown, by name; one is as late as the latest of its pools."""
    by_source: dict[str, list[PoolReach]] = {}
    for one in reach.values():
        by_source.setdefault(one.source, []).append(one)
    ages = []
    for name, pools in sorted(by_source.items()):
        ends = [pool.ledger_until for pool in pools if pool.ledger_until is not None]
        late = any(end < asked.until for end in ends) or len(ends) < len(pools)
        ages.append(SourceAge(name or NO_SOURCE, max(ends, default=None), late))
    return ages


def _months(asked: Asked, reach: Mapping[int, PoolReach]) -> list[date]:
    """The months to choose from, newest first: from the first that was collected, and the one on the page."""
    newest = asked.as_of.astimezone(asked.zone).date().replace(day=1)
    firsts = [one.first_hour.astimezone(asked.zone).date() for one in reach.values() if one.first_hour]
    first = min([*firsts, newest]).replace(day=1)
    months = [newest]
    while months[-1] > first:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    return sorted({*months, asked.month}, reverse=True)


def _presets(request: HttpRequest, asked: Asked, months: list[date]) -> list[Neighbour]:
    """This month, the last one and the same a year before, as far as they are there and stand not beside it anyway."""
    this = asked.as_of.astimezone(asked.zone).date().replace(day=1)
    wanted = {
        "This month": this,
        "Last month": (this - timedelta(days=1)).replace(day=1),
        "A year before": asked.month.replace(year=asked.month.year - 1),
    }
    beside = {asked.month, asked.month_before, _month_after(asked.month)}
    return [
        replace(_neighbour(request, asked, month), label=label)
        for label, month in wanted.items()
        if month not in beside and months[-1] <= month <= months[0]
    ]


def _neighbour(request: HttpRequest, asked: Asked, month: date) -> Neighbour:
    address = fleet_address(month) if asked.pool is None else pool_address(asked.pool.name, month)
    return Neighbour(notation.month(month), f"{address}{kept(request, day=None)}")


def _month_after(month: date) -> date:
    return (month + timedelta(days=32)).replace(day=1)
