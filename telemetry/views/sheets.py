"""The numbers of a pool's month as CSV: to the byte what ``manage.py usage --format csv`` prints."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from reservations.tables.writing import csv_text
from telemetry.domain.rollup import due_until
from telemetry.selectors.ledger import ledger_hours
from telemetry.tables.usage import COLUMNS, CUTS, usage_rows, usage_sums
from telemetry.views.asked import UnableToAnswer, answers_plainly, month_asked


@require_safe
@answers_plainly
def pool_sheet(request: HttpRequest, name: str, month: str, sheet: str, suffix: str) -> HttpResponse:
    """``/pools/NAME/YYYY-MM/by-hour.csv``: the rows of the command ``usage`` for one pool."""
    asked = month_asked(request, name=name, month=month, as_of=timezone.now())
    by = sheet.removeprefix("by-")
    if by not in CUTS or suffix != "csv":
        raise UnableToAnswer(404, "No such table", f"There is no table “{sheet}.{suffix}” of a month.")
    assert asked.pool
    hours = ledger_hours(pool_id=asked.pool.id, period=asked.period)
    sums = usage_sums(hours, asked.period, by=by, zone=asked.zone, until=due_until(asked.as_of))
    stem = f"moorage-{asked.pool.name}-{asked.month:%Y-%m}-by-{by}.csv"
    return HttpResponse(
        csv_text(usage_rows(asked.pool.name, sums), COLUMNS),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": content_disposition_header(True, stem)},
    )
