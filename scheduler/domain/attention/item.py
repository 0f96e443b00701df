"""One thing that needs a decision or a look, and what it costs a week."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from reservations.domain.period import HOUR_MS
from reservations.domain.pricing import EXACT, MONEY_STEP

WEEK_HOURS = 168


class Kind(StrEnum):
    """Which rule made an item; the order is that in which kinds are named together."""

    RESERVED_UNUSED = "reserved_unused"
    HELD_IDLE = "held_idle"
    UNOWNED = "unowned"
    LOW_COVERAGE = "low_coverage"
    RECOMMENDED = "recommended"
    END_AHEAD = "end_ahead"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Price:
    """The reserved price of one GPU-hour today; None is unknown or not for this person, and ``why_not`` says which."""

    per_gpu_hour: Decimal | None = None
    currency: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Weekly:
    """GPU-milliseconds of one week and, where the price is known, what they cost; ``why_not`` where it is not."""

    gpu_ms: int
    money: Decimal | None = None
    currency: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class NextStep:
    """Where it can be looked at: what the link says, the page by its URL name, and what its address is made of."""

    verb: str
    page: str
    of: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to decide on or to look at.

    ``weekly`` None: it costs nothing by itself. ``decide_on``: the day by which it must be decided. ``since`` None: it
    has not begun, or nobody knows when it did. ``cause`` is what the evidence says of why, blank where it says nothing.
    """

    kind: Kind
    name: str
    sentence: str
    step: NextStep
    since: datetime | None = None
    weekly: Weekly | None = None
    decide_on: date | None = None
    cause: str = ""


def weekly_cost(gpu_ms: int, price: Price) -> Weekly:
    """GPU-milliseconds of a week at today's price: gpu_ms ÷ 3,600,000 × price, rounded once to a millionth."""
    if price.per_gpu_hour is None:
        return Weekly(gpu_ms, why_not=price.why_not)
    cost = EXACT.divide(EXACT.multiply(Decimal(gpu_ms), price.per_gpu_hour), Decimal(HOUR_MS))
    return Weekly(gpu_ms, EXACT.quantize(cost, MONEY_STEP), price.currency)


@lru_cache(maxsize=1024)
def week_of(gpus: Decimal) -> int:
    """GPU-milliseconds that so many GPUs are in a week, rounded to a whole one."""
    return int(EXACT.quantize(EXACT.multiply(gpus, Decimal(WEEK_HOURS * HOUR_MS)), Decimal(1)))


def weekly_of(nodes: int | None, gpus_per_node: Decimal | None, price: Price) -> Weekly | None:
    """What so many nodes cost a week: nodes × GPUs per node × 168 h at today's price; None where a count is unknown."""
    if nodes is None or gpus_per_node is None:
        return None
    return weekly_cost(week_of(nodes * gpus_per_node), price)
