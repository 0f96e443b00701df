"""What totals are worth: each part of the hours at the price of its days, and the break-even they make together."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal

from reservations.domain.break_even import UnableToBreakEven, break_even_share
from reservations.domain.pricing import PriceKind, PriceSpan, money, price_of_gpu_ms
from telemetry.domain.totals import Totals, UseTotals
from telemetry.domain.waterfall import STEPS

NOTHING = money(0, 1)

Part = tuple[datetime, Totals]
"""Totals of hours on days of one price, and the instant at which they begin."""

UsePart = tuple[datetime, UseTotals]
"""The same of use alone."""


@dataclass(frozen=True, slots=True)
class Worth:
    """Money in one currency; None is unknown, and ``why_not`` (``why_no_even``) says why in a sentence.

    ``paid`` and ``steps`` (the waterfall's, by name) are at the reserved price, ``on_demand`` is what was paid for at
    the on-demand price; ``unusable`` is the part of ``paid`` that was billed outside the usable life. ``unpriced``
    names the pools left out of a sum.
    """

    currency: str = ""
    paid: Decimal | None = None
    on_demand: Decimal | None = None
    idle: Decimal | None = None
    unusable: Decimal | None = None
    steps: Mapping[str, Decimal | None] = field(default_factory=dict)
    break_even: Decimal | None = None
    why_not: str = ""
    why_no_idle: str = ""
    why_no_even: str = ""
    unpriced: tuple[str, ...] = ()


def no_worth(why: str) -> Worth:
    """No money at all, for one reason."""
    return Worth(why_not=why, why_no_idle=why, why_no_even=why)


def worth_of(parts: Sequence[Part], *, prices: Sequence[PriceSpan], gpus_per_node: Decimal) -> Worth:
    """What the totals of one pool are worth; without amounts and with the reason where they cannot be given.

    Every part lies within the days of one price, so that the sums are those of the single hours.
    """

    def steps(reserved: _Rates) -> dict[str, Decimal | None]:
        of_parts = [totals.steps() for _, totals in parts]
        return {name: reserved.known_cost([amounts[name] for amounts in of_parts]) for name in STEPS}

    return _worth_of(parts, prices, gpus_per_node, steps)


def worth_of_use(parts: Sequence[UsePart], *, prices: Sequence[PriceSpan], gpus_per_node: Decimal) -> Worth:
    """The same without what each step is worth, of which use knows nothing."""
    return _worth_of(parts, prices, gpus_per_node, lambda _: {})


def _worth_of(
    parts: Sequence[UsePart],
    prices: Sequence[PriceSpan],
    gpus_per_node: Decimal,
    steps: Callable[["_Rates"], Mapping[str, Decimal | None]],
) -> Worth:
    if not prices:
        return no_worth("no price is known for this pool.")
    if len(prices) > 1 and len({span.currency for span in prices}) > 1:
        return no_worth("the prices of these days are in more than one currency.")
    spans = [next((span for span in prices if span.covers(at.astimezone(UTC).date())), None) for at, _ in parts]
    reserved = _Rates.of(spans, PriceKind.RESERVED, gpus_per_node)
    whole = [totals for _, totals in parts]
    paid = reserved.cost([totals.paid for totals in whole])
    if paid is None:
        return no_worth("some of these days have no reserved price.")
    idle = reserved.known_cost([totals.idle for totals in whole])
    on_demand = _Rates.of(spans, PriceKind.ON_DEMAND, gpus_per_node).cost([totals.paid for totals in whole])
    even, why_no_even = _break_even(paid, on_demand)
    return Worth(
        currency=prices[0].currency,
        paid=paid,
        on_demand=on_demand,
        idle=idle,
        unusable=reserved.cost([(totals.paid or 0) - (totals.reserved or 0) for totals in whole]),
        steps=steps(reserved),
        break_even=even,
        why_no_idle="" if idle is not None else "idle time is not known in any of these hours.",
        why_no_even=why_no_even,
    )


def added_worth(worths: Mapping[str, Worth]) -> Worth:
    """What several pools are worth together, by their names; those without a price are left out and named.

    Without amounts where none has any or their currencies differ: amounts of two currencies are never added.
    """
    priced = [worth for worth in worths.values() if worth.paid is not None]
    left_out = tuple(sorted(name for name, worth in worths.items() if worth.paid is None))
    if not priced:
        whys = {worth.why_not for worth in worths.values()}
        return no_worth(whys.pop() if len(whys) == 1 else "no price is known for any of these pools.")
    if len({worth.currency for worth in priced}) > 1:
        return no_worth("the pools' prices are in more than one currency.")
    paid, on_demand = _sum(worth.paid for worth in priced), _all(worth.on_demand for worth in priced)
    even, why_no_even = _break_even(paid, on_demand)
    idle = _sum(worth.idle for worth in priced)
    return Worth(
        currency=priced[0].currency,
        paid=paid,
        on_demand=on_demand,
        idle=idle,
        unusable=_sum(worth.unusable for worth in priced),
        steps={name: _sum(worth.steps.get(name) for worth in priced) for name in STEPS},
        break_even=even,
        why_no_idle="" if idle is not None else "idle time is not known in any of these hours.",
        why_no_even=why_no_even,
        unpriced=left_out,
    )


@dataclass(frozen=True, slots=True)
class _Rates:
    """The exact price of a GPU-millisecond in each part, as numerator and denominator; None where none is known."""

    of_parts: Sequence[tuple[int, int] | None]

    @classmethod
    def of(cls, spans: Sequence[PriceSpan | None], kind: PriceKind, gpus: Decimal) -> "_Rates":
        rates = [price_of_gpu_ms(span, kind=kind, gpus_per_node=gpus) if span else None for span in spans]
        return cls([None if rate is None else rate.as_integer_ratio() for rate in rates])

    def cost(self, amounts: Sequence[int | None]) -> Decimal | None:
        """What the parts' GPU-milliseconds cost together; None where a part with some of them has no price."""
        if len(amounts) == 1:  # as it is in most months
            return self._of_one(amounts[0])
        numerator, denominator = 0, 1
        for gpu_ms, rate in zip(amounts, self.of_parts, strict=True):
            if not gpu_ms:
                continue
            if rate is None:
                return None
            if rate[1] == denominator:
                numerator += gpu_ms * rate[0]
            else:
                numerator = numerator * rate[1] + gpu_ms * rate[0] * denominator
                denominator *= rate[1]
        return money(numerator, denominator)

    def known_cost(self, amounts: Sequence[int | None]) -> Decimal | None:
        """The same, and None too where every amount is unknown."""
        return None if all(gpu_ms is None for gpu_ms in amounts) else self.cost(amounts)

    def _of_one(self, gpu_ms: int | None) -> Decimal | None:
        if not gpu_ms:
            return NOTHING
        rate = self.of_parts[0]
        return None if rate is None else money(gpu_ms * rate[0], rate[1])


def _break_even(paid: Decimal | None, on_demand: Decimal | None) -> tuple[Decimal | None, str]:
    """Σ paid at the reserved price ÷ Σ paid at the on-demand price; or None and why there is none."""
    if on_demand is None:
        return None, "some of these days have no on-demand price."
    try:
        return break_even_share(reserved=paid, on_demand=on_demand), ""
    except UnableToBreakEven as unable:
        return None, f"{unable}."


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal(0)) if known else None


def _all(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """Their sum, None where one of them is unknown."""
    rows = list(amounts)
    return None if None in rows else _sum(rows)
