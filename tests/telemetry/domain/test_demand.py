import math
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.period import Period
from telemetry.domain.demand import DemandTrace, UnableToUseDemand, kept_nodes, rows_of_trace, trace_of_rows
from telemetry.domain.trace import DemandRow

START = datetime(2026, 5, 1, tzinfo=UTC)
NODES = st.integers(0, 500_000).map(lambda units: Decimal(units) / 10_000)
ROWS = st.dictionaries(
    st.tuples(st.integers(0, 60), st.sampled_from(["serving", "training", "batch"])), NODES, max_size=80
)


def hour(number: int) -> datetime:
    return START + timedelta(hours=number)


def rows_of(told: dict[tuple[int, str], Decimal]) -> list[DemandRow]:
    return [DemandRow(hour(number), workload, nodes) for (number, workload), nodes in told.items()]


@given(ROWS, st.randoms(use_true_random=False))
def test_an_hour_needs_what_its_rows_add_up_to_rounded_up_whatever_their_order(
    told: dict[tuple[int, str], Decimal], chance: object
) -> None:
    rows = rows_of(told)
    chance.shuffle(rows)
    trace = trace_of_rows(rows)
    wanted: dict[datetime, Fraction] = {}
    for row in rows:
        wanted[row.hour] = wanted.get(row.hour, Fraction(0)) + Fraction(row.nodes)
    assert dict(zip(trace.hours, trace.nodes, strict=True)) == {at: math.ceil(sum_) for at, sum_ in wanted.items()}
    assert list(trace.hours) == sorted(wanted)


@given(ROWS)
def test_hours_told_and_hours_missing_are_the_whole_span(told: dict[tuple[int, str], Decimal]) -> None:
    trace = trace_of_rows(rows_of(told))
    if not told:
        assert (trace.span_hours, trace.missing, trace.coverage_share) == (0, (), 0)
        return
    numbers = {number for number, _ in told}
    span = [hour(number) for number in range(min(numbers), max(numbers) + 1)]
    assert sorted([*trace.hours, *trace.missing]) == span
    assert trace.span_hours == len(span)
    assert trace.coverage_share == Fraction(len(numbers), len(span))


@given(ROWS)
def test_a_trace_is_read_back_from_its_own_rows(told: dict[tuple[int, str], Decimal]) -> None:
    trace = trace_of_rows(rows_of(told))
    assert trace_of_rows(rows_of_trace(trace)) == trace


@given(ROWS)
def test_workloads_alone_and_together_need_the_same(told: dict[tuple[int, str], Decimal]) -> None:
    trace = trace_of_rows(rows_of(told))
    alone = [trace.narrowed({name}).total for name in trace.by_workload]
    assert tuple(sum(parts, Decimal(0)) for parts in zip(*alone, strict=True)) == (trace.total if told else ())
    assert trace.narrowed(trace.by_workload) == trace


@given(st.dictionaries(st.sampled_from("abcdef"), st.fractions(0, 50, max_denominator=10**7), max_size=6))
def test_kept_nodes_round_up_to_what_the_exact_ones_round_up_to(exact: dict[str, Fraction]) -> None:
    kept = kept_nodes(exact)
    assert set(kept) == set(exact)
    assert math.ceil(sum(kept.values(), Decimal(0))) == math.ceil(sum(exact.values(), Fraction(0)))
    assert all(abs(Fraction(kept[name]) - exact[name]) < Fraction(1, 10_000) for name in exact)
    whole = {name for name in exact if (exact[name] * 10_000).denominator == 1}
    assert all(Fraction(kept[name]) == exact[name] for name in whole)


def test_three_workloads_that_fill_a_node_are_not_rounded_to_two() -> None:
    kept = kept_nodes({"a": Fraction(1, 6), "b": Fraction(1, 6), "c": Fraction(4, 6)})
    assert kept == {"a": Decimal("0.1667"), "b": Decimal("0.1667"), "c": Decimal("0.6666")}


def test_a_part_of_a_trace_is_the_hours_of_the_period() -> None:
    trace = DemandTrace(
        hours=(hour(0), hour(1), hour(3)),
        by_workload={"serving": (Decimal(1), Decimal(2), Decimal(3))},
        peak=(None, Decimal(4), Decimal(5)),
        sources=("ledger", "ledger", "trace:a.csv"),
        bound_only=frozenset({hour(0), hour(3)}),
    )
    part = trace.within(Period(hour(1), hour(4)))
    assert part.hours == (hour(1), hour(3))
    assert part.nodes == (2, 3)
    assert part.peak == (Decimal(4), Decimal(5))
    assert part.sources == ("ledger", "trace:a.csv")
    assert part.bound_only == {hour(3)}
    assert part.missing == (hour(2),)


def test_the_peak_of_some_workloads_alone_is_unknown() -> None:
    one = (Decimal(1),)
    trace = DemandTrace((hour(0),), {"serving": one, "batch": one}, (Decimal(3),))
    assert trace.narrowed({"batch"}).peak == (None,)
    with pytest.raises(UnableToUseDemand, match="no workload “night”: it tells batch, serving"):
        trace.narrowed({"night"})


NAIVE = START.replace(hour=3, tzinfo=None)


@pytest.mark.parametrize(
    ("hours", "nodes", "said"),
    [
        ([hour(1), hour(0)], ["1", "1"], "out of order: 2026-05-01T00:00Z follows 2026-05-01T01:00Z"),
        ([hour(0), hour(0)], ["1", "2"], "the hour 2026-05-01T00:00Z is told twice"),
        ([NAIVE], ["1"], "2026-05-01T03:00 has no offset"),
        ([hour(0) + timedelta(minutes=30)], ["1"], "not on a whole hour of UTC"),
        ([hour(0)], ["-0.5"], "“serving” needs -0.5 nodes in the hour 2026-05-01T00:00Z, which is below 0"),
        ([hour(0)], ["NaN"], "which is not a number"),
        ([hour(0)], ["Infinity"], "which is not a number"),
        ([hour(0)], ["100000.0001"], "no fleet is that large"),
        ([hour(0)], ["1", "2"], "“serving” is told for 2 hours, but the trace has 1"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(hours: list[datetime], nodes: list[str], said: str) -> None:
    with pytest.raises(UnableToUseDemand, match=said) as refused:
        DemandTrace(tuple(hours), {"serving": tuple(Decimal(text) for text in nodes)}, (None,) * len(hours))
    assert "\n" not in str(refused.value)


def test_one_hour_and_workload_told_twice_is_refused_wherever_its_clock_stood() -> None:
    there = hour(2).astimezone(tz=None)
    rows = [DemandRow(hour(2), "serving", Decimal(3)), DemandRow(there, "serving", Decimal(5))]
    with pytest.raises(UnableToUseDemand, match="told twice, with 3 and with 5 nodes"):
        trace_of_rows(rows)
    with pytest.raises(UnableToUseDemand, match="has no offset"):
        trace_of_rows([DemandRow(NAIVE, "serving", Decimal(3))])
