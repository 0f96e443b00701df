"""``set_threshold``: set a threshold of an alert rule otherwise, for one pool or for all."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scheduler.services.alerts.thresholds import UnableToSetThreshold, set_threshold


class Command(BaseCommand):
    """``set_threshold RULE NAME VALUE --reason … [--pool NAME]``; ``default`` as the value goes back."""

    help = "Set a threshold of an alert rule otherwise, for one pool or for all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What is set, to what, and why."""
        parser.add_argument("rule", help="such as reserved_unused")
        parser.add_argument("name", help="such as unused_for")
        parser.add_argument("value", help="such as “90 min”, “24 h”, “15 %%” or “3”; “default” goes back")
        parser.add_argument("--pool", default="", help="for this pool alone")
        parser.add_argument("--reason", required=True, help="why, in a sentence")
        parser.add_argument("--by", default="", help="the log-in of who sets it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Set it, and say what stands."""
        rule, name, pool = options["rule"], options["name"], options["pool"]
        value = "" if options["value"] == "default" else options["value"]
        asked = {"rule": rule, "name": name, "pool": pool, "value": value, "reason": options["reason"]}
        try:
            row = set_threshold(**asked, by=options["by"], at=timezone.now())
        except UnableToSetThreshold as unable:
            raise CommandError(str(unable)) from unable
        whose = f" of {pool}" if pool else ""
        stands = "stands so already" if row is None else f"is {row.value or 'the default'} from now on"
        self.stdout.write(f"{rule}.{name}{whose} {stands}.")
