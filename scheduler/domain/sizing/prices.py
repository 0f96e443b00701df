"""What a node-hour costs reserved, on demand and not to be had: what every size is weighed with (docs/sizing.md)."""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from reservations.domain.break_even import Shortage, adjusted_break_even_share, break_even_share
from reservations.domain.pricing import EXACT, PriceKind

MOST_PRICE = Decimal(10) ** 9
MOST_PLACES = 12
"""Figures with more decimals than that come from a division that somebody forgot to round."""


class UnableToSize(ValueError):
    """A size can't be worked out from what was given; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class ShortageTerms:
    """q of all launches fail and each failed one costs L per node-hour; UnableToSize for what is neither."""

    fail_probability: Decimal
    shortage_cost: Decimal
    convention: Shortage = Shortage.EXTRA

    def __post_init__(self) -> None:
        _check_number("the fail probability", self.fail_probability)
        _check_number("the shortage cost", self.shortage_cost)
        if not 0 <= self.fail_probability <= 1:
            raise UnableToSize(f"the fail probability is {self.fail_probability}: give one from 0 to 1")
        if self.shortage_cost < 0:
            raise UnableToSize(f"the shortage cost is {self.shortage_cost}: it can't be below 0")

    @property
    def expected(self) -> Decimal:
        """q·L: what an hour of overflow costs on average because it could not be had."""
        return EXACT.multiply(self.fail_probability, self.shortage_cost)

    def paid(self, price: Decimal) -> Decimal:
        """What an hour of overflow is paid on average: the price, or (1 − q) of it where failed work is not run."""
        if self.convention is Shortage.EXTRA:
            return price
        return EXACT.multiply(EXACT.subtract(Decimal(1), self.fail_probability), price)


@dataclass(frozen=True, slots=True)
class SizingPrices:
    """Prices per node-hour in one currency (blank: not said); ``shortage`` None where q and L are unknown.

    UnableToSize for a price that is not above 0, not finite or beyond reason: a price of 0 is no price.
    """

    on_demand: Decimal
    reserved: Decimal
    currency: str = ""
    shortage: ShortageTerms | None = None

    def __post_init__(self) -> None:
        for name, price in (("on-demand", self.on_demand), ("reserved", self.reserved)):
            _check_price(name, price)
        terms = self.shortage
        if terms is not None and terms.paid(self.on_demand) == 0 == terms.expected:
            raise UnableToSize("an hour that could not be had would cost nothing, so there is nothing to weigh it with")

    @property
    def ratio(self) -> Fraction:
        """u* = p_res ÷ p_od, exact: what the share of a node's hours must exceed."""
        return Fraction(self.reserved) / Fraction(self.on_demand)

    @property
    def adjusted_ratio(self) -> Fraction | None:
        """u*_a = p_res ÷ (what an hour of overflow is paid + q·L), exact; None without q and L."""
        if self.shortage is None:
            return None
        return Fraction(self.reserved) / Fraction(self.overflow_hour)

    @property
    def overflow_hour(self) -> Decimal:
        """What a node-hour above the reservation costs on average, with the shortage where it is known."""
        if self.shortage is None:
            return self.on_demand
        with localcontext(EXACT):
            return self.shortage.paid(self.on_demand) + self.shortage.expected

    @property
    def break_even(self) -> Decimal:
        """u* to sixty digits."""
        share = break_even_share(reserved=self.reserved, on_demand=self.on_demand)
        assert share is not None  # nosec B101
        return share

    @property
    def adjusted_break_even(self) -> Decimal | None:
        """u*_a to sixty digits; None without q and L."""
        terms = self.shortage
        if terms is None:
            return None
        return adjusted_break_even_share(
            reserved=self.reserved,
            on_demand=self.on_demand,
            fail_probability=terms.fail_probability,
            shortage_cost=terms.shortage_cost,
            convention=terms.convention,
        )

    @property
    def without_shortage(self) -> "SizingPrices":
        """The same prices with q and L left out."""
        return SizingPrices(self.on_demand, self.reserved, self.currency)


OVERFLOW_KINDS = (PriceKind.ON_DEMAND, PriceKind.SPOT, PriceKind.FLEX)


@dataclass(frozen=True, slots=True)
class WorkloadOverflow:
    """How a workload's overflow is bought, and what a node-hour of it costs; UnableToSize for a price of 0 or less."""

    workload: str
    kind: PriceKind
    price: Decimal

    def __post_init__(self) -> None:
        if self.kind not in OVERFLOW_KINDS:
            raise UnableToSize(f"overflow can't be bought {self.kind}: on_demand, spot or flex")
        if not self.price.is_finite() or self.price <= 0:
            raise UnableToSize(f"the {self.kind} price of {self.workload} is {self.price}: give one above 0")


def price_warnings(prices: SizingPrices) -> tuple[str, ...]:
    """What is legal and hardly meant about prices, a sentence each."""
    if prices.reserved < prices.on_demand:
        return ()
    how = "costs as much as" if prices.reserved == prices.on_demand else "is dearer than"
    return (
        f"the reserved price {prices.reserved:f} {how} the on-demand price {prices.on_demand:f}: "
        "by price alone no node is worth reserving",
    )


def _check_price(name: str, price: Decimal) -> None:
    _check_number(f"the {name} price", price)
    if price == 0:
        raise UnableToSize(f"the {name} price is 0: that is no price, and an unknown one is left out")
    if price < 0:
        raise UnableToSize(f"the {name} price is {price}: a price can't be below 0")


def _check_number(what: str, value: Decimal) -> None:
    if not value.is_finite():
        raise UnableToSize(f"{what} is {value}, which is not a number")
    if abs(value) > MOST_PRICE:
        raise UnableToSize(f"{what} is {value}, more than can be")
    exponent = value.normalize(EXACT).as_tuple().exponent
    if isinstance(exponent, int) and exponent < -MOST_PLACES:
        raise UnableToSize(f"{what} has more than {MOST_PLACES} decimals: round it")
