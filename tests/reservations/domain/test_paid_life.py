"""What one reservation cost, against a sum of every minute by itself."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from reservations.domain.held import SizeSpan
from reservations.domain.membership_spans import Backing
from reservations.domain.paid_life import Life, billed, cost_so_far, fee_so_far, gpu_ms_in, instance_ms
from reservations.domain.pricing import PriceSpan, Unit

START = datetime(2026, 3, 1, tzinfo=UTC)


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def price(first: int, last: int | None, reserved: str, unit: Unit = Unit.NODE_HOUR) -> PriceSpan:
    days = [None if day is None else date(2026, 3, day) for day in (first, last)]
    return PriceSpan(days[0], days[1], "USD", unit, reserved=Decimal(reserved))


LIFE = Life(
    sizes=(SizeSpan(at(0), at(24), 2), SizeSpan(at(24), None, 3)),
    backings=(Backing(7, None, at(36)), Backing(8, at(40), None)),
    gpus_each=Decimal(8),
    start_at=at(0),
    end_at=at(96),
)


def test_days_pools_and_sizes_each_have_their_own_price() -> None:
    prices = {
        7: [price(1, 2, "10"), price(2, None, "20")],
        8: [price(1, None, "1", Unit.GPU_HOUR)],
        None: [price(1, None, "5")],
    }
    cost = cost_so_far(LIFE, as_of=at(48), prices=prices, gpus={7: Decimal(8), 8: Decimal(4)})
    assert cost is not None
    assert cost.amounts == {"USD": Decimal(2 * 24 * 10 + 3 * 12 * 20 + 3 * 4 * 5 + 3 * 8 * 4)}
    assert cost.unpriced_gpu_ms == 0


def test_what_has_no_price_is_counted_and_never_nothing() -> None:
    cost = cost_so_far(LIFE, as_of=at(24), prices={7: [price(2, None, "20")]}, gpus={7: Decimal(8), 8: Decimal(8)})
    assert cost is not None
    assert (cost.amounts, cost.unpriced_gpu_ms) == ({}, 2 * 24 * 8 * 3_600_000)


def test_time_in_some_pools_is_counted_by_their_gpus() -> None:
    told = {ids: gpu_ms_in(ids, LIFE, as_of=at(48), gpus={7: Decimal(8), 8: Decimal(4)}) for ids in ((), (7,), (7, 8))}
    in_seven, in_eight = (2 * 24 + 3 * 12) * 8 * 3_600_000, 3 * 8 * 4 * 3_600_000
    assert told == {(): 0, (7,): in_seven, (7, 8): in_seven + in_eight}


def test_without_gpus_and_without_a_pool_it_is_unknown() -> None:
    life = Life(LIFE.sizes, (), None, LIFE.start_at, LIFE.end_at)
    assert cost_so_far(life, as_of=at(24), prices={}, gpus={}) is None


def test_nothing_is_billed_before_the_start_or_after_the_end() -> None:
    life = Life((SizeSpan(at(-10), None, 2),), (), Decimal(8), at(0), at(10))
    assert billed(life, until=at(50)) == (SizeSpan(at(0), at(10), 2),)
    assert billed(life, until=at(-1)) == ()
    assert instance_ms(billed(Life(life.sizes, (), None, at(0), None), until=None)) is None


def test_a_fee_is_shared_out_over_what_is_billed_in_all() -> None:
    assert fee_so_far(Decimal(100), LIFE, as_of=at(24)) == Decimal("18.18")  # 48 of 264 instance-hours
    assert fee_so_far(Decimal(100), LIFE, as_of=at(1000)) == Decimal("100.00")
    assert fee_so_far(Decimal(100), Life(LIFE.sizes, (), None, at(0), None), as_of=at(24)) is None


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.integers(1, 60), st.integers(0, 4)), min_size=1, max_size=3),
    st.integers(0, 120),
    st.integers(0, 100),
)
def test_every_hour_by_itself_adds_up_to_the_same(steps: list[tuple[int, int]], until: int, moved: int) -> None:
    sizes, begun = [], 0
    for hours, many in steps:
        sizes.append(SizeSpan(at(begun), at(begun + hours), many))
        begun += hours
    backings = (Backing(1, None, at(moved)), Backing(2, at(moved), None))
    life = Life(tuple(sizes), backings, Decimal(8), at(0), None)
    prices = {1: [price(1, 3, "7"), price(3, None, "11")], 2: [price(1, None, "13")]}
    cost = cost_so_far(life, as_of=at(until), prices=prices, gpus={1: Decimal(8), 2: Decimal(4)})
    expected = Fraction(0)
    for hour in range(min(until, begun)):
        many = next(
            size.instances for size in sizes if size.start <= at(hour) and (size.end or at(hour + 1)) > at(hour)
        )
        each = (7 if at(hour).day < 3 else 11) if hour < moved else 13
        expected += many * each
    assert cost is not None
    assert sum(cost.amounts.values()) == expected
