"""How far the size hangs on which weeks were seen: whole weeks drawn again and again (docs/sizing.md#the-band)."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm

import numpy as np
from numpy.typing import NDArray

from reservations.domain.period import HOUR
from reservations.domain.pricing import money
from scheduler.domain.sizing.prices import SizingPrices
from scheduler.domain.sizing.rule import least_hours
from telemetry.domain.demand import DemandTrace

DRAWS = 1_000
SEED = 0
WEEK = timedelta(days=7)
LEAST_WEEKS = 2
"""One week drawn again and again is always the same week."""

LEVEL = Fraction(9, 10)
"""Nine of ten draws lie in the band: a twentieth below it and a twentieth above."""

_CELLS = 4_000_000
"""So many figures at once: a fleet of thousands of nodes is counted in parts."""

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NodesBand:
    """Nine of ten draws came to ``low`` … ``high`` nodes; ``counts`` is (nodes, draws) by nodes."""

    low: int
    median: int
    high: int
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MoneyBand:
    """Nine of ten draws came to ``low`` … ``high``, scaled to the hours of the trace."""

    low: Decimal
    median: Decimal
    high: Decimal


@dataclass(frozen=True)
class WeekDraws:
    """``weights[draw, week]``: how often a week was drawn; the others are of each hour of a whole week.

    ``price`` is the place of its prices among those that hours have.
    Weeks are runs of 168 hours from the first hour on; ``left_out`` hours at the end fill none and are not drawn.
    """

    weights: Counts
    week: Counts
    nodes: Counts
    price: Counts
    left_out: int

    @property
    def draws(self) -> int:
        """How often weeks were drawn."""
        return int(self.weights.shape[0])

    @property
    def weeks(self) -> int:
        """Whole weeks to draw from."""
        return int(self.weights.shape[1])

    @cached_property
    def hours(self) -> Counts:
        """The hours of each draw: the same for all but where weeks have gaps."""
        return self._drawn(np.ones_like(self.week))

    def sizes(self, ratio: Fraction) -> Counts:
        """The rule's size in each draw, exact: a node counts where its hours are strictly more than the ratio."""
        least = self._least(ratio)
        sizes = np.zeros(self.draws, dtype=np.int64)
        peak = int(self.nodes.max(initial=0))
        step = max(1, _CELLS // max(self.draws, self.weeks))
        weights = self.weights.astype(np.float64)  # whole numbers far below 2**53: exact, and much faster
        for first in range(1, peak + 1, step):
            levels = min(step, peak + 1 - first)
            needed = weights @ self._needed(first, levels).astype(np.float64)
            met = needed >= least[:, None]
            sizes += met.sum(axis=1)
            if not met[:, -1].any():
                break
        return sizes

    def hours_at(self, price: int) -> Counts:
        """The hours of each draw that have one of the prices."""
        return self._drawn((self.price == price).astype(np.int64))

    def overflow(self, held: int, price: int = 0) -> Counts:
        """Σ max(0, demand − held) in node-hours over the hours that have one of the prices, in each draw."""
        return self._drawn(np.where(self.price == price, np.clip(self.nodes - held, 0, None), 0))

    def _drawn(self, of_hour: Counts) -> Counts:
        by_week = np.zeros(self.weeks, dtype=np.int64)
        np.add.at(by_week, self.week, of_hour)
        return self.weights @ by_week

    def _least(self, ratio: Fraction) -> NDArray[np.float64]:
        """The fewest hours of each draw that are strictly more than the ratio; one more than all where none can be."""
        found, place = np.unique(self.hours, return_inverse=True)
        least = [min(least_hours(ratio, int(hours)), int(hours) + 1) for hours in found]
        return np.array(least, dtype=np.float64)[place]

    def _needed(self, first: int, levels: int) -> Counts:
        """In how many hours of each week ``first``, ``first`` + 1, … nodes were needed."""
        level = np.clip(self.nodes - first + 1, 0, levels)
        flat = np.bincount(self.week * (levels + 1) + level, minlength=self.weeks * (levels + 1))
        table = flat.reshape(self.weeks, levels + 1).astype(np.int64)
        return np.cumsum(table[:, :0:-1], axis=1)[:, ::-1]


def whole_weeks(trace: DemandTrace) -> int:
    """Runs of 168 hours that the span of a trace holds, without those of which it tells no hour."""
    return len(_numbered(trace)[1])


def _numbered(trace: DemandTrace) -> tuple[list[int], dict[int, int]]:
    """Of each hour of a whole week the run that it lies in, and of each such run its place among them."""
    runs = trace.span_hours // (WEEK // HOUR)
    edges = [bisect_left(trace.hours, trace.hours[0] + run * WEEK) for run in range(runs + 1)] if runs else [0]
    kept = [run for run, (first, end) in enumerate(pairwise(edges)) for _ in range(end - first)]
    return kept, {run: place for place, run in enumerate(dict.fromkeys(kept))}


def week_draws(
    trace: DemandTrace,
    *,
    seen: int | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
    price: Counts | None = None,
) -> WeekDraws | None:
    """Whole weeks drawn with replacement, the same for the same trace and seed; None under two whole weeks.

    So many are drawn as there are, or ``seen`` where the trace repeats fewer weeks that were measured. A week of which
    no hour is told is not one that was seen. ``price`` is of each hour of the trace; None: all have the same.
    """
    runs, places = _numbered(trace)
    weeks = len(places)
    drawn = weeks if seen is None else min(weeks, seen)
    if drawn < LEAST_WEEKS:
        return None
    chosen = np.random.Generator(np.random.PCG64(seed)).integers(0, weeks, size=(draws, drawn))
    place = (np.arange(draws)[:, None] * weeks + chosen).ravel()
    return WeekDraws(
        weights=np.bincount(place, minlength=draws * weeks).reshape(draws, weeks).astype(np.int64),
        week=np.array([places[run] for run in runs], dtype=np.int64),
        nodes=np.array(trace.nodes[: len(runs)], dtype=np.int64),
        price=np.zeros(len(runs), dtype=np.int64) if price is None else price[: len(runs)],
        left_out=len(trace.hours) - len(runs),
    )


def nodes_band(sizes: Counts) -> NodesBand:
    """The band of whole sizes, by nearest rank."""
    ordered = sorted(int(size) for size in sizes)
    low, median, high = (ordered[place] for place in _ranks(len(ordered)))
    return NodesBand(low, median, high, tuple(sorted(Counter(ordered).items())))


def saving_band(draws: WeekDraws, *, held: int, proposed: int, prices: Sequence[SizingPrices], hours: int) -> MoneyBand:
    """What ``proposed`` instead of ``held`` nodes saves, by draw, as if it had as many hours as the trace.

    ``prices`` are those that hours have, in their places.
    """
    money_each = [(Fraction(one.reserved), Fraction(one.overflow_hour)) for one in prices]
    # Savings are compared in whole numbers over one denominator: of prices, then of the lengths of draws.
    unit = lcm(*(amount.denominator for pair in money_each for amount in pair))
    saved = [0] * draws.draws
    for at, (reserved, overflow) in enumerate(money_each):
        fixed, each = int((held - proposed) * reserved * unit), int(overflow * unit)
        over = draws.overflow(held, at) - draws.overflow(proposed, at)
        pairs = zip(draws.hours_at(at).tolist(), over.tolist(), strict=True)
        saved = [had + fixed * some + each * more for had, (some, more) in zip(saved, pairs, strict=True)]
    lengths = draws.hours.tolist()
    common = lcm(*(length for length in lengths if length))
    ordered = sorted(one * (common // length) for one, length in zip(saved, lengths, strict=True) if length)
    found = (hours * Fraction(ordered[place], common * unit) for place in _ranks(len(ordered)))
    return MoneyBand(*(money(value.numerator, value.denominator) for value in found))


def _ranks(count: int) -> tuple[int, int, int]:
    """The places of the 5 %, 50 % and 95 % in an ordered list, by nearest rank."""
    tail = (1 - LEVEL) / 2
    return tuple(max(0, -int(-share * count // 1) - 1) for share in (tail, Fraction(1, 2), 1 - tail))  # type: ignore[return-value]
