"""Money of one currency told in another, by rates that somebody entered for a day and by nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from reservations.domain.pricing import money


@dataclass(frozen=True, slots=True)
class Rate:
    """How much of ``target`` one unit of ``source`` was worth on a day, as somebody entered it."""

    source: str
    target: str
    day: date
    rate: Decimal
    said_by: str = ""


class UnableToConvert(LookupError):
    """No rate was entered that leads from one currency to the other in these days; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Converted:
    """Amounts of several currencies in one, rounded once to a millionth, and the rates it rests on."""

    amount: Decimal
    currency: str
    rates: tuple[Rate, ...]


def rate_in(rates: Iterable[Rate], *, source: str, target: str, first: date, following: date) -> Rate:
    """The latest rate from one currency to another of the days ``[first, following)``; UnableToConvert without any.

    A rate is never turned round or chained: the way back and the way over a third currency are other rates.
    """
    found = [one for one in rates if (one.source, one.target) == (source, target) and first <= one.day < following]
    if not found:
        raise UnableToConvert(f"no rate from {source} to {target} was entered for a day of these")
    return max(found, key=lambda one: one.day)


def converted(
    amounts: Mapping[str, Decimal], rates: Iterable[Rate], *, target: str, first: date, following: date
) -> Converted:
    """Σ amount × rate in one currency, by the latest rate of the days ``[first, following)`` for each other currency.

    UnableToConvert where one of them has no such rate.
    """
    known = tuple(rates)
    total, used = Fraction(0), list[Rate]()
    for currency, amount in sorted(amounts.items()):
        if currency == target:
            total += Fraction(amount)
            continue
        rate = rate_in(known, source=currency, target=target, first=first, following=following)
        total += Fraction(amount) * Fraction(rate.rate)
        used.append(rate)
    return Converted(money(total.numerator, total.denominator), target, tuple(used))


def conversions(
    amounts: Mapping[str, Decimal], rates: Iterable[Rate], *, first: date, following: date
) -> list[Converted]:
    """The sum in each of the amounts' currencies into which all the others can be converted, by its code."""
    known = tuple(rates)
    found = []
    for target in sorted(amounts):
        try:
            found.append(converted(amounts, known, target=target, first=first, following=following))
        except UnableToConvert:
            continue
    return found
