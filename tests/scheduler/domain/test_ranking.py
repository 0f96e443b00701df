"""Whatever is found, what costs most stands first, and money of two currencies is never one sum."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.attention.item import Item, Kind, NextStep, Price, Weekly, week_of, weekly_cost
from scheduler.domain.attention.ranking import of_kinds, ranked, unpriced, weekly_sums

STEP = NextStep("Look", "somewhere")
GPU_MS = st.integers(0, 10**13)
MONEY = st.decimals(0, 10**7, places=6)
PRICED = st.builds(Weekly, GPU_MS, MONEY, st.sampled_from(["USD", "EUR", "JPY"]))
UNPRICED = st.builds(Weekly, GPU_MS, why_not=st.just("price unknown"))
ITEMS = st.lists(
    st.builds(
        Item,
        kind=st.sampled_from(Kind),
        name=st.text("ab", max_size=3),
        sentence=st.text("xy", max_size=2),
        step=st.just(STEP),
        since=st.none() | st.integers(0, 400).map(lambda days: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=days)),
        weekly=st.none() | PRICED | UNPRICED,
        decide_on=st.none() | st.dates(date(2026, 1, 1), date(2027, 1, 1)),
    ),
    max_size=25,
)


@given(ITEMS)
def test_within_a_currency_the_dearer_comes_first_and_each_currency_stands_together(items: list[Item]) -> None:
    order = ranked(items)
    assert sorted(map(repr, order)) == sorted(map(repr, items))
    priced = [item.weekly for item in order if item.weekly is not None and item.weekly.money is not None]
    changes = sum(one.currency != other.currency for one, other in pairwise(priced))
    assert changes == max(0, len({one.currency for one in priced}) - 1)
    for one, other in pairwise(priced):
        assert one.currency != other.currency or one.money >= other.money


@given(ITEMS)
def test_money_comes_before_gpu_hours_and_both_before_what_costs_nothing(items: list[Item]) -> None:
    def rank(item: Item) -> int:
        return 2 if item.weekly is None else 0 if item.weekly.money is not None else 1

    order = ranked(items)
    assert [rank(item) for item in order] == sorted(rank(item) for item in items)
    gpu_ms = [item.weekly.gpu_ms for item in order if rank(item) == 1]
    assert gpu_ms == sorted(gpu_ms, reverse=True)
    dates = [item.decide_on for item in order if rank(item) == 2]
    dated = [one for one in dates if one is not None]
    assert dates == [*sorted(dated), *[None] * (len(dates) - len(dated))]


@given(ITEMS)
def test_sums_are_those_of_each_currency_alone_and_leave_out_what_has_no_price(items: list[Item]) -> None:
    sums = weekly_sums(items)
    for currency in ("USD", "EUR", "JPY"):
        told = [
            Fraction(i.weekly.money)
            for i in items
            if i.weekly and i.weekly.currency == currency and i.weekly.money is not None
        ]
        assert Fraction(sums.get(currency, Decimal(0))) == sum(told)
        assert (currency in sums) == bool(told)
    assert unpriced(items) == sum(i.weekly.gpu_ms for i in items if i.weekly is not None and i.weekly.money is None)


@given(ITEMS, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_order_in_which_things_were_found(items: list[Item], random: object) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)
    assert list(map(repr, ranked(shuffled))) == list(map(repr, ranked(items)))


@given(ITEMS)
def test_kinds_hold_every_item_once(items: list[Item]) -> None:
    kinds = of_kinds(items)
    assert sum(map(len, kinds.values())) == len(items)
    assert list(kinds) == [kind for kind in Kind if kind in kinds]


@given(GPU_MS, st.decimals(0, 1000, places=6))
def test_a_weeks_cost_is_its_gpu_hours_times_the_price_to_a_millionth(gpu_ms: int, price: Decimal) -> None:
    exact = Fraction(gpu_ms) * Fraction(price) / 3_600_000
    weekly = weekly_cost(gpu_ms, Price(price, "USD"))
    assert abs(Fraction(weekly.money) - exact) <= Fraction(1, 2_000_000)


def test_parts_of_a_gpu_make_whole_milliseconds() -> None:
    assert week_of(Decimal("0.125")) == 168 * 3_600_000 // 8
