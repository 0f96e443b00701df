"""A pool's recommendation as a whole, held against sums that are made by hand here."""

import json
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reservations.domain.renewal import LeadTimes
from reservations.domain.reservation_state import Kind
from scheduler.domain.recommendation.advice import advice
from scheduler.domain.recommendation.case import Case, Packed
from scheduler.domain.recommendation.confidence import Confidence
from scheduler.domain.recommendation.decision import Action, Decides
from scheduler.domain.sizing.growth import GrowthLine
from tests.scheduler.domain.recommendation.cases import START, case, in_days, known, part
from tests.scheduler.domain.sizing.traces import HOUR, trace, worked_nodes

QUARTER = 92 * 24


def year_like(seed: int = 3, hours: int = QUARTER) -> list[int]:
    random = Random(seed)
    return [max(0, round(random.gauss(9, 3))) for _ in range(hours)]


def by_hand(
    needed: list[int], *, current: int, q: Fraction, lost: int, od: int = 100, res: int = 62
) -> tuple[int, Fraction]:
    """The cheapest size by trying each, and what it saves in a month of 730 hours: no product code."""
    over_hour = od + q * lost

    def cost(nodes: int) -> Fraction:
        return nodes * len(needed) * res + sum(max(0, need - nodes) for need in needed) * over_hour

    best = min(range(max(needed) + 1), key=lambda nodes: (cost(nodes), nodes))
    return best, (cost(current) - cost(best)) * 730 / len(needed)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), current=st.integers(1, 20))
def test_size_and_money_are_those_that_trying_every_size_finds(seed: int, current: int) -> None:
    needed = year_like(seed, 700)
    told = advice(case(needed, facts=known(current=current)))
    best, saving = by_hand(needed, current=current, q=Fraction(1, 10), lost=40)
    assert told.adjusted == told.decided.proposed == best
    assert told.money is not None
    assert abs(Fraction(told.money.saving) - saving) <= Fraction(1, 1_000_000)
    assert told.money.regret == max(Decimal(0), told.money.saving)
    assert told.money.low is not None
    assert told.money.high is not None
    assert told.money.low <= told.money.high


def test_the_worked_example_shrinks_sixteen_to_thirteen() -> None:
    told = advice(case(worked_nodes(), facts=known(current=16, q=None)))
    assert (told.rule, told.adjusted, told.decided.proposed) == (13, None, 13)
    assert (told.decided.action, told.decided.decides) == (Action.SHRINK, Decides.RULE)
    over = Counter(worked_nodes())
    more = sum((need - 13) * hours for need, hours in over.items() if need > 13)
    fewer = sum((need - 16) * hours for need, hours in over.items() if need > 16)
    assert told.money is not None
    assert told.money.saving == 3 * 730 * 62 - (more - fewer) * 100
    assert told.confidence is Confidence.LOW


def test_a_packed_size_below_the_rule_decides_and_buys_no_more_overflow_than_today() -> None:
    needed = worked_nodes()
    told = advice(case(needed, facts=known(current=16), packed=Packed(11)))
    assert (told.decided.proposed, told.decided.decides) == (11, Decides.PACKED)
    assert told.money is not None
    assert told.money.saving == 5 * 730 * 62
    assert told.money.low is not None
    assert told.money.low < told.money.saving <= (told.money.high or 0)


@pytest.mark.parametrize(("hours", "skip"), [(671, ()), (1000, range(100, 301)), (700, range(1, 30))])
def test_too_few_hours_recommend_nothing_and_say_why(hours: int, skip: range) -> None:
    few = case([5] * hours, facts=known(current=9))
    told = advice(replace(few, trace=trace([5] * hours, start=few.period.start, skip=skip)))
    enough = hours - len(skip) >= 672 and Fraction(hours - len(skip), hours) >= Fraction(4, 5)
    assert not enough
    assert (told.decided.action, told.decided.proposed, told.money) == (Action.NONE, None, None)
    assert told.decided.reasons[0].startswith("Not enough data: ")
    assert told.confidence is Confidence.NONE


@settings(max_examples=25, deadline=None)
@given(kept=st.integers(0, 900))
def test_no_recommendation_comes_from_hours_of_thin_coverage(kept: int) -> None:
    """All hours but ``kept`` are thin: the same answer as if they were not there, whatever they say."""
    good, wild = [4] * kept, [90] * (900 - kept)
    full = case(good + wild, facts=known(current=9))
    thin = frozenset(full.trace.hours[kept:])
    told = advice(replace(full, thin=thin))
    if kept < 672:
        assert told.decided.action is Action.NONE
        assert f"{900 - kept} hours of too little telemetry are left out" in told.decided.reasons[0]
    else:
        assert told.decided.proposed == 4
        assert told.money == advice(case(good, facts=known(current=9))).money


def test_without_a_price_nothing_is_recommended() -> None:
    bare = case(year_like(), facts=known(current=9))
    told = advice(replace(bare, known=replace(bare.known, prices={})))
    assert told.decided.action is Action.NONE
    assert told.decided.reasons[0] == "No on-demand and no reserved price is known: give it."


