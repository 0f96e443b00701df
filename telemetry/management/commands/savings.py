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
from telemetry.selectors.double_pay import double_pay
from telemetry.selectors.savings import saved_by_pool
from telemetry.tables.savings import savings_sheet
from telemetry.tables.usage import usage_period


class Command(BaseCommand):
    help = "What reserving saved, how much of what ran was reserved, and what reserved time went to waste, in money."

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
        if not pools:
            raise CommandError("no pool is configured yet: see apply_config")
        due = Period(period.start, min(period.end, until))
        together, each = saved_by_pool(pools=pools, period=due, beside=double_pay(pools=pools, period=due))
        sheet, form = savings_sheet(together, each), options["format"]
        if form == "csv":
            text = sheet_csv(sheet)
        elif form == "json":
            about = usage_period(period, zone=accounting_zone_name(), until=until)
            text = json_text({"period": about, "rows": sheet_rows(sheet)})
        else:
            text = table_text(sheet_rows(sheet), sheet.names)
        self.stdout.write(text)
