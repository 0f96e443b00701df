import time
from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.period import UnableToReadTime, read_instant
from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from scheduler.selectors.ending_blocks import ending_blocks
from scheduler.services.block_clock import Passed, watch_blocks
from scheduler.tables.block_clock.told import block_told

COLUMNS = ("reservation", "end", "usable_until", "no_admit_after", "id", "checkpoint_deadline", "state", "reason")
EVERY_SECONDS = 60


class Command(BaseCommand):
    help = "Ask jobs on blocks that end to stop in time, verify their checkpoints, and say how each of them stands."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="one pass; without it, one every minute until stopped")
        parser.add_argument(
            "--as-of",
            help="an instant like 2026-05-01T10:00Z, at which what is due then is done; one to come is only looked at; "
            "now without it",
        )
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        if options["as_of"] and not options["once"]:
            raise CommandError("--as-of is for one pass: add --once")
        try:
            as_of = read_instant(options["as_of"]) if options["as_of"] else None
        except UnableToReadTime as unable:
            raise CommandError(str(unable)) from unable
        try:
            while True:
                self._pass(as_of or timezone.now(), options["format"])
                if options["once"]:
                    return
                time.sleep(EVERY_SECONDS)
        except KeyboardInterrupt:
            self.stderr.write("stopped")

    def _pass(self, as_of: datetime, form: str) -> None:
        # Nobody is stopped ahead of time: a step dated in the future would keep every pass until then from its job.
        ahead = as_of > timezone.now()
        if ahead:
            passed = Passed(tuple(ending_blocks(as_of=as_of)), 0)
        else:
            passed = watch_blocks(as_of=as_of, clock=timezone.now, private=settings.PRIVATE_NETWORKS)
        self.stdout.write(_written(passed, as_of, form), ending="")
        self.stdout.flush()
        looked = "looked ahead: nothing was asked of anybody, and this is what would be due"
        self.stderr.write(looked if ahead else f"{passed.steps} steps were taken")


def _written(passed: Passed, as_of: datetime, form: str) -> str:
    blocks = [block_told(block) for block in passed.blocks]
    if form == "json":
        return json_text({"as_of": as_of, "blocks": blocks}) + "\n"
    rows: list[dict[str, object]] = []
    for block in blocks:
        jobs = block["jobs"] if isinstance(block["jobs"], list) else []
        rows += [{name: {**block, **job}[name] for name in COLUMNS} for job in jobs or [_nobody()]]
    return csv_text(rows, COLUMNS) if form == "csv" else table_text(rows, COLUMNS)


def _nobody() -> dict[str, object]:
    return {"id": None, "checkpoint_deadline": None, "state": None, "reason": None}
