from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from reservations.domain.period import UnableToReadTime, read_month
from reservations.selectors.pools import UnableToFindPool, pool_named
from reservations.tables.sheet import sheet_csv
from reservations.tables.writing import FORMATS, json_text, table_text
from scheduler.domain.policy import DEFAULT_REPLAY
from scheduler.domain.replay.work import UnableToReplay
from scheduler.services.replay import keep_month_replay, replay_month
from scheduler.tables.replay.sheets import TOLD, replay_sheet, size_rows
from scheduler.tables.replay.words import headline, inputs_words, rounding_words

MOST_DIGITS = 6


class Command(BaseCommand):
    help = "What a month's recorded work would have come to on fewer and on more nodes, and how few deliver the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        around = DEFAULT_REPLAY.around
        parser.add_argument("--pool", required=True)
        parser.add_argument("--month", required=True, help="YYYY-MM in the organisation's accounting zone")
        parser.add_argument("--k", type=_whole, help=f"so many sizes below and above ({around})")
        parser.add_argument("--nodes", type=_whole, help="the size in the middle, instead of what the pool holds now")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        as_of = timezone.now()
        try:
            month, pool = read_month(options["month"]), pool_named(options["pool"])
            with _bar() as told:
                asked = {"around": options["k"], "nodes": options["nodes"]}
                document = replay_month(pool=pool, month=month, as_of=as_of, progress=told, **asked)
        except (UnableToReplay, UnableToFindPool, UnableToReadTime) as unable:
            raise CommandError(str(unable)) from unable
        if options["k"] in (None, DEFAULT_REPLAY.around) and options["nodes"] is None:
            keep_month_replay(pool=pool, document=document, month=month, as_of=as_of)
        self.stdout.write(_written(document, options["format"]))
        for words in (headline(document), inputs_words(document), rounding_words(document)):
            if words:
                self.stderr.write(words)


def _written(document: dict[str, Any], form: str) -> str:
    if form == "json":
        return json_text(document)
    if form == "csv":
        return sheet_csv(replay_sheet(document))
    return table_text(size_rows(document), TOLD)


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, and nothing elsewhere."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    shown = (*columns, TimeElapsedColumn())
    with Progress(*shown, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("reading the month", total=None)

        def told(done: int, total: int) -> None:
            progress.update(task, description="replaying", completed=done, total=total)

        yield told


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise ArgumentTypeError(f"“{text}” is no whole number from 0 to {10**MOST_DIGITS - 1:,}")
    return int(text)
