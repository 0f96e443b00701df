"""What past advice would have cost, against sums made hour by hour here."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.period import Period
from scheduler.domain.recommendation.back_test import HeldHour, Kept, MonthAsked, back_test
from scheduler.domain.recommendation.review import Assumed, MonthSince, verdict
from scheduler.domain.sizing.prices import SizingPrices
from scheduler.domain.sizing.reality import FixedNodes
from tests.scheduler.domain.sizing.traces import HOUR, trace

START = datetime(2026, 3, 1, tzinfo=UTC)
NODE_MS = 8 * 3_600_000
MAY = MonthAsked(
    date(2026, 5, 1),
    Period(datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)),
    Period(START, datetime(2026, 5, 1, tzinfo=UTC)),
    SizingPrices(Decimal(100), Decimal(62), "USD"),
)
HOURS = 92 * 24


def kept(needed: list[int], held: list[int], *, spare: int = 0, skip: range = range(0)) -> Kept:
    return Kept(
        trace=trace(needed, start=START, skip=skip),
        held={START + HOUR * at: HeldHour(nodes * NODE_MS, nodes * NODE_MS) for at, nodes in enumerate(held)},
        gpus_per_node=Decimal(8),
        fixed=FixedNodes(spare=spare),
    )


@given(seed=st.integers(0, 10_000), spare=st.integers(0, 2))
def test_both_costs_are_those_of_a_walk_through_the_hours(seed: int, spare: int) -> None:
    random = Random(seed)
    needed = [random.randrange(12) for _ in range(HOURS)]
    held = [random.choice((6, 7)) for _ in range(HOURS)]
    (told,) = back_test(kept(needed, held, spare=spare), [MAY])
    before, within = needed[: 61 * 24], list(zip(needed[61 * 24 :], held[61 * 24 :], strict=True))
    size = 0
    while sum(need > size for need in before) * 100 > 62 * len(before):
        size += 1
    advised = size + spare if size else 0
    as_advised = sum(62 * advised + 100 * max(0, need - advised) for need, _ in within)
    as_held = sum(62 * nodes + 100 * max(0, need - nodes) for need, nodes in within)
    assert (told.advised_nodes, told.hours) == (advised, 31 * 24)
    assert (told.advised_cost, told.held_cost, told.saved) == (as_advised, as_held, as_held - as_advised)
    assert abs(Fraction(told.held_nodes or 0) - Fraction(sum(nodes for _, nodes in within), len(within))) < Fraction(
        1, 10**6
    )


def test_months_that_say_nothing_say_why() -> None:
    flat = [3] * HOURS
    said = {
        "no hour of it is known": kept(flat[: 61 * 24], flat),
        "only 100 of its 744 hours are known": kept(flat[: 61 * 24 + 100], flat),
        "before it, not enough data: 400 hours of demand, and a size needs 672 (28 days)": kept(
            flat, flat, skip=range(61 * 24 - 400)
        ),
    }
    for why, past in said.items():
        (told,) = back_test(past, [MAY])
        assert (told.why_not, told.saved, told.advised_nodes) == (why, None, None)
    unpriced = MonthAsked(MAY.month, MAY.period, MAY.before, None)
    (told,) = back_test(kept(flat, flat), [unpriced])
    assert told.why_not == "no on-demand and reserved price is known on its first day"


def test_each_hour_of_a_month_is_priced_by_its_own_and_advice_by_those_of_its_first_day() -> None:
    later = Period(datetime(2026, 5, 11, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC))
    asked = replace(MAY, later=[(later, SizingPrices(Decimal(90), Decimal(80), "USD"))])
    (told,) = back_test(kept([3] * HOURS, [5] * HOURS), [asked])
    assert (told.advised_nodes, told.held_nodes) == (3, 5)
    assert told.held_cost == 5 * 24 * (10 * 62 + 21 * 80)
    assert told.advised_cost == 3 * 24 * (10 * 62 + 21 * 80)


def test_hours_in_which_nothing_was_held_cost_nothing_either_way_and_are_no_gap() -> None:
    off = range(65 * 24, 85 * 24)
    past = kept([4] * HOURS, [5] * HOURS, skip=off)
    past = replace(past, trace=replace(past.trace, not_held=frozenset(START + at * HOUR for at in off)))
    (told,) = back_test(past, [MAY])
    assert (told.hours, told.why_not) == (11 * 24, "")
    assert (told.held_cost, told.advised_cost) == (5 * 62 * 11 * 24, 4 * 62 * 11 * 24)
    never = kept([4] * HOURS, [5] * HOURS, skip=range(61 * 24, HOURS))
    every = frozenset(START + at * HOUR for at in range(61 * 24, HOURS))
    (told,) = back_test(replace(never, trace=replace(never.trace, not_held=every)), [MAY])
    assert told.why_not == "nothing was held in it"


def month(number: int, mean: str | None, busy: str | None = None) -> MonthSince:
    return MonthSince(
        date(2026, number, 1), 700 if mean else 0, Decimal(mean) if mean else None, 9, Decimal(busy) if busy else None
    )


def test_a_purchase_is_held_against_the_months_since() -> None:
    assumed = Assumed(Decimal("8.0"), None, Decimal("0.8"))
    assert verdict(assumed, []) == "No month since then is known yet."
    assert verdict(assumed, [month(1, None)]) == "No month since then is known yet."
    good = [month(1, "8.8", "0.72"), month(2, "7.2", "0.88")]
    assert verdict(assumed, good) == "Every month since then was within a tenth of what was expected."
    assert verdict(assumed, [*good, month(3, "7.1"), month(4, "5")]) == (
        "Expected 8 nodes needed on average: 2 of 4 months were over a tenth off, most of them less,"
        " the first in March 2026."
    )
    assert verdict(assumed, [month(1, "8", "0.9")]) == (
        "Expected 0.8 busy ÷ reserved: 1 of 1 months were over a tenth off, most of them more,"
        " the first in January 2026."
    )
