from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from reservations.domain.procurement.request_state import RequestState
from reservations.selectors.exceptions import all_exception_rows
from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from scheduler.tables.exceptions_told import exception_told

SHOWN = (
    "id",
    "version",
    "state",
    "pool",
    "type",
    "requester",
    "nodes",
    "amount",
    "currency",
    "waiting_for",
    "decide_by",
)


class Command(BaseCommand):
    help = "List requests for exceptions from the procurement rule: where each stands and whom it waits for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--state", choices=[state.value for state in RequestState], help="in this state alone")
        parser.add_argument("--pool", default="", help="of this pool alone")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        states = [RequestState(options["state"])] if options["state"] else []
        rows = [row for row in all_exception_rows(states=states) if options["pool"] in ("", row.pool)]
        told = [exception_told(row) for row in rows]
        if options["format"] == "json":
            text = json_text({"as_of": timezone.now(), "exceptions": told}) + "\n"
        else:
            lines = [{**line, "waiting_for": " ".join(line["waiting_for"])} for line in told]
            names = list(lines[0]) if lines else list(SHOWN)
            text = csv_text(lines, names) if options["format"] == "csv" else table_text(_only(lines), SHOWN)
        self.stdout.write(text, ending="")


def _only(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: line[name] for name in SHOWN} for line in lines]
