import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from reservations.tables.writing import csv_text, table_text
from scheduler.domain.allocation.scenario import IllegalScenario, instance_of
from scheduler.domain.allocation.scenario_text import UnableToTakeScenario, scenario_within
from scheduler.domain.policy import OWN_MACHINE_LIMITS
from scheduler.management.json_files import STANDARD, UnableToUseFile, object_in
from scheduler.services.allocation import verdict
from scheduler.tables.allocation_text import allocation_json

COLUMNS = ("kind", "sentence", "job", "step", "gpu")


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Whether a result's grid is legal for its scenario, and its figures computed anew; exit 1 when it is not."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scenario", help="a file of JSON; - for standard input")
        parser.add_argument("result", help="a file as allocate writes it; - for standard input")
        parser.add_argument("--format", choices=("json", "csv", "table"), default="json")

    def handle(self, *args: object, **options: Any) -> None:
        if options["scenario"] == options["result"] == STANDARD:
            raise CommandError("one of the two may come from standard input, not both")
        try:
            scenario, result = (
                object_in(options[name], what=what, most_bytes=OWN_MACHINE_LIMITS.scenario_bytes)
                for name, what in (("scenario", "The scenario"), ("result", "The result"))
            )
            instance = instance_of(scenario_within(OWN_MACHINE_LIMITS, scenario))
        except (UnableToUseFile, UnableToTakeScenario, IllegalScenario) as unable:
            raise CommandError(str(unable).removesuffix(".")) from unable
        told = verdict(instance=instance, result=result)
        writers = {"csv": csv_text, "table": table_text}
        form = options["format"]
        self.stdout.write(allocation_json(told) if form == "json" else writers[form](told["violations"], COLUMNS))
        for difference in told["differences"]:
            self.stderr.write(difference)
        if not told["legal"]:
            sys.exit(1)
