"""How the front page writes sums, spans of time and what must be decided."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal

from reservations.domain import notation
from scheduler.domain.attention.item import Item, Kind
from scheduler.domain.attention.ranking import of_kinds, unpriced, weekly_sums

KIND_WORDS: Mapping[Kind, str] = {
    Kind.RESERVED_UNUSED: "reserved and never launched into",
    Kind.HELD_IDLE: "held by pods that do not work",
    Kind.UNOWNED: "answered for by nobody",
    Kind.LOW_COVERAGE: "without telemetry",
}

KIND_NAMES: Mapping[Kind, str] = {
    Kind.RESERVED_UNUSED: "reserved, unused",
    Kind.HELD_IDLE: "held, idle",
    Kind.UNOWNED: "unowned",
    Kind.LOW_COVERAGE: "low coverage",
    Kind.RECOMMENDED: "recommended",
    Kind.END_AHEAD: "end ahead",
    Kind.SOURCE: "source",
}

SIGNIFICANT = 3


def about(value: Decimal) -> str:
    """A number to three significant digits, and never finer than one: ``41 200``."""
    places = max(0, value.adjusted() - SIGNIFICANT + 1) if value else 0
    return notation.grouped(value.quantize(Decimal(1).scaleb(places)).quantize(Decimal(1)))


def headline(items: Sequence[Item]) -> str:
    """``6 things cost money now: about 41 200 USD a week``; currencies stand beside one another."""
    costly = [item for item in items if item.weekly is not None]
    if not items:
        return "Nothing needs a decision or a look."
    if not costly:
        return f"Nothing is paid for and unused now; {_things(len(items), 'need')} a decision or a look."
    sums = [f"{about(amount)}{notation.THIN}{currency}" for currency, amount in weekly_sums(costly).items()]
    rest = _gpu_hours(unpriced(costly))
    if not sums:
        return f"{_things(len(costly), 'cost')} GPU-hours now: about {rest} a week."
    more = f", and {rest} GPU-hours without a price" if unpriced(costly) else ""
    return f"{_things(len(costly), 'cost')} money now: about {' and '.join(sums)} a week{more}."


def breakdown(items: Sequence[Item]) -> str:
    """``Of it 23 638 USD reserved and never launched into, …``; blank where one kind is all there is."""
    kinds = of_kinds(item for item in items if item.weekly is not None)
    if len(kinds) < 2:
        return ""
    return f"Of it {', '.join(f'{_sum(some)} {KIND_WORDS[kind]}' for kind, some in kinds.items())}."


def _sum(items: Sequence[Item]) -> str:
    sums = [notation.amount(amount, currency) for currency, amount in weekly_sums(items).items()]
    if rest := unpriced(items):
        sums.append(f"{_gpu_hours(rest)} GPU-hours")
    return " and ".join(sums)


def since_words(since: datetime, as_of: datetime, zone: tzinfo) -> str:
    """``for 40 min``, ``for 5 h``, ``for 9 days``, and from sixty days on ``since 1 Nov 2025``."""
    length = as_of - since
    if length < timedelta(hours=1):
        return f"for {notation.duration(length)}"
    if length < timedelta(days=2):
        return f"for {length // timedelta(hours=1)} h"
    if length < timedelta(days=60):
        return f"for {length // timedelta(days=1)} days"
    return f"since {notation.day(since.astimezone(zone).date())}"


def decide_words(decide_on: date, today: date) -> str:
    """What stands before the date: ``decide by``, or that it is too late."""
    return "decision overdue since" if decide_on < today else "decide by"


def _gpu_hours(gpu_ms: int) -> str:
    return about(Decimal(gpu_ms) / 3_600_000)


def _things(count: int, verb: str) -> str:
    return f"1 thing {verb}s" if count == 1 else f"{notation.grouped(count)} things {verb}"
