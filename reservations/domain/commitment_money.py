"""What commitments come to: the rate they lead to, what they save, what they cover and what goes unused.

A figure nobody knows is None and never counts as 0; money of two currencies is never added.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from reservations.domain.pricing import EXACT


class UnableToAddMoney(ValueError):
    """Amounts of more than one currency; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class RatedHours:
    """Instance-hours, and the money they cost: what commitments paid of them, and the rest on demand."""

    hours: Decimal
    committed: Decimal
    on_demand: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class CommitmentDay:
    """A UTC day as the provider reports it, in money; None is unknown.

    ``cost`` is what was committed, ``used`` and ``unused`` its parts, ``on_demand_equivalent`` what the used part would
    have cost on demand. ``covered`` of ``coverable`` is in money at on-demand prices, or in hours of reserved
    instances; ``on_demand`` is what was left to pay on demand; ``hours`` are instance-hours the used part ran.
    """

    day: date
    currency: str
    cost: Decimal | None = None
    used: Decimal | None = None
    unused: Decimal | None = None
    on_demand_equivalent: Decimal | None = None
    hours: Decimal | None = None
    covered: Decimal | None = None
    coverable: Decimal | None = None
    on_demand: Decimal | None = None


@dataclass(frozen=True, slots=True)
class CommitmentFigures:
    """Some days together, each figure over the days on which all of it is known; None where there is no such day.

    Shares are of 1; ``effective_rate`` is per used instance-hour.
    """

    currency: str
    utilisation: Decimal | None
    coverage: Decimal | None
    effective_rate: Decimal | None
    savings_rate: Decimal | None
    unused: Decimal | None
    utilisation_days: int
    coverage_days: int


def effective_rate(parts: Iterable[RatedHours]) -> Decimal | None:
    """Σ (commitment used at its discounted rate + on-demand part) ÷ Σ hours, per instance-hour.

    None without any hour; UnableToAddMoney where the parts are of more than one currency.
    """
    every = list(parts)
    one_currency(part.currency for part in every)
    hours = _sum(part.hours for part in every)
    money = _sum(value for part in every for value in (part.committed, part.on_demand))
    return _ratio(money, hours)


def effective_savings_rate(*, actual: Decimal, on_demand_equivalent: Decimal) -> Decimal | None:
    """ESR = 1 − actual ÷ on-demand equivalent; below 0 where the commitment cost more than it saved.

    ``actual`` is all that was paid, the unused part of commitments too. None where nothing would have been paid.
    """
    paid = _ratio(actual, on_demand_equivalent)
    return None if paid is None else EXACT.subtract(Decimal(1), paid)


def coverage(*, covered: Decimal, coverable: Decimal) -> Decimal | None:
    """Covered ÷ all that could have been; None where there was nothing to cover."""
    return _ratio(covered, coverable)


def figures_of(days: Iterable[CommitmentDay]) -> CommitmentFigures:
    """What some days come to: sums before shares, so that a large day weighs more than a small one.

    UnableToAddMoney where the days are of more than one currency.
    """
    every = list(days)
    use = [one for one in every if one.cost is not None and one.used is not None]
    covering = [one for one in every if one.covered is not None and one.coverable is not None]
    saving = [one for one in every if one.cost is not None and one.on_demand_equivalent is not None]
    rated = [one for one in every if one.used is not None and one.hours is not None]
    unused = [one.unused for one in every if one.unused is not None]
    currency = one_currency(one.currency for one in every)
    return CommitmentFigures(
        currency=currency,
        utilisation=_ratio(_sum(one.used for one in use), _sum(one.cost for one in use)),
        coverage=coverage(
            covered=_sum(one.covered for one in covering), coverable=_sum(one.coverable for one in covering)
        ),
        effective_rate=effective_rate(
            RatedHours(one.hours or Decimal(0), one.used or Decimal(0), Decimal(0), currency) for one in rated
        ),
        savings_rate=effective_savings_rate(
            actual=_sum(one.cost for one in saving),
            on_demand_equivalent=_sum(one.on_demand_equivalent for one in saving),
        ),
        unused=_sum(unused) if unused else None,
        utilisation_days=len(use),
        coverage_days=len(covering),
    )


def one_currency(codes: Iterable[str]) -> str:
    """The one currency of some amounts, blank where there is no amount; UnableToAddMoney where there are two."""
    found = sorted(set(codes))
    if len(found) > 1:
        raise UnableToAddMoney(f"{' and '.join(found)} are not added: no rate between them was entered")
    return found[0] if found else ""


def _sum(values: Iterable[Decimal | None]) -> Decimal:
    total = Decimal(0)
    for value in values:
        total = EXACT.add(total, value or Decimal(0))
    return total


def _ratio(part: Decimal, whole: Decimal) -> Decimal | None:
    return EXACT.divide(part, whole) if whole > 0 else None
