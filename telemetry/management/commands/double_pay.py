from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.period import Period, UnableToReadTime
from reservations.selectors.organisation import accounting_zone, accounting_zone_name
from reservations.selectors.pools import UnableToFindPool, pool_named, pool_rows
from reservations.tables.sheet import sheet_csv, sheet_rows
from reservations.tables.writing import json_text, table_text
from telemetry.domain.rollup import due_until
from telemetry.management.period import add_period_options, asked_period
from telemetry.selectors.double_pay import PaidTwiceFound, double_pay
from telemetry.tables.double_pay import (
    POOL_COLUMNS,
    double_pay_sheet,
    double_pay_summary,
    pool_paid_twice,
    pool_row,
    why_no_double_pay,
)
from telemetry.tables.usage import usage_period


class Command(BaseCommand):
    help = "What was paid twice: instances on demand while slots that fit them were free; as CSV one line an instance."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_period_options(parser)

    def handle(self, *args: object, **options: Any) -> None:
        try:
            period = asked_period(options["month"], options["start"], options["end"], accounting_zone())
            pools = [pool_named(options["pool"])] if options["pool"] else pool_rows()
        except (UnableToReadTime, UnableToFindPool) as unable:
            raise CommandError(str(unable)) from unable
        until = due_until(timezone.now())
        if until <= period.start:
            raise CommandError("no hour of that time is over yet")
        due = Period(period.start, min(period.end, until))
        found = double_pay(pools=pools, period=due)
        rows = [pool_row(pool_paid_twice(pool.id, pool.name, found)) for pool in pools]
        form = options["format"]
        if form == "csv":
            self.stdout.write(sheet_csv(double_pay_sheet(found)))
        elif form == "json":
            about = usage_period(period, zone=accounting_zone_name(), until=until)
            self.stdout.write(json_text({"period": about, "pools": rows, "rows": sheet_rows(double_pay_sheet(found))}))
        else:
            self.stdout.write(table_text(rows, POOL_COLUMNS))
        self._say(found)

    def _say(self, found: PaidTwiceFound) -> None:
        why, then = why_no_double_pay(found)
        self.stderr.write(" ".join(filter(None, (why or double_pay_summary(found), then))))
