from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from scheduler.services.exceptions import lapse_exceptions

KEYS = ("request", "why")


class Command(BaseCommand):
    help = "Let requests lapse whose approval, decision date or price is past its limit. Nothing is ever approved."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        now = timezone.now()
        rows = [{"request": one.request_id, "why": one.why} for one in lapse_exceptions(at=now)]
        if options["format"] == "json":
            text = json_text({"as_of": now, "lapsed": rows}) + "\n"
        else:
            text = csv_text(rows, KEYS) if options["format"] == "csv" else table_text(rows, KEYS)
        self.stdout.write(text, ending="")
