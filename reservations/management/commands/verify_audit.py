import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from reservations.domain.audit_chain import UnableToReadHead, read_head
from reservations.services.audit.verifying import verify_audit
from reservations.tables.writing import csv_text, json_text, table_text

COLUMNS = ("holds", "events", "head", "row", "fault", "sentence")


class Command(BaseCommand):
    help = (
        "Whether the audit trail is as it was written; names the first row that was altered, is missing or stands"
        " elsewhere, and exits with 1 then."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=("json", "csv", "table"), default="json")
        parser.add_argument(
            "--head", action="store_true", help="print the head as COUNT:HASH alone, to be kept outside"
        )
        parser.add_argument(
            "--expect",
            action="append",
            default=[],
            metavar="COUNT:HASH",
            help="a head that was kept outside: the trail must still go through it; may be given more than once",
        )

    def handle(self, *args: object, **options: Any) -> None:
        try:
            expected = [read_head(text) for text in options["expect"]]
        except UnableToReadHead as unable:
            raise CommandError(str(unable)) from unable
        done = verify_audit(expected=expected)
        found, head = done.finding, done.head
        told = {
            "holds": found is None,
            "events": head.count if head else 0,
            "head": str(head) if head else None,
            "row": found.sequence if found else None,
            "fault": found.fault.value if found else None,
            "sentence": found.sentence if found else None,
        }
        if options["head"]:
            self.stdout.write(str(head) if head else "")
        else:
            writers = {"csv": csv_text, "table": table_text}
            form = options["format"]
            self.stdout.write(json_text(told) if form == "json" else writers[form]([told], COLUMNS))
        if found is not None:
            self.stderr.write(f"The audit trail does not hold: {found.sentence}.")
            sys.exit(1)
