from argparse import ArgumentParser
from datetime import datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.break_even import Shortage
from reservations.domain.period import UnableToReadTime
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import UnableToFindPool, pool_named
from reservations.tables.sheet import sheet_csv
from reservations.tables.writing import FORMATS, json_text
from scheduler.domain.sizing.given import AMOUNTS, COUNTS, Known, read_given
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Answer, Manner, answer_of
from scheduler.domain.sizing.weeks import DRAWS, SEED
from scheduler.management.periods import period_of
from scheduler.selectors.sizing import pool_facts
from scheduler.services.sizing_files import demand_in, growth_in
from scheduler.tables.sizing.sheets import SHEETS, sizing_sheet
from scheduler.tables.sizing.text import sizing_text
from scheduler.tables.sizing.told import sizing_told
from telemetry.domain.demand import DemandTrace, UnableToUseDemand

TEXTS = (*AMOUNTS, *COUNTS, "shortage_convention", "term_from", "term_to")
MOST_DRAWS = 100_000


class Command(BaseCommand):
    help = "How many nodes to hold: the size that demand and prices justify, and what every other size would cost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        _add_demand(parser)
        _add_money(parser)
        _add_sizes(parser)
        parser.add_argument("--allow-short", action="store_true", help="size too little data all the same, and say so")
        parser.add_argument("--draws", type=int, default=DRAWS, help=f"how often weeks are drawn ({DRAWS}); 0: never")
        parser.add_argument("--seed", type=int, default=SEED)
        parser.add_argument("--sheet", choices=SHEETS, default="summary", help="which table, with --format csv")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            answer = _answer(options, timezone.now())
        except (UnableToSize, UnableToUseDemand, UnableToFindPool, UnableToReadTime) as unable:
            raise CommandError(str(unable)) from unable
        self.stdout.write(_written(answer, options))
        for warning in answer.warnings:
            self.stderr.write(warning)
        if answer.sizing.sized is None:
            self.stderr.write(answer.sizing.reason)


def _add_demand(parser: ArgumentParser) -> None:
    source = parser.add_argument_group("demand", "from a file, or from a pool's hours")
    source.add_argument("--trace", type=Path, help="a CSV file with the columns hour, workload and nodes (or gpus)")
    source.add_argument("--gpus-per-node", help="for a file that counts GPUs")
    source.add_argument("--pool")
    source.add_argument("--month", help="YYYY-MM in the organisation's accounting zone")
    source.add_argument("--months", type=int, default=1, help="so many months, --month the last of them (1)")
    source.add_argument("--from", dest="start", help="ISO 8601 with offset, on a whole hour")
    source.add_argument("--to", dest="end", help="the first instant that no longer belongs to it")
    source.add_argument("--workload", action="append", default=[], help="this one alone; can be repeated")
    source.add_argument("--growth", type=Path, help="a CSV file with the columns name, from, to, nodes: more lines")
    source.add_argument("--no-growth", action="store_true", help="count no growth, not even a pool's recorded lines")
    source.add_argument("--term-from", help="first day of the term to size for: the demand is laid over it")
    source.add_argument("--term-to", help="the first day after it")


def _add_money(parser: ArgumentParser) -> None:
    money = parser.add_argument_group("money", "per node-hour; a pool's come from its records where not given")
    money.add_argument("--on-demand")
    money.add_argument("--reserved")
    money.add_argument("--spot", help="for overflow that is bought so")
    money.add_argument("--flex", help="the same")
    money.add_argument("--fail-probability", help="q, from 0 to 1")
    money.add_argument("--shortage-cost", help="L, what a failed launch costs per node-hour")
    money.add_argument("--shortage-convention", choices=[one.value for one in Shortage])
    money.add_argument("--overflow", action="append", default=[], metavar="WORKLOAD=KIND[:PRICE]")
    money.add_argument("--shed-cost", help="what a node-hour loses that is turned away (L without it)")


def _add_sizes(parser: ArgumentParser) -> None:
    size = parser.add_argument_group("sizes")
    size.add_argument("--current", help="nodes held today; a pool's own without it")
    size.add_argument("--spare", help="nodes for hardware that fails")
    size.add_argument("--headroom", help="nodes kept warm")
    size.add_argument("--minimum-block", help="the fewest nodes that can be bought")
    size.add_argument("--maximum-block", help="the most")


def _answer(options: dict[str, Any], as_of: datetime) -> Answer:
    if not 0 <= options["draws"] <= MOST_DRAWS:
        raise UnableToSize(f"--draws is {options['draws']}: give a number from 0 to {MOST_DRAWS}")
    if options["seed"] < 0:
        raise UnableToSize(f"--seed is {options['seed']}: give a whole number from 0 on")
    given = read_given(
        {name: options[name] or "" for name in TEXTS}, overflow=options["overflow"], workloads=options["workload"]
    )
    growth = growth_in(path=options["growth"]) if options["growth"] else ()
    trace, known, recorded = _demand(options, as_of)
    lines = () if options["no_growth"] else (*recorded, *growth)
    manner = Manner(options["allow_short"], options["draws"], options["seed"])
    return answer_of(trace, given, known, growth=lines, manner=manner)


def _demand(options: dict[str, Any], as_of: datetime) -> tuple[DemandTrace, Known, tuple[GrowthLine, ...]]:
    """The demand, and what is recorded beside it: nothing of a file."""
    if (options["trace"] is None) == (options["pool"] is None):
        raise UnableToSize("say whose demand: --trace FILE or --pool NAME, one of them")
    when = {name: options[name] for name in ("month", "start", "end")}
    if options["trace"] is not None:
        if any(when.values()):
            raise UnableToSize("a file is sized whole: --month, --from and --to go with --pool")
        return demand_in(path=options["trace"], gpus_per_node=_gpus(options["gpus_per_node"])), Known(), ()
    if options["gpus_per_node"] is not None:
        raise UnableToSize("--gpus-per-node goes with --trace: a pool has its own")
    pool = pool_named(options["pool"])
    period = period_of(**when, months=options["months"], zone=accounting_zone())
    facts = pool_facts(pool=pool, period=period, as_of=as_of)
    if not facts.trace.hours:
        raise UnableToSize(f"the ledger has no hour of demand of “{pool.name}” in that time")
    return facts.trace, facts.known, facts.growth


def _gpus(text: str | None) -> Decimal | None:
    try:
        gpus = None if text is None else Decimal(text)
    except InvalidOperation as error:
        raise UnableToSize(f"--gpus-per-node is “{text}”: give a number") from error
    if gpus is not None and not (gpus.is_finite() and 0 < gpus <= 1024):
        raise UnableToSize(f"--gpus-per-node is {gpus}: a node has more than 0 and at most 1024")
    return gpus


def _written(answer: Answer, options: dict[str, Any]) -> str:
    pool = options["pool"]
    if options["format"] == "json":
        return json_text(sizing_told(answer, pool=pool))
    if options["format"] == "csv":
        return sheet_csv(sizing_sheet(options["sheet"], answer, pool=pool))
    return sizing_text(answer, pool=pool)
