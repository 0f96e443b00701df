import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.access import Grant, Person, Role
from reservations.selectors.reservations import UnableToFindReservation
from reservations.tables.writing import json_text
from scheduler.domain.block_clock.registration import UnableToReadJob, job_entry
from scheduler.domain.block_clock.states import Decision
from scheduler.services.block_clock import UnableToRegisterJob, register_job

WHOLE = Person("register_job", (Grant(Role.ADMIN),), second_factor=True)
"""Whoever may run commands here may do everything."""


class Command(BaseCommand):
    help = (
        "Register a job on a block that ends, as POST /api/v1/jobs does; the same registration again is the same job."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reservation", required=True, metavar="ID", help="the provider's id or ARN")
        parser.add_argument("--job", required=True, metavar="ID", help="as its own scheduler calls it")
        parser.add_argument("--owner", metavar="TEAM", help="without it, the reservation's")
        parser.add_argument("--stop-hook", required=True, metavar="URL")
        parser.add_argument(
            "--secret-file", required=True, metavar="FILE", help="holds the hook's secret; - reads standard input"
        )
        parser.add_argument("--checkpoint", required=True, metavar="s3://BUCKET/PREFIX")
        parser.add_argument("--expected-end", metavar="INSTANT", help="like 2026-05-01T10:00Z")
        parser.add_argument("--checkpoint-seconds", type=float, metavar="S", help="how long the last checkpoint took")
        parser.add_argument("--decision", required=True, choices=[one.value for one in Decision])
        parser.add_argument("--fallback-pool", metavar="NAME")
        parser.add_argument("--fallback-instance-type", metavar="TYPE")
        parser.add_argument("--fallback-nodes", type=int, metavar="N")
        parser.add_argument("--resume-tested-on", metavar="DAY")
        parser.add_argument("--resume-test", choices=("passed", "failed"))
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: object, **options: Any) -> None:
        now = timezone.now()
        try:
            entry = job_entry(_told(options), private=settings.PRIVATE_NETWORKS, as_of=now)
            kept = register_job(entry=entry, person=WHOLE, as_of=now)
        except (UnableToFindReservation, UnableToReadJob, UnableToRegisterJob) as unable:
            raise CommandError(str(unable)) from unable
        if options["format"] == "json":
            self.stdout.write(json_text({"number": kept.number, "id": entry.job_id, "new": kept.new}))
            return
        word = "is registered" if kept.new else "was registered already"
        self.stdout.write(f"{entry.job_id} {word} as number {kept.number}")


def _told(options: dict[str, Any]) -> dict[str, object]:
    seconds, test = options["checkpoint_seconds"], options["resume_test"]
    return {
        "reservation": options["reservation"],
        "id": options["job"],
        "owner": options["owner"],
        "stop_hook_url": options["stop_hook"],
        "stop_hook_secret": _secret(options["secret_file"]),
        "checkpoint": options["checkpoint"],
        "expected_end_at": options["expected_end"],
        "checkpoint_durations": [] if seconds is None else [{"seconds": seconds}],
        "decision": options["decision"],
        "fallback_pool": options["fallback_pool"],
        "fallback_instance_type": options["fallback_instance_type"],
        "fallback_nodes": options["fallback_nodes"],
        "resume_tested_on": options["resume_tested_on"],
        "resume_test_passed": None if test is None else test == "passed",
    }


def _secret(name: str) -> str:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise CommandError(f"the file with the secret cannot be read: {name}") from error
    return text.strip()
