"""Addresses of months, days and hours, with the filters of the page they stand on kept."""

from datetime import date, datetime

from django.http import HttpRequest
from django.urls import reverse

from telemetry.views.asked import Asked

FILTERS = ("owner", "without", "team", "zone", "day", "step", "columns")
"""What an address of these pages may ask for besides its place; all else is dropped on the way."""


def kept(request: HttpRequest, *, slot: str = "", **changed: str | None) -> str:
    """The query with the filters of this page, some of them changed or with None left out; blank without any.

    ``slot`` names one that a chart fills in where ``{}`` stands.
    """
    query = request.GET.copy()
    for key in [*query]:
        if key not in FILTERS or key == slot or not query[key]:
            del query[key]
    for key, value in changed.items():
        query.pop(key, None)
        if value is not None:
            query[key] = value
    said = [part for part in (query.urlencode(safe="/"), f"{slot}={{}}" if slot else "") if part]
    return f"?{'&'.join(said)}" if said else ""


def fleet_address(month: date) -> str:
    """The month of every pool."""
    return reverse("telemetry:fleet-month", kwargs={"month": f"{month:%Y-%m}"})


def pool_address(name: str, month: date) -> str:
    """The month of one pool."""
    return reverse("telemetry:pool-month", kwargs={"name": name, "month": f"{month:%Y-%m}"})


def month_address(asked: Asked) -> str:
    """The month that was asked for, of its pool or of every one."""
    return fleet_address(asked.month) if asked.pool is None else pool_address(asked.pool.name, asked.month)


def hour_address(name: str, hour: datetime) -> str:
    """One UTC hour of one pool."""
    return reverse("telemetry:pool-hour", kwargs={"name": name, "hour": f"{hour:%Y-%m-%dT%H}"})


def hour_template(name: str) -> str:
    """The address of a pool's hours with ``{}`` where the hour stands: what a chart fills in."""
    return reverse("telemetry:pool-hour", kwargs={"name": name, "hour": "0"}).removesuffix("0/") + "{}/"


def more_address(asked: Asked) -> str:
    """The part of a month's page that is fetched when it comes into view."""
    if asked.pool is None:
        return reverse("telemetry:fleet-figures", kwargs={"month": f"{asked.month:%Y-%m}"})
    return reverse("telemetry:pool-figures", kwargs={"name": asked.pool.name, "month": f"{asked.month:%Y-%m}"})


def week_address(asked: Asked) -> str:
    """The hours of the week by themselves; of one pool they stand among its other further figures."""
    if asked.pool is None:
        return reverse("telemetry:fleet-week", kwargs={"month": f"{asked.month:%Y-%m}"})
    return more_address(asked)


def money_address(asked: Asked) -> str:
    """What is told of money beside the further figures, which is fetched by itself."""
    return f"{more_address(asked)}money/"


def sheet_address(asked: Asked, sheet: str, suffix: str) -> str:
    """The download of one table of a month."""
    parts = {"month": f"{asked.month:%Y-%m}", "sheet": sheet, "suffix": suffix}
    if asked.pool is None:
        return reverse("telemetry:fleet-sheet", kwargs=parts)
    return reverse("telemetry:pool-sheet", kwargs={"name": asked.pool.name, **parts})


def halves(address: str) -> list[str]:
    """What stands before and after the place that a row or a chart fills in."""
    return address.split("{}", 1)
