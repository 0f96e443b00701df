"""What reserving saved and wasted, against sums in fractions over single hours."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.pricing import PriceSpan, Unit
from reservations.domain.terms import Terms
from telemetry.domain.savings import Savings, UsedGpus, added_gpus, added_savings, savings_of
from telemetry.domain.totals import Totals, totals_of
from tests.telemetry.domain.lawful_rows import H, bare, lawful

TERMS = Terms([PriceSpan(date(2026, 1, 1), None, "USD", Unit.NODE_HOUR, Decimal(80), Decimal(40))])
AT = datetime(2026, 5, 4, tzinfo=UTC)
EIGHT = Decimal(8)


def savings(*hours: object, terms: Terms = TERMS) -> Savings:
    return savings_of([(AT, totals_of(hours))], terms=terms, gpus_per_node=EIGHT)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=12))
def test_the_rate_and_both_wastes_are_those_of_the_single_hours(held: list[tuple[int, int]]) -> None:
    rows = [lawful(n, busy=busy * H, known=8 * H, allocated=got * H, queues=()) for n, (busy, got) in enumerate(held)]
    found = savings(*rows)
    paid = sum(Fraction(row.paid, H) for row in rows) * 5
    instead = sum(busy for busy, _ in held) * 10
    assert Fraction(found.spent) == paid
    assert found.equivalent == instead
    assert Fraction(found.not_busy) == sum(Fraction(row.reserved - row.busy, H) for row in rows) * 5
    assert Fraction(found.not_allocated) == sum(Fraction(row.reserved - row.allocated, H) for row in rows) * 5
    if instead:
        assert abs(Fraction(found.rate) - (1 - paid / instead)) < Fraction(1, 10**20)
    else:
        assert found.rate is None


@given(st.integers(1, 8))
def test_reserving_saves_exactly_where_busy_is_above_the_break_even(busy: int) -> None:
    row = lawful(0, busy=busy * H, known=8 * H)
    above = totals_of([row]).busy_paid_share - Decimal("0.5")
    rate = savings(row).rate
    assert (rate > 0, rate == 0) == (above > 0, above == 0)


def test_hours_in_which_busy_is_not_known_count_on_neither_side() -> None:
    known = lawful(0, busy=4 * H, known=8 * H)
    assert savings(known, bare(1)).rate == savings(known).rate
    assert savings(known, bare(1)).not_busy == savings(known).not_busy


def test_what_is_not_known_is_not_zero() -> None:
    found = savings(bare(0))
    assert (found.spent, found.equivalent, found.not_busy, found.not_allocated, found.rate) == (None,) * 5
    assert savings(lawful(0), terms=Terms()).why_not == "no price is known for this pool."


def test_without_an_on_demand_price_there_is_waste_and_no_rate() -> None:
    terms = Terms([PriceSpan(date(2026, 1, 1), None, "USD", Unit.NODE_HOUR, None, Decimal(40))])
    found = savings(lawful(0, busy=4 * H, known=8 * H), terms=terms)
    assert (found.equivalent, found.rate) == (None, None)
    assert found.not_busy is not None


def test_each_part_has_the_price_of_its_day() -> None:
    change = date(2026, 5, 5)
    dear = PriceSpan(change, None, "USD", Unit.NODE_HOUR, Decimal(160), Decimal(80))
    cheap = PriceSpan(date(2026, 1, 1), change, "USD", Unit.NODE_HOUR, Decimal(80), Decimal(40))
    whole: Totals = totals_of([lawful(0, busy=4 * H, known=8 * H)])
    found = savings_of([(AT, whole), (AT + timedelta(days=1), whole)], terms=Terms([cheap, dear]), gpus_per_node=EIGHT)
    assert found.equivalent == 4 * 10 + 4 * 20


def test_several_pools_are_added_in_one_currency_and_what_is_left_out_is_named() -> None:
    usd, eur = Savings("USD", Decimal(60), Decimal(100)), Savings("EUR", Decimal(1), Decimal(2))
    unknown = Savings("USD", Decimal(9))
    together = added_savings({"a": usd, "b": usd, "c": unknown})
    assert (together.spent, together.rate, together.left_out) == (120, Decimal("0.4"), ("c",))
    assert added_savings({"a": usd, "b": eur}).spent is None
    assert "more than one currency" in added_savings({"a": usd, "b": eur}).why_not


def test_coverage_is_the_reserved_part_of_what_ran_and_unknown_where_either_is() -> None:
    assert UsedGpus(Decimal(60), Decimal(20)).coverage == Decimal("0.75")
    assert UsedGpus(Decimal(60), Decimal(0)).coverage == 1
    assert UsedGpus(Decimal(0), Decimal(0)).coverage is None
    assert UsedGpus(Decimal(60), None).coverage is None
    assert UsedGpus(None, Decimal(20)).coverage is None
    assert added_gpus([UsedGpus(Decimal(60), Decimal(20)), UsedGpus(Decimal(20), None)]).coverage is None
