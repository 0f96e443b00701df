"""A block's fee by the paid hour: which days it is on, beside which quotes, and what must be known for it."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from reservations.domain.block_fee import FeeSpan, extension_fees, fee_per_node_hour, with_block_fees
from reservations.domain.pricing import PriceSpan, Unit

BLOCK = FeeSpan(
    start=date(2026, 5, 4),
    end=date(2026, 5, 9),
    name="cr-0blk",
    fee=Decimal(4800),
    currency="USD",
    paid_hours=Fraction(4 * 96),
    usable_hours=Fraction(4 * 96 - 2),
    gpus_per_node=Decimal(8),
)
QUOTE = PriceSpan(date(2026, 1, 1), None, "USD", Unit.NODE_HOUR, on_demand=Decimal(20), source="list", of_pool=True)


def told(quotes: list[PriceSpan], *fees: FeeSpan) -> list[tuple[str, str | None, Decimal | None, bool]]:
    found = with_block_fees(quotes, list(fees))
    return [(str(one.start), one.end and str(one.end), one.reserved, one.derived) for one in found]


def test_the_fee_is_spread_over_paid_hours_and_stands_on_the_block_s_days_alone() -> None:
    assert told([QUOTE], BLOCK) == [
        ("2026-01-01", "2026-05-04", None, False),
        ("2026-05-04", "2026-05-09", Decimal("12.5"), True),
        ("2026-05-09", None, None, False),
    ]
    (alone,) = with_block_fees([], [BLOCK])
    assert (alone.reserved, alone.on_demand, alone.source) == (
        Decimal("12.5"),
        None,
        "fee of cr-0blk ÷ 384 paid node-hours (382 of them usable)",
    )
    usable = fee_per_node_hour([BLOCK], usable=True)
    assert usable is not None
    assert usable[0] > Decimal("12.5")


def test_a_reserved_price_of_the_pool_s_own_is_kept_and_one_of_its_shape_gives_way() -> None:
    own = replace(QUOTE, reserved=Decimal(15))
    assert {reserved for _, _, reserved, _ in told([own], BLOCK)} == {Decimal(15)}
    of_shape = replace(own, of_pool=False)
    assert told([of_shape], BLOCK)[1] == ("2026-05-04", "2026-05-09", Decimal("12.5"), True)


def test_a_quote_by_the_gpu_hour_gets_a_price_by_the_gpu_hour() -> None:
    made = with_block_fees([replace(QUOTE, unit=Unit.GPU_HOUR)], [BLOCK])[1]
    assert (made.unit, made.reserved) == (Unit.GPU_HOUR, Decimal("1.5625"))


def test_nothing_is_derived_where_a_fee_or_a_life_is_unknown_or_a_currency_is_another() -> None:
    for other in (
        replace(BLOCK, name="cr-1", fee=None),
        replace(BLOCK, name="cr-1", paid_hours=None),
        replace(BLOCK, name="cr-1", currency="EUR"),
    ):
        assert not any(derived for *_, derived in told([QUOTE], BLOCK, other))
    assert not any(derived for *_, derived in told([replace(QUOTE, currency="EUR")], BLOCK))
    assert told([QUOTE]) == [("2026-01-01", None, None, False)]


def test_blocks_at_once_cost_what_they_cost_together() -> None:
    small = replace(BLOCK, name="cr-1", fee=Decimal(1200), paid_hours=Fraction(32), end=date(2026, 5, 6))
    both, rest = told([], BLOCK, small)
    assert (both[:2], round(both[2] or 0, 20)) == (
        ("2026-05-04", "2026-05-06"),
        round(Decimal(6000) / Decimal(416), 20),
    )
    assert rest == ("2026-05-06", "2026-05-09", Decimal("12.5"), True)


def test_only_extensions_that_were_paid_count_and_what_can_not_be_read_is_unknown() -> None:
    paid = {"CapacityBlockExtensionStatus": "payment-succeeded", "UpfrontFee": "1200.50", "CurrencyCode": "USD"}
    pending = paid | {"CapacityBlockExtensionStatus": "payment-pending"}
    assert extension_fees([paid, pending, paid], currency="USD") == Decimal("2401.00")
    assert extension_fees([paid | {"UpfrontFee": "a lot"}], currency="USD") is None
    assert extension_fees([paid | {"CurrencyCode": "EUR"}], currency="USD") is None
    assert extension_fees(["?"], currency="USD") is None
