import getpass
from argparse import ArgumentParser
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.period import UnableToReadTime, month_period, read_instant, read_month
from reservations.selectors.audit import TrailFilter, trail_events, trail_head
from reservations.selectors.evidence import evidence_of
from reservations.selectors.organisation import accounting_zone
from reservations.services.audit.exporting import exported_events, record_export
from reservations.tables.audit import audit_sheet, event_lines
from reservations.tables.audit_evidence import pack_documents
from reservations.tables.evidence_pack import evidence_pack
from reservations.tables.sheet import sheet_csv


class Command(BaseCommand):
    help = "The audit trail as JSON Lines or CSV, or everything about one object as an evidence pack."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--month", metavar="YYYY-MM", help="of one month by the accounting zone")
        parser.add_argument("--from", dest="start", metavar="INSTANT", help="ISO 8601 with offset")
        parser.add_argument("--to", dest="end", metavar="INSTANT", help="up to before this instant")
        parser.add_argument("--act", default="", help="of one act, as log_in_failed")
        parser.add_argument("--person", default="", help="of one log-in")
        parser.add_argument("--about", default="", help="of one kind of object, as exception_request")
        parser.add_argument("--ident", default="", help="of one object of that kind")
        parser.add_argument("--format", choices=("jsonl", "csv", "pack"), default="jsonl")
        parser.add_argument("--output", metavar="FILE", help="a file to write; without it, standard output")

    def handle(self, *args: object, **options: Any) -> None:
        asked = _asked(options)
        if options["format"] == "pack":
            self._pack(asked, options["output"])
            return
        if options["format"] == "csv":
            self._write(options["output"], sheet_csv(audit_sheet(exported_events(asked=asked, form="csv") or [])))
            return
        output, rows = options["output"], 0
        with Path(output).open("w", encoding="utf-8") if output else nullcontext(self.stdout) as place:
            for line in event_lines(trail_events(asked)):
                rows += 1
                place.write(line)
        record_export(asked=asked, form="jsonl", rows=rows)

    def _pack(self, asked: TrailFilter, output: str | None) -> None:
        if not (asked.about and asked.ident):
            raise CommandError("a pack is of one object: name its kind with --about and which with --ident")
        if not output:
            raise CommandError("a pack is a ZIP file: say where with --output FILE")
        events = exported_events(asked=TrailFilter(about=asked.about, ident=asked.ident), form="pack") or []
        body = evidence_pack(
            pack_documents(evidence_of(asked.about, asked.ident), events),
            about=asked.about,
            ident=asked.ident,
            head=trail_head(),
            made_at=timezone.now(),
            made_by=getpass.getuser(),
        )
        Path(output).write_bytes(body)
        self.stderr.write(f"{output}: {len(events)} events of {asked.about} {asked.ident}")

    def _write(self, output: str | None, text: str) -> None:
        if output:
            Path(output).write_text(text, encoding="utf-8")
        else:
            self.stdout.write(text, ending="")


def _asked(options: dict[str, Any]) -> TrailFilter:
    start: datetime | None = None
    end: datetime | None = None
    try:
        if options["month"]:
            if options["start"] or options["end"]:
                raise CommandError("give --month or --from and --to, not both")
            month = month_period(read_month(options["month"]), accounting_zone())
            start, end = month.start, month.end
        else:
            start = read_instant(options["start"]) if options["start"] else None
            end = read_instant(options["end"]) if options["end"] else None
    except UnableToReadTime as unable:
        raise CommandError(str(unable)) from unable
    if start and end and end <= start:
        raise CommandError(f"--to must be after --from, and {options['end']} is not after {options['start']}")
    return TrailFilter(start, end, options["act"], options["person"], options["about"], options["ident"])
