"""Demand traces that tests make, and the questions they ask of them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from reservations.domain.break_even import Shortage
from scheduler.domain.sizing.answer import Sizing, SizingAsked, sizing
from scheduler.domain.sizing.prices import ShortageTerms, SizingPrices
from telemetry.domain.demand import DemandTrace

START = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)

NEEDED = {
    **dict.fromkeys(range(1, 11), 730),
    11: 600,
    12: 584,
    13: 480,
    14: 401,
    15: 190,
    16: 185,
    17: 183,
    18: 182,
    19: 50,
    20: 40,
    21: 20,
    22: 5,
}
"""A month that needs 10 nodes at night, 22 at the peak and 14 on average: in how many of 730 hours each is needed."""


def worked_nodes() -> list[int]:
    """That month hour by hour: hour h needs as many nodes as are needed in more than h hours."""
    return [sum(1 for hours in NEEDED.values() if hours > hour) for hour in range(730)]


def trace(nodes: Sequence[float | str], *, start: datetime = START, skip: Sequence[int] = ()) -> DemandTrace:
    """Hours one after another of one workload; the hours at the places in ``skip`` are missing."""
    return by_workload({"serving": nodes}, start=start, skip=skip)


def by_workload(
    nodes: Mapping[str, Sequence[float | str]], *, start: datetime = START, skip: Sequence[int] = ()
) -> DemandTrace:
    length = len(next(iter(nodes.values())))
    kept = [place for place in range(length) if place not in set(skip)]
    return DemandTrace(
        hours=tuple(start + place * HOUR for place in kept),
        by_workload={name: tuple(Decimal(str(values[place])) for place in kept) for name, values in nodes.items()},
        peak=(None,) * len(kept),
    )


def prices(
    on_demand: str = "100",
    reserved: str = "62",
    *,
    q: str | None = None,
    lost: str = "0",
    convention: Shortage = Shortage.EXTRA,
) -> SizingPrices:
    terms = None if q is None else ShortageTerms(Decimal(q), Decimal(lost), convention)
    return SizingPrices(Decimal(on_demand), Decimal(reserved), "USD", terms)


def sized(nodes: Sequence[float | str], at: SizingPrices | None = None, **asked: Any) -> Sizing:
    """The answer for hours one after another, however few."""
    question = {"allow_short": True, "draws": 0, **asked}
    return sizing(trace(nodes), SizingAsked(at or prices(), **question))
