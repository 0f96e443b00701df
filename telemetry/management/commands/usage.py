from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.period import Period, UnableToReadTime
from reservations.selectors.organisation import accounting_zone, accounting_zone_name
from reservations.selectors.pools import PoolRow, UnableToFindPool, pool_named, pool_rows
from reservations.tables.writing import csv_text, json_text, table_text
from telemetry.domain.rollup import LedgerSum, due_until
from telemetry.management.period import add_period_options, asked_period
from telemetry.selectors.ledger import ledger_hours
from telemetry.tables.usage import COLUMNS, CUTS, usage_period, usage_rows, usage_sums


@dataclass(frozen=True, slots=True)
class _Asked:
    pools: Sequence[PoolRow]
    period: Period
    by: str | None
    zone: tzinfo
    until: datetime


class Command(BaseCommand):
    help = "What became of the reserved GPU time of one pool or all: a month, or hours from one instant to another."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_period_options(parser)
        parser.add_argument("--by", choices=CUTS, help="one row for each; one for the whole without it")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            zone = accounting_zone()
            period = asked_period(options["month"], options["start"], options["end"], zone)
            pools = [pool_named(options["pool"])] if options["pool"] else pool_rows()
        except (UnableToReadTime, UnableToFindPool) as unable:
            raise CommandError(str(unable)) from unable
        asked = _Asked(pools, period, options["by"], zone, due_until(timezone.now()))
        rows = [row for pool in pools for row in usage_rows(pool.name, _sums(pool, asked))]
        self.stdout.write(_written(rows, asked, options["format"]))
        if not pools:
            self.stderr.write("no pool is configured yet: see apply_config")


def _sums(pool: PoolRow, asked: _Asked) -> list[LedgerSum]:
    hours = ledger_hours(pool_id=pool.id, period=asked.period)
    return usage_sums(hours, asked.period, by=asked.by, zone=asked.zone, until=asked.until)


def _written(rows: list[dict[str, object]], asked: _Asked, form: str) -> str:
    if form == "csv":
        return csv_text(rows, COLUMNS)
    if form == "json":
        about = usage_period(asked.period, zone=accounting_zone_name(), until=asked.until)
        return json_text({"period": about, "rows": rows})
    return table_text(rows, COLUMNS, titles={name: name.removesuffix("_gpu_hours") for name in COLUMNS})
