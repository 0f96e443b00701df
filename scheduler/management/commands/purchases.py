from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from reservations.domain.procurement.matching import Fate
from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from scheduler.selectors.exception_purchases import purchases
from scheduler.tables.purchases_told import PURCHASE_KEYS, purchase_told


class Command(BaseCommand):
    help = "Hold what was bought against what was approved: as approved, otherwise, not bought, or never approved."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--fate", choices=[fate.value for fate in Fate], help="of this fate alone")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        now = timezone.now()
        told = [purchase_told(one) for one in purchases(as_of=now) if options["fate"] in (None, one.fate.value)]
        lines = [{**line, "differences": "; ".join(line["differences"])} for line in told]
        if options["format"] == "json":
            text = json_text({"as_of": now, "purchases": told}) + "\n"
        elif options["format"] == "csv":
            text = csv_text(lines, PURCHASE_KEYS)
        else:
            text = table_text(lines, PURCHASE_KEYS)
        self.stdout.write(text, ending="")
