from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from reservations.tables.writing import csv_text, table_text
from scheduler.domain.allocation.scenario import IllegalScenario
from scheduler.domain.allocation.scenario_text import UnableToTakeScenario, scenario_within
from scheduler.domain.policy import OWN_MACHINE_LIMITS
from scheduler.management.json_files import STANDARD, UnableToUseFile, object_in, written_whole
from scheduler.services.allocation import AllocationAsked, allocation_answer, rolling_answer
from scheduler.tables.allocation_text import COLUMNS, allocation_json, figures_line, grid_drawing, job_rows

WRITERS: dict[str, Callable[[dict[str, Any]], str]] = {
    "json": allocation_json,
    "csv": lambda result: csv_text(job_rows(result), COLUMNS),
    "table": lambda result: table_text(job_rows(result), COLUMNS),
    "text": grid_drawing,
}


class Command(BaseCommand):
    requires_system_checks = ()  # it asks no database and serves no page
    help = "Which GPU runs which job at which step: a legal grid for a scenario, and what it is worth."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scenario", help="a file of JSON; - for standard input")
        parser.add_argument("--mode", choices=("fifo", "fast", "full"), default="fast")
        parser.add_argument("--time-limit", type=_seconds, default=30.0, help="seconds for full mode (30)")
        parser.add_argument("--seed", type=_whole, default=0, help="the same seed gives the same grid")
        parser.add_argument("--iterations", type=_whole, help="of the search in fast mode; else what it deems right")
        parser.add_argument("--certificate", action="store_true", help="also how far from the best possible it is")
        parser.add_argument("--rolling", action="store_true", help="as if each job were unknown until it arrives")
        parser.add_argument("--format", choices=WRITERS, default="json", help="text draws the grid in letters")
        parser.add_argument("--output", default=STANDARD, help="a file, written whole or not at all")

    def handle(self, *args: object, **options: Any) -> None:
        asked = AllocationAsked(
            mode=options["mode"],
            seed=options["seed"],
            iterations=options["iterations"],
            certificate=options["certificate"],
            reasons=True,
            time_limit_seconds=options["time_limit"],
        )
        to_file = options["output"] != STANDARD
        try:
            write = written_whole(options["output"]) if to_file else self.stdout.write
            scenario = object_in(options["scenario"], what="The scenario", most_bytes=OWN_MACHINE_LIMITS.scenario_bytes)
            scenario_within(OWN_MACHINE_LIMITS, scenario, iterations=asked.iterations)
            result = _result(scenario, asked, rolling=options["rolling"])
            text = WRITERS[options["format"]](result)
            write(text if text.endswith("\n") else f"{text}\n")
        except (UnableToUseFile, UnableToTakeScenario, IllegalScenario) as unable:
            raise CommandError(str(unable).removesuffix(".")) from unable
        for warning in result["warnings"]:
            self.stderr.write(warning)
        if to_file or options["format"] in ("csv", "table"):
            self.stderr.write(figures_line(result))


def _result(scenario: dict[str, object], asked: AllocationAsked, *, rolling: bool) -> dict[str, Any]:
    with _progress() as bar:
        if rolling:
            return rolling_answer(scenario=scenario, asked=asked, advance=bar.plans).result
        if asked.mode != "full":
            return allocation_answer(scenario=scenario, asked=asked).result
        watch = _Watch(bar, asked.time_limit_seconds)
        return allocation_answer(scenario=scenario, asked=asked, left=watch.left, report=watch.report).result


class _Bar:
    """A bar on a terminal, and nothing elsewhere."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.task = progress.add_task("planning", total=None)

    def plans(self, made: int, total: int) -> None:
        self.progress.update(self.task, description=f"plan {made} of {total}", completed=made, total=total)

    def seconds(self, passed: float, total: float, words: str) -> None:
        self.progress.update(self.task, description=words, completed=passed, total=total)


@contextmanager
def _progress() -> Iterator[_Bar]:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield _Bar(progress)


class _Watch:
    """Full mode's time, and the bar that it fills."""

    def __init__(self, bar: _Bar, limit: float) -> None:
        self.bar, self.limit, self.words = bar, limit, "planning"
        self.began = monotonic()

    def left(self) -> float:
        passed = monotonic() - self.began
        self.bar.seconds(min(passed, self.limit), self.limit, self.words)
        return max(0.0, self.limit - passed)

    def report(self, phase: str, bound: float, value: float) -> None:
        self.words = f"{phase}: value {value:.6g}, bound {bound:.6g}"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    most = OWN_MACHINE_LIMITS.time_limit_seconds
    if not (isfinite(seconds) and 0 < seconds <= most):
        raise ArgumentTypeError(f"“{text}” is no number of seconds above 0 and up to {most:,.0f}")
    return seconds


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ArgumentTypeError(f"“{text}” is no whole number from 0 to 999,999,999")
    return int(text)
