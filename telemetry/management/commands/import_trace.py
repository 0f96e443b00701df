from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.selectors.pools import UnableToFindPool, pool_named
from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from telemetry.domain.trace import TraceKind
from telemetry.services.traces import Imported, UnableToImport, import_trace

COLUMNS = ("pool", "kind", "source", "hours", "stored", "unchanged", "hours_missing")


class Command(BaseCommand):
    help = "Import hourly usage or demand of a pool from a CSV file: all of it or nothing, safe to repeat."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--pool", required=True)
        parser.add_argument("--kind", choices=[kind.value for kind in TraceKind], help="without it the header decides")
        parser.add_argument("--gpus-per-node", help="for a demand file that counts GPUs; else the pool's own figure")
        parser.add_argument("--force", action="store_true", help="replace hours that stand from another source")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            imported = import_trace(
                path=options["file"],
                pool=pool_named(options["pool"]),
                as_of=timezone.now(),
                kind=TraceKind(options["kind"]) if options["kind"] else None,
                gpus_per_node=_gpus(options["gpus_per_node"]),
                force=options["force"],
            )
        except (UnableToImport, UnableToFindPool) as unable:
            raise CommandError(str(unable)) from unable
        row = _row(options["pool"], imported)
        form = options["format"]
        texts = {"csv": csv_text, "table": table_text}
        self.stdout.write(json_text(row) if form == "json" else texts[form]([row], COLUMNS))
        if imported.missing:
            count, first = len(imported.missing), imported.missing[0]
            self.stderr.write(
                f"{count} hours in the middle are missing, the first at {first:%Y-%m-%dT%H:%MZ}: not zero"
            )


def _row(pool: str, imported: Imported) -> dict[str, object]:
    return {
        "pool": pool,
        "kind": imported.kind.value,
        "source": imported.source,
        "hours": imported.hours,
        "stored": imported.stored,
        "unchanged": imported.unchanged,
        "hours_missing": len(imported.missing),
    }


def _gpus(text: str | None) -> Decimal | None:
    try:
        gpus = None if text is None else Decimal(text)
    except InvalidOperation as error:
        raise CommandError(f"--gpus-per-node is “{text}”: give a number") from error
    if gpus is not None and not (gpus.is_finite() and 0 < gpus <= 1024):
        raise CommandError(f"--gpus-per-node is {gpus}: a node has more than 0 and at most 1024")
    return gpus
