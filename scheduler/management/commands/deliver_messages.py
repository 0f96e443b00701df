from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from reservations.tables.writing import FORMATS, csv_text, json_text
from scheduler.services.deliveries import deliver_messages


class Command(BaseCommand):
    help = "Send every message that is due, each once, whatever workers do at the same time."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        delivered = deliver_messages(
            clock=timezone.now, public_url=settings.PUBLIC_URL, networks=settings.PRIVATE_NETWORKS
        )
        counted = asdict(delivered)
        if options["format"] == "json":
            text = json_text(counted) + "\n"
        elif options["format"] == "csv":
            text = csv_text([counted], tuple(counted))
        else:
            text = (
                f"{delivered.sent} sent, {delivered.retried} to be tried again, {delivered.failed} given up,"
                f" {delivered.dropped} needless, {delivered.left} still due\n"
            )
        self.stdout.write(text, ending="")
