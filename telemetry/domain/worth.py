"""What totals are worth: each part of the hours at the price of its days, and the break-even they make together."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal

from reservations.domain.break_even import UnableToBreakEven, break_even_share
from reservations.domain.pricing import PriceKind, PriceSpan, span_on
from reservations.domain.shortage import ShortageSpan
from reservations.domain.terms import Terms
from telemetry.domain.rates import Rates
from telemetry.domain.totals import Totals, UseTotals
from telemetry.domain.waterfall import STEPS

Part = tuple[datetime, Totals]
"""Totals of hours on days of one price, and the instant at which they begin."""

UsePart = tuple[datetime, UseTotals]
"""The same of use alone."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What was paid and what idle time cost in one currency; None is unknown."""

    currency: str
    paid: Decimal | None
    idle: Decimal | None


@dataclass(frozen=True, slots=True)
class Worth:
    """Money in one currency; None is unknown, and ``why_not`` (``why_no_even``) says why in a sentence.

    ``paid`` and ``steps`` (the waterfall's, by name) are at the reserved price, ``on_demand`` is what was paid for at
    the on-demand price, and ``without`` the same hours with launches that fail; ``unusable`` is the part of ``paid``
    that was billed outside the usable life. ``adjusted`` is the break-even against ``without``, ``shortages`` the
    records behind it. ``derived`` says of what reserved prices are made that nobody quoted. ``unpriced`` names the
    pools left out of a sum.
    """

    currency: str = ""
    paid: Decimal | None = None
    on_demand: Decimal | None = None
    idle: Decimal | None = None
    unusable: Decimal | None = None
    steps: Mapping[str, Decimal | None] = field(default_factory=dict)
    break_even: Decimal | None = None
    without: Decimal | None = None
    adjusted: Decimal | None = None
    shortages: tuple[ShortageSpan, ...] = ()
    derived: tuple[str, ...] = ()
    why_not: str = ""
    why_no_idle: str = ""
    why_no_even: str = ""
    why_no_adjusted: str = ""
    unpriced: tuple[str, ...] = ()


def no_worth(why: str) -> Worth:
    """No money at all, for one reason."""
    return Worth(why_not=why, why_no_idle=why, why_no_even=why, why_no_adjusted=why)


def worth_of(parts: Sequence[Part], *, terms: Terms, gpus_per_node: Decimal) -> Worth:
    """What the totals of one pool are worth; without amounts and with the reason where they cannot be given.

    Every part lies within days on which nothing of the terms changes, so that the sums are those of the single hours.
    """

    def steps(reserved: Rates) -> dict[str, Decimal | None]:
        if len(parts) == 1:  # as it is in most months
            of_one = parts[0][1].steps()
            return {name: reserved.known_cost((of_one[name],)) for name in STEPS}
        of_parts = [totals.steps() for _, totals in parts]
        return {name: reserved.known_cost([amounts[name] for amounts in of_parts]) for name in STEPS}

    return _worth_of(parts, terms, gpus_per_node, steps)


def worth_of_use(parts: Sequence[UsePart], *, terms: Terms, gpus_per_node: Decimal) -> Worth:
    """The same without what each step is worth, of which use knows nothing."""
    return _worth_of(parts, terms, gpus_per_node, lambda _: {})


def _worth_of(
    parts: Sequence[UsePart],
    terms: Terms,
    gpus_per_node: Decimal,
    steps: Callable[[Rates], Mapping[str, Decimal | None]],
) -> Worth:
    prices = terms.quotes
    if not prices:
        return no_worth("no price is known for this pool.")
    if len(prices) > 1 and len({span.currency for span in prices}) > 1:
        return no_worth("the prices of these days are in more than one currency.")
    days = [at.astimezone(UTC).date() for at, _ in parts]
    spans = [span_on(prices, day) for day in days]
    reserved = Rates.of(spans, PriceKind.RESERVED, gpus_per_node)
    whole = [totals for _, totals in parts]
    bills = [totals.paid for totals in whole]
    paid = reserved.cost(bills)
    if paid is None:
        return no_worth("some of these days have no reserved price.")
    idle = reserved.known_cost([totals.idle for totals in whole])
    on_demand = Rates.of(spans, PriceKind.ON_DEMAND, gpus_per_node).cost(bills)
    even, why_no_even = _break_even(paid, on_demand)
    held = _shortages(terms.shortages, days, bills)
    without, why_no_without = _without(spans, held, bills, gpus_per_node)
    adjusted, why_no_adjusted = _adjusted(paid, without, why_no_without)
    return Worth(
        currency=prices[0].currency,
        paid=paid,
        on_demand=on_demand,
        idle=idle,
        unusable=reserved.cost([(totals.paid or 0) - (totals.reserved or 0) for totals in whole]),
        steps=steps(reserved),
        break_even=even,
        without=without,
        adjusted=adjusted,
        shortages=tuple(dict.fromkeys(one for one in held if one is not None)),
        derived=tuple(dict.fromkeys(span.source for span in spans if span is not None and span.derived)),
        why_no_idle="" if idle is not None else "idle time is not known in any of these hours.",
        why_no_even=why_no_even,
        why_no_adjusted=why_no_adjusted,
    )