def test_nothing_needed_lapses() -> None:
    told = advice(case([0] * 1999 + [1], facts=known(current=4, spare=1)))
    assert (told.decided.action, told.decided.proposed) == (Action.LAPSE, 0)


def test_a_block_that_outlives_the_quarter_keeps_its_size() -> None:
    block = part(9, kind=Kind.BLOCK, end_at=in_days(120))
    told = advice(case([2] * 800, facts=known(current=9), parts=(block,), lead=LeadTimes(14, 21)))
    assert (told.decided.action, told.decided.decides, told.decided.proposed) == (Action.KEEP, Decides.PROVIDER, 9)
    assert told.decide_on == in_days(120 - 35).date()


def test_committed_growth_ahead_is_sized_for() -> None:
    line = GrowthLine("launch", date(2026, 6, 10), None, Decimal(3))
    flat = case([5] * QUARTER, facts=known(current=5))
    assert advice(flat).decided.proposed == 5
    assert advice(replace(flat, growth=(line,))).decided.proposed == 8
    over = GrowthLine("gone", date(2026, 1, 1), date(2026, 2, 1), Decimal(3))
    assert advice(replace(flat, growth=(over,))).decided.proposed == 5


def test_the_same_evidence_has_the_same_hash_and_any_other_another() -> None:
    base = case(year_like(), facts=known(current=12), lead=LeadTimes(14))
    told = advice(base)
    assert advice(replace(base, as_of=base.as_of + timedelta(hours=5))).hash == told.hash
    changed: list[Case] = [
        replace(base, known=known(current=13)),
        replace(base, known=known(current=12, reserved="62.01")),
        replace(base, known=known(current=12, q="0.11")),
        replace(base, known=known(current=12, spare=1)),
        replace(base, trace=trace([*year_like()[:-1], 1], start=base.period.start)),
        replace(base, thin=frozenset(base.trace.hours[:1])),
        replace(base, packed=Packed(10)),
        replace(base, idle_held=Decimal("0.5")),
        replace(base, code="other"),
        replace(base, parts=(part(12, kind=Kind.BLOCK, end_at=in_days(40)),)),
        replace(base, growth=(GrowthLine("launch", date(2026, 6, 10), None, Decimal(1)),)),
        replace(base, policy=replace(base.policy, draws=41)),
    ]
    hashes = [advice(one).hash for one in changed]
    assert told.hash not in hashes
    assert len(set(hashes)) == len(changed)
    frozen = json.loads(told.evidence)
    assert json.dumps(frozen, sort_keys=True, ensure_ascii=False, separators=(",", ":")) == told.evidence


def test_confidence_rises_with_weeks_and_with_what_is_known() -> None:
    steady = [4] * 1000 + [5] * 400 + [4] * (QUARTER - 1400)
    full = case(steady, facts=known(current=12), packed=Packed(4))
    assert advice(full).confidence is Confidence.HIGH
    assert advice(replace(full, packed=Packed(None))).confidence is Confidence.MEDIUM
    assert advice(replace(full, known=known(current=12, q=None))).confidence is Confidence.MEDIUM
    assert advice(case(steady[:700], facts=known(current=12))).confidence is Confidence.LOW


def by_blocks(*, lapses: bool = False) -> Case:
    """Two blocks of three weeks, five weeks apart, of four nodes that are nearly always needed."""
    week = 168
    nodes = [0 if lapses and at % 10 < 8 else 4 for at in range(11 * week)]
    off = range(3 * week, 8 * week)
    found = replace(trace(nodes, start=START, skip=off), not_held=frozenset(START + at * HOUR for at in off))
    block = part(4, kind=Kind.BLOCK, end_at=in_days(2))
    return case(nodes, facts=known(q=None, current=4), trace=found, parts=(block,))


def test_a_pool_of_blocks_is_advised_over_the_hours_it_was_held_and_block_by_block() -> None:
    told = advice(by_blocks())
    assert (told.decided.action, told.decided.proposed) == ("keep", 4)
    assert told.decided.reasons[-1] == (
        "It speaks of the 1\u202f008 hours in which something was held, of 1\u202f848, and its money of that share of"
        " a month. Capacity blocks are decided one by one: this is for the next."
    )


def test_blocks_that_stand_idle_lapse_and_save_what_they_cost_in_the_share_of_a_month() -> None:
    told = advice(by_blocks(lapses=True))
    assert (told.decided.action, told.decided.proposed) == ("lapse", 0)
    assert told.money is not None
    busy = sum(1 for at in range(11 * 168) if at % 10 >= 8 and not 3 * 168 <= at < 8 * 168)
    held = 6 * 168
    saved = Fraction(4 * held * 62 - 4 * busy * 100, held) * 730 * Fraction(held, 11 * 168)
    assert abs(Fraction(told.money.saving) - saved) < Fraction(1, 10**6)
