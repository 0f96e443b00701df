from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.period import UnableToReadTime
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import UnableToFindPool, pool_named
from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from telemetry.domain.demand import UnableToUseDemand, told_nowhere
from telemetry.domain.rollup import due_until
from telemetry.management.period import asked_period
from telemetry.selectors.demand import demand_trace
from telemetry.tables.demand import COLUMNS, FILE_COLUMNS, demand_document, demand_rows, runs_of_hours

MOST_RUNS = 20
"""So many gaps are named one by one on a terminal; JSON has every hour."""


class Command(BaseCommand):
    help = "Nodes a pool needed, hour by hour and workload; as CSV a file that import_trace and size read."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pool", required=True)
        parser.add_argument("--month", help="YYYY-MM in the organisation's accounting zone")
        parser.add_argument("--from", dest="start", help="ISO 8601 with offset, on a whole hour")
        parser.add_argument("--to", dest="end", help="the first instant that no longer belongs to it")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            period = asked_period(options["month"], options["start"], options["end"], accounting_zone())
            pool = pool_named(options["pool"])
            trace = demand_trace(pool_id=pool.id, period=period)
        except (UnableToReadTime, UnableToFindPool, UnableToUseDemand) as unable:
            raise CommandError(str(unable)) from unable
        if not trace.hours:
            raise CommandError(f"no demand of “{pool.name}” is known in that time: see collect_usage and import_trace")
        missing = told_nowhere(trace, period, due_until(timezone.now()))
        rows, form = demand_rows(trace), options["format"]
        if form == "json":
            text = json_text(demand_document(trace, pool=pool.name, period=period, missing=missing))
        else:
            text = csv_text(rows, FILE_COLUMNS) if form == "csv" else table_text(rows, COLUMNS)
        self.stdout.write(text)
        self._say(missing, len(trace.bound_only))

    def _say(self, missing: Sequence[datetime], bound_only: int) -> None:
        if missing:
            runs = list(runs_of_hours(missing))
            more = f", and {len(runs) - MOST_RUNS} more gaps" if len(runs) > MOST_RUNS else ""
            self.stderr.write(f"{len(missing)} hours are missing, not zero: {', '.join(runs[:MOST_RUNS])}{more}")
        if bound_only:
            self.stderr.write(f"in {bound_only} hours what was queued is unknown: their demand is what was bound alone")