def _shortages(
    records: Sequence[ShortageSpan], days: Sequence[date], bills: Sequence[int | None]
) -> list[ShortageSpan | None]:
    """The record of each part, None where none holds or nothing was billed."""
    return [span_on(records, day) if bill else None for day, bill in zip(days, bills, strict=True)]


def _without(
    spans: Sequence[PriceSpan | None],
    held: Sequence[ShortageSpan | None],
    bills: Sequence[int | None],
    gpus_per_node: Decimal,
) -> tuple[Decimal | None, str]:
    """What the billed hours would have cost without the reservation where launches fail; or None and why."""
    billed = [(span, one) for span, one, bill in zip(spans, held, bills, strict=True) if bill]
    known = [(span, one) for span, one in billed if one is not None]
    if len(known) < len(billed):
        return None, f"no shortage is recorded for {'these' if not known else 'some of these'} days."
    mixed = sorted({one.currency for span, one in known if span is not None and one.currency != span.currency})
    if mixed:
        return None, f"the shortage cost is recorded in {' and '.join(mixed)}, not in the currency of the prices."
    cost = Rates.without(spans, held, gpus_per_node).cost(bills)
    return (cost, "") if cost is not None else (None, "some of these days have no on-demand price.")


def spent_by_currency(worths: Iterable[Worth]) -> tuple[Spent, ...]:
    """What several pools were paid for, each currency by itself, by its code; amounts of two are never added."""
    by_currency: dict[str, list[Worth]] = {}
    for worth in worths:
        if worth.paid is not None:
            by_currency.setdefault(worth.currency, []).append(worth)
    return tuple(
        Spent(currency, _sum(worth.paid for worth in some), _sum(worth.idle for worth in some))
        for currency, some in sorted(by_currency.items())
    )


def added_worth(worths: Mapping[str, Worth]) -> Worth:
    """What several pools are worth together, by their names; those without a price are left out and named.

    Without amounts where none has any or their currencies differ: amounts of two currencies are never added.
    """
    priced = [worth for worth in worths.values() if worth.paid is not None]
    left_out = tuple(sorted(name for name, worth in worths.items() if worth.paid is None))
    if len(worths) == 1:
        return next(iter(worths.values()))
    if not priced:
        whys = {worth.why_not for worth in worths.values()}
        return no_worth(whys.pop() if len(whys) == 1 else "no price is known for any of these pools.")
    if len({worth.currency for worth in priced}) > 1:
        return no_worth("the pools' prices are in more than one currency.")
    paid, on_demand = _sum(worth.paid for worth in priced), _all(worth.on_demand for worth in priced)
    even, why_no_even = _break_even(paid, on_demand)
    without, why_no_without = _all_without(worths)
    adjusted, why_no_adjusted = _adjusted(paid, without, why_no_without)
    idle = _sum(worth.idle for worth in priced)
    return Worth(
        currency=priced[0].currency,
        paid=paid,
        on_demand=on_demand,
        idle=idle,
        unusable=_sum(worth.unusable for worth in priced),
        steps={name: _sum(worth.steps.get(name) for worth in priced) for name in STEPS},
        break_even=even,
        without=without,
        adjusted=adjusted,
        why_no_idle="" if idle is not None else "idle time is not known in any of these hours.",
        why_no_even=why_no_even,
        why_no_adjusted=why_no_adjusted,
        unpriced=left_out,
    )


def _break_even(paid: Decimal | None, on_demand: Decimal | None) -> tuple[Decimal | None, str]:
    """Σ paid at the reserved price ÷ Σ paid at the on-demand price; or None and why there is none."""
    if on_demand is None:
        return None, "some of these days have no on-demand price."
    try:
        return break_even_share(reserved=paid, on_demand=on_demand), ""
    except UnableToBreakEven as unable:
        return None, f"{unable}."


def _adjusted(paid: Decimal | None, without: Decimal | None, why_no_without: str) -> tuple[Decimal | None, str]:
    """Σ paid at the reserved price ÷ what the same hours cost without the reservation; or None and why."""
    if without is None:
        return None, why_no_without
    if without == 0:
        return None, "an hour without the reservation costs nothing, so there is nothing to break even with."
    try:
        return break_even_share(reserved=paid, on_demand=without), ""
    except UnableToBreakEven as unable:
        return None, f"{unable}."


def _all_without(worths: Mapping[str, Worth]) -> tuple[Decimal | None, str]:
    """The sum over all pools that have a price; or None and why, since one pool without q and L leaves it open."""
    priced = {name: worth for name, worth in worths.items() if worth.paid is not None}
    lacking = sorted(name for name, worth in priced.items() if worth.without is None)
    if not lacking:
        return _sum(worth.without for worth in priced.values()), ""
    whys = {priced[name].why_no_adjusted for name in lacking}
    if len(lacking) == len(priced) and len(whys) == 1:
        return None, whys.pop()
    return None, f"it is not known for {', '.join(lacking)}."


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal(0)) if known else None


def _all(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """Their sum, None where one of them is unknown."""
    rows = list(amounts)
    return None if None in rows else _sum(rows)
