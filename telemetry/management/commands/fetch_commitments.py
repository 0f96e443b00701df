from dataclasses import asdict
from datetime import UTC, datetime

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reservations.tables.writing import FORMATS, csv_text, json_text
from telemetry.services.commitments import MOST_DAYS, Fetched, fetch_commitments


class Command(BaseCommand):
    help = (
        "Ask Cost Explorer how far commitments were used, of the accounts whose configuration says "
        "“cost_explorer: true”: each request costs money."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=30, help="so many whole UTC days before today; default 30")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, days: int, **options: object) -> None:
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days {days}: from 1 to {MOST_DAYS}, the days that Cost Explorer keeps")
        fetched = fetch_commitments(as_of=datetime.now(UTC), days=days)
        if not fetched:
            raise CommandError(
                "no account with a running commitment allows this: write “cost_explorer: true” to one, "
                "and its “commitments”, in a file for apply_config"
            )
        self.stdout.write(_written(fetched, str(options["format"])), ending="")
        failures = [said for one in fetched for said in one.failures.values()]
        for said in failures[1:]:
            self.stderr.write(said)
        if failures:
            raise CommandError(f"some of it stays unknown: {failures[0]}")


def _written(fetched: list[Fetched], form: str) -> str:
    if form == "json":
        return json_text({"accounts": [asdict(one) for one in fetched]}) + "\n"
    rows: list[dict[str, object]] = [
        {"account": one.account, "days": one.days, "requests": one.requests, "failed_calls": len(one.failures)}
        for one in fetched
    ]
    if form == "csv":
        return csv_text(rows, list(rows[0]))
    return "".join(f"{one.account}: {one.days} days of figures from {one.requests} requests\n" for one in fetched)
