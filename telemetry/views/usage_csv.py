"""The numbers of a pool's month as CSV, from the same sums as the page."""

import csv
from collections.abc import Callable
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from telemetry.domain.ledger import LedgerHour
from telemetry.domain.rollup import LedgerSum, by_day, by_hour, due_until, roll_up
from telemetry.selectors.ledger import ledger_hours
from telemetry.tables.usage import COLUMNS, usage_rows
from telemetry.views.asked import Asked, UnableToAnswer, answers_plainly, month_asked

Grain = Callable[[Asked, list[LedgerHour], datetime], list[LedgerSum]]

GRAINS: dict[str, Grain] = {
    "hour": lambda asked, hours, until: by_hour(hours=hours, period=asked.period, until=until),
    "day": lambda asked, hours, until: by_day(hours=hours, period=asked.period, zone=asked.zone, until=until),
    "month": lambda asked, hours, until: [roll_up(hours=hours, period=asked.period, until=until)],
}


@require_safe
@answers_plainly
def usage_csv(request: HttpRequest) -> HttpResponse:
    """``/usage.csv?pool=NAME&month=YYYY-MM&by=hour|day|month``: the columns of the command ``usage``."""
    asked = month_asked(request, as_of=timezone.now())
    by = request.GET.get("by", "hour")
    if by not in GRAINS:
        raise UnableToAnswer(400, "Cut by what?", f"“{by}” is not hour, day or month.")
    if asked.pool is None:
        raise UnableToAnswer(404, "No pool", "There is no pool that you may see.")
    hours = ledger_hours(pool_id=asked.pool.id, period=asked.period)
    sums = GRAINS[by](asked, hours, due_until(asked.as_of))
    name = f"moorage-{asked.pool.name}-{asked.month:%Y-%m}-by-{by}.csv"
    response = HttpResponse(
        content_type="text/csv; charset=utf-8", headers={"Content-Disposition": content_disposition_header(True, name)}
    )
    rows = csv.writer(response)
    rows.writerow(COLUMNS)
    rows.writerows([_written(row[name]) for name in COLUMNS] for row in usage_rows(asked.pool.name, sums))
    return response


def _written(value: object) -> object:
    """An empty cell for what is unknown, flags parted by spaces, instants with Z."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M:%SZ}"
    if isinstance(value, list):
        return " ".join(str(flag) for flag in value)
    return value
