from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.period import UnableToReadTime
from reservations.selectors.pools import UnableToFindPool, pool_named, pool_rows
from reservations.tables.sheet import sheet_csv
from reservations.tables.writing import FORMATS, json_text, table_text
from scheduler.management.periods import instant_asked
from scheduler.selectors.recommendations import RecommendationRow, recommendation_of_month
from scheduler.services.recommendations import recommend
from scheduler.tables.recommendations.told import recommendation_told, recommendations_sheet

SHOWN = ("pool", "action", "current_nodes", "proposed_nodes", "decides", "saving", "currency", "confidence")


class Command(BaseCommand):
    help = "Recommend for each pool whether to keep, grow, shrink or let lapse it, with the evidence kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--as-of", help="YYYY-MM-DD in the accounting zone, or an instant; now without it")
        parser.add_argument("--pool", help="this one alone")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        now = timezone.now()
        try:
            as_of = instant_asked(options["as_of"], now)
            pools = [pool_named(options["pool"])] if options["pool"] else pool_rows()
        except (UnableToFindPool, UnableToReadTime) as unable:
            raise CommandError(str(unable)) from unable
        made = recommend(as_of=as_of, made_at=now, pools=pools)
        rows = [recommendation_of_month(pool=one.pool, month=one.advice.case.month) for one in made]
        self.stdout.write(_written([row for row in rows if row is not None], as_of, options["format"]), ending="")
        new = sum(one.new for one in made)
        self.stderr.write(f"{new} of {len(made)} recommendations are new")


def _written(rows: list[RecommendationRow], as_of: datetime, form: str) -> str:
    if form == "json":
        told = [recommendation_told(row) for row in rows]
        return json_text({"as_of": as_of, "recommendations": told}) + "\n"
    sheet = recommendations_sheet([(row, True) for row in rows])
    if form == "csv":
        return sheet_csv(sheet)
    columns = [column.name for column in sheet.columns]
    lines = [dict(zip(columns, row, strict=True)) for row in sheet.rows]
    words = "".join(f"{row.pool.name}: {' '.join(row.reasons)}\n" for row in rows)
    return table_text([{name: line[name] for name in SHOWN} for line in lines], SHOWN) + words
