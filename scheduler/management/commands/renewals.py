from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from reservations.selectors.organisation import accounting_zone
from reservations.tables.sheet import sheet_csv
from reservations.tables.writing import FORMATS, json_text, table_text
from scheduler.domain.renewal.standing import RenewalState
from scheduler.selectors.renewals import RenewalRow, renewal_rows
from scheduler.tables.renewals.told import renewal_told, renewals_sheet

SHOWN = ("reservation", "owner", "end", "decision_date", "state", "choice", "nodes", "possible")


class Command(BaseCommand):
    help = "List what follows each end: by when it is decided, what is decided, what is still possible."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--owner", default="", help="of this team alone")
        parser.add_argument("--state", choices=[state.value for state in RenewalState], help="in this state alone")
        parser.add_argument("--within", type=int, metavar="DAYS", help="to be decided, or to end, within so many days")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        now, zone = timezone.now(), accounting_zone()
        today, form = now.astimezone(zone).date(), options["format"]
        rows = [row for row in renewal_rows(as_of=now, zone=zone) if _asked(row, options)]
        if options["within"] is not None:
            last = today + timedelta(days=options["within"])
            rows = [row for row in rows if (row.decide_on or row.end_at.astimezone(zone).date()) <= last]
        sheet = renewals_sheet(((row, True) for row in rows), today=today)
        if form == "json":
            told = [renewal_told(row, today=today) for row in rows]
            text = json_text({"as_of": now, "renewals": told}) + "\n"
        elif form == "csv":
            text = sheet_csv(sheet)
        else:
            lines = [dict(zip(sheet.names, row, strict=True)) for row in sheet.rows]
            text = table_text([{name: line[name] for name in SHOWN} for line in lines], SHOWN)
        self.stdout.write(text, ending="")


def _asked(row: RenewalRow, options: dict[str, Any]) -> bool:
    return options["owner"] in ("", row.reservation.owner) and options["state"] in (None, row.state.value)
