"""What reserving saved against what was used, and what reserved time went to waste, in money (docs/double-pay.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from decimal import Decimal

from reservations.domain.commitment_money import effective_savings_rate
from reservations.domain.pricing import EXACT, PriceKind, span_on
from reservations.domain.terms import Terms
from telemetry.domain.rates import Rates
from telemetry.domain.totals import Totals
from telemetry.domain.worth import Part


@dataclass(frozen=True, slots=True)
class Savings:
    """Money in one currency; None is unknown, and ``why_not`` says why there is none at all.

    ``spent`` is what was paid in the hours in which busy is known, ``equivalent`` their busy time on demand.
    ``not_busy`` and ``not_allocated`` are reserved time without work, and without a pod that asked for it, at the
    reserved price, each over the hours that know it. ``left_out`` names the pools a sum lacks.
    """

    currency: str = ""
    spent: Decimal | None = None
    equivalent: Decimal | None = None
    not_busy: Decimal | None = None
    not_allocated: Decimal | None = None
    why_not: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def rate(self) -> Decimal | None:
        """1 − spent ÷ equivalent; below 0 where reserving cost more; None where nothing is known to have been busy."""
        if self.spent is None or self.equivalent is None:
            return None
        return effective_savings_rate(actual=self.spent, on_demand_equivalent=self.equivalent)


@dataclass(frozen=True, slots=True)
class UsedGpus:
    """GPUs that ran on average, in reservations and on demand beside them; None is unknown.

    Each over the time in which it is known, so that time nobody looked at counts neither way.
    """

    reserved: Decimal | None
    on_demand: Decimal | None

    @property
    def coverage(self) -> Decimal | None:
        """Reserved ÷ (reserved + on demand); None where one is unknown or nothing ran."""
        if self.reserved is None or self.on_demand is None or self.reserved + self.on_demand <= 0:
            return None
        return EXACT.divide(self.reserved, EXACT.add(self.reserved, self.on_demand))


def savings_of(parts: Sequence[Part], *, terms: Terms, gpus_per_node: Decimal) -> Savings:
    """What one pool's hours saved and wasted, each part of them on days of one price."""
    if not terms.quotes:
        return Savings(why_not="no price is known for this pool.")
    if len({span.currency for span in terms.quotes}) > 1:
        return Savings(why_not="the prices of these days are in more than one currency.")
    spans = [span_on(terms.quotes, at.astimezone(UTC).date()) for at, _ in parts]
    reserved = Rates.of(spans, PriceKind.RESERVED, gpus_per_node)
    on_demand = Rates.of(spans, PriceKind.ON_DEMAND, gpus_per_node)
    whole = [totals for _, totals in parts]

    def busy(amount: Callable[[Totals], int]) -> list[int | None]:
        return [None if totals.busy is None else amount(totals) for totals in whole]

    free = [None if one.allocated is None else one.allocated_reserved - one.allocated for one in whole]
    return Savings(
        currency=terms.quotes[0].currency,
        spent=reserved.known_cost(busy(lambda one: one.busy_paid)),
        equivalent=on_demand.known_cost(busy(lambda one: one.busy or 0)),
        not_busy=reserved.known_cost(busy(lambda one: one.busy_reserved - (one.busy or 0))),
        not_allocated=reserved.known_cost(free),
    )


def added_savings(savings: Mapping[str, Savings]) -> Savings:
    """Several pools together, by their names; without amounts where their currencies differ.

    Pools of which what was spent or its equivalent is not known are left out of all sums, and named.
    """
    if len(savings) == 1:
        return next(iter(savings.values()))
    known = {name: one for name, one in savings.items() if one.spent is not None and one.equivalent is not None}
    left_out = tuple(sorted(savings.keys() - known.keys()))
    if not known:
        whys = {one.why_not for one in savings.values()}
        return Savings(why_not=whys.pop() if len(whys) == 1 else "it is not known for any of these pools.")
    currencies = {one.currency for one in known.values()}
    if len(currencies) > 1:
        return Savings(why_not="the pools' prices are in more than one currency.")
    return Savings(
        currency=currencies.pop(),
        spent=_sum(one.spent for one in known.values()),
        equivalent=_sum(one.equivalent for one in known.values()),
        not_busy=_sum(one.not_busy for one in known.values()),
        not_allocated=_sum(one.not_allocated for one in known.values()),
        left_out=left_out,
    )


def added_gpus(parts: Iterable[UsedGpus]) -> UsedGpus:
    """Several shapes together; unknown where one of them is."""
    every = list(parts)
    return UsedGpus(_all(one.reserved for one in every), _all(one.on_demand for one in every))


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal(0)) if known else None


def _all(amounts: Iterable[Decimal | None]) -> Decimal | None:
    rows = list(amounts)
    return None if None in rows else _sum(rows)
