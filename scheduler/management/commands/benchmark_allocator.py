from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from scheduler.domain.allocation.measured import Spread
from scheduler.services.measure_allocator import FULL, PARTS, QUICK, Protocol, measure_allocator, targets_of
from scheduler.services.measure_allocator.traces import UnableToReadTraces
from scheduler.tables.allocator_figures import FIGURE_COLUMNS, TARGET_COLUMNS, figure_rows, target_rows


class Command(BaseCommand):
    help = (
        "Measure the allocator on instances it was not tuned on: gaps to the proven optimum, gains over other ways to "
        "plan in many orders of arrival, times, growth, ablations, regret, legality. Parts: " + ", ".join(PARTS) + "; "
        "without any named, all but naive and traces. Exits with 1 when a target that no clock decides is missed."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("parts", nargs="*", metavar="PART", help="only these parts")
        parser.add_argument("--quick", action="store_true", help="a few minutes of it instead of about an hour")
        parser.add_argument("--seeds", type=int, help="instances a family, from seed 1000 on")
        parser.add_argument("--orders", type=int, help="orders of arrival an instance")
        parser.add_argument("--odd", type=int, help="odd instances behind the count of illegal grids")
        parser.add_argument("--traces", type=Path, help="the folder of the public traces, for the part of that name")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        parts = options["parts"] or [name for name, part in PARTS.items() if part.by_itself]
        unknown = [part for part in parts if part not in PARTS]
        if unknown:
            raise CommandError(f"there is no part {unknown[0]}: the parts are {', '.join(PARTS)}")
        try:
            rows = _measured(parts, _protocol(options))
        except UnableToReadTraces as unable:
            raise CommandError(str(unable)) from unable
        self.stdout.write(_written(rows, options["format"]), ending="")
        missed = [target for target in targets_of(rows) if not target.met and not target.of_machine]
        if missed:
            aim = missed[0].aim
            raise CommandError(
                f"{len(missed)} of the targets missed, first {aim.case}, {aim.measure} ({aim.figure}): "
                f"{missed[0].reached:.4g} where {aim.limit:g} is aimed at"
            )


def _protocol(options: dict[str, Any]) -> Protocol:
    protocol = replace(QUICK if options["quick"] else FULL, traces=options["traces"])
    for name in ("seeds", "orders", "odd"):
        wanted = options[name]
        if wanted is not None and wanted < 1:
            raise CommandError(f"--{name} must be at least 1")
        protocol = protocol if wanted is None else replace(protocol, **{name: wanted})
    return protocol


def _measured(parts: list[str], protocol: Protocol) -> list[Spread]:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        return measure_allocator(
            parts=parts,
            protocol=protocol,
            started=lambda name, steps: progress.reset(task, description=name, total=steps),
            step=lambda: progress.advance(task),
        )


def _written(rows: list[Spread], form: str) -> str:
    figures, targets = figure_rows(rows), target_rows(targets_of(rows))
    if form == "csv":
        return csv_text(figures, FIGURE_COLUMNS)
    if form == "json":
        return json_text({"targets": targets, "figures": figures}) + "\n"
    text = table_text(figures, FIGURE_COLUMNS)
    return text + "\n" + table_text(targets, TARGET_COLUMNS) if targets else text
