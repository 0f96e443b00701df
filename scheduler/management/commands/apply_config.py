from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.change import Outcome
from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from scheduler.services.configuration import UnableToApply, apply_config

COLUMNS = ("kind", "name", "outcome", "fields")


class Command(BaseCommand):
    help = "Apply a configuration file (YAML); safe to repeat, and what the file leaves out is left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: object) -> None:
        try:
            applied = apply_config(path=Path(str(options["file"])), as_of=timezone.now())
        except UnableToApply as unable:
            raise CommandError(str(unable)) from unable
        rows = [
            {"kind": change.kind, "name": change.name, "outcome": change.outcome.value, "fields": list(change.fields)}
            for change in applied.changes
        ]
        counts = Counter(change.outcome for change in applied.changes)
        self.stdout.write(_written(rows, counts, str(options["format"])))
        for remark in applied.remarks:
            self.stderr.write(remark)
        self.stderr.write(", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome))


def _written(rows: list[dict[str, object]], counts: Counter[Outcome], form: str) -> str:
    if form == "csv":
        return csv_text(rows, COLUMNS)
    if form == "json":
        return json_text({**{outcome.value: counts[outcome] for outcome in Outcome}, "changes": rows})
    return table_text(rows, COLUMNS)
