"""How often a launch without the reservation fails, and what a failed one costs (docs/prices.md#shortage)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from reservations.domain.break_even import Shortage
from reservations.domain.pricing import EXACT

Z_95 = Decimal("1.959963984540054")
"""The quantile of the standard normal distribution at 97.5 %: two-sided 95 %."""

SHARE_STEP = Decimal("0.000001")
ESTIMATE_DAYS = 90
"""So many days of launches are counted where nobody says how many: a quarter."""


class UnableToEstimate(ValueError):
    """No share of failed launches follows from what was reported; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class LaunchCount:
    """Launches of one kind, and how many of them failed for want of capacity; ``of_pool``: the pool's own."""

    attempts: int
    failures: int
    zone_id: str = ""
    of_pool: bool = False


@dataclass(frozen=True, slots=True)
class ShortageSpan:
    """q and L of one subject on the UTC days ``[start, end)``; ``end`` None is open, L is per node-hour.

    ``attempts`` and ``failures`` are the launches q was estimated from, None where it was entered.
    """

    start: date
    end: date | None
    fail_probability: Decimal
    shortage_cost: Decimal
    currency: str
    convention: Shortage
    source: str = ""
    recorded_on: date = date.min
    attempts: int | None = None
    failures: int | None = None
    of_pool: bool = True

    def covers(self, day: date) -> bool:
        """Whether it holds on a UTC day."""
        return self.start <= day and (self.end is None or day < self.end)

    @property
    def interval(self) -> tuple[Decimal, Decimal] | None:
        """Between what q lies with 95 %; None where nobody said from how many launches it comes."""
        if not self.attempts or self.failures is None:
            return None
        return wilson_interval(attempts=self.attempts, failures=self.failures)


def fail_share(*, attempts: int, failures: int) -> Decimal:
    """q = failures ÷ attempts, rounded to a millionth; UnableToEstimate without attempts or with impossible counts."""
    _check(attempts, failures)
    return EXACT.divide(Decimal(failures), Decimal(attempts)).quantize(SHARE_STEP)


def wilson_interval(*, attempts: int, failures: int) -> tuple[Decimal, Decimal]:
    """Wilson's score interval of q at 95 %, each bound rounded to a millionth; UnableToEstimate as for q.

    (k + z²/2 ± z·√(k·(n − k)/n + z²/4)) ÷ (n + z²) with k failures of n attempts: the two shares at which k would
    lie just z standard deviations off. E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209.
    """
    _check(attempts, failures)
    n, k = Decimal(attempts), Decimal(failures)
    square = EXACT.multiply(Z_95, Z_95)
    spread = EXACT.add(EXACT.divide(EXACT.multiply(k, n - k), n), square / 4)
    reach = EXACT.multiply(Z_95, EXACT.sqrt(spread))
    middle, weight = EXACT.add(k, square / 2), EXACT.add(n, square)
    low, high = EXACT.subtract(middle, reach), EXACT.add(middle, reach)
    # at the ends a bound is 0 or 1, where sixty digits leave it some 10⁻⁵⁸ outside
    return (
        max(Decimal(0), EXACT.divide(low, weight).quantize(SHARE_STEP)),
        min(Decimal(1), EXACT.divide(high, weight).quantize(SHARE_STEP)),
    )


def launches_that_count(counts: Iterable[LaunchCount], *, zone_id: str) -> LaunchCount:
    """The launches that speak for a pool in a zone: its own, else its shape's in that zone, else its shape's anywhere.

    The first of these with any attempt; without any attempt at all the sum is 0 of 0.
    """
    every = list(counts)
    own = [one for one in every if one.of_pool]
    near = [one for one in every if not one.of_pool and zone_id and one.zone_id == zone_id]
    anywhere = [one for one in every if not one.of_pool]
    chosen = next((some for some in (own, near, anywhere) if any(one.attempts for one in some)), [])
    return LaunchCount(sum(one.attempts for one in chosen), sum(one.failures for one in chosen))


def _check(attempts: int, failures: int) -> None:
    if attempts < 1:
        raise UnableToEstimate("no launch was reported, so nothing is known of how many fail")
    if not 0 <= failures <= attempts:
        raise UnableToEstimate(f"{failures} of {attempts} launches failed: that can't be")
