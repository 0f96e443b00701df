"""How a month stands against the one before it, in words: amounts by the hour, shares in points, never sum with sum.

Only pools with hours in both months are compared, each at its own mean hour, so that neither the length of a month
nor an hour that was never collected looks like a change.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from telemetry.domain.totals import Totals, added
from telemetry.domain.worth import Worth, added_worth, no_worth

SAME = Decimal("0.0005")
"""A change smaller than a twentieth of a per cent is none that anybody could read."""

MANIFOLD = 10
"""From this ratio on a rise is told as so many times, not in per cent."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One month of one pool or several, by pool id, and all of them together; ``names`` are the pools'."""

    month: date
    names: Mapping[int, str]
    totals: Mapping[int, Totals]
    worth: Mapping[int, Worth]
    whole: Totals = field(init=False)
    money: Worth = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "whole", added(self.totals.values()))
        named = {self.names[pool_id]: worth for pool_id, worth in self.worth.items() if pool_id in self.totals}
        object.__setattr__(self, "money", added_worth(named) if named else no_worth("nothing was collected."))

    def per_hour(self, name: str) -> dict[int, Decimal]:
        """An amount's GPU-milliseconds in a mean hour in which it is known, by pool; none where it is never known."""
        counted = "busy_hours" if name == "busy" else "hours"
        return _rates({one: (getattr(sums, name), getattr(sums, counted)) for one, sums in self.totals.items()})

    def idle_cost_per_hour(self) -> dict[int, Decimal]:
        """The cost of idle in a mean hour in which it is known, by pool; none where it is never known."""
        idle = {one: worth.idle for one, worth in self.worth.items()}
        return _rates({one: (idle.get(one), sums.busy_hours) for one, sums in self.totals.items()})


@dataclass(frozen=True, slots=True)
class Compared:
    """A month and the one before it, and the pools that both know."""

    now: Figures
    before: Figures

    @property
    def both(self) -> frozenset[int]:
        """The pools that have hours in both months."""
        return frozenset(self.now.totals) & frozenset(self.before.totals)

    @property
    def month(self) -> str:
        """The name of the month before; with its year where that differs."""
        before = self.before.month
        return f"{before:%B}" if before.year == self.now.month.year else notation.month(before)

    def amount(self, name: str) -> str:
        """``80.0 an hour, 25.0 % more than in October.``; blank where nothing is known."""
        return self._change(self.now.per_hour(name), self.before.per_hour(name), _hourly)

    def idle_cost(self) -> str:
        """The same for the cost of idle; not compared where the currency is not the same."""
        currency = self.now.money.currency
        if not currency:
            return ""
        before = self.before.idle_cost_per_hour() if self.before.money.currency == currency else {}
        return self._change(self.now.idle_cost_per_hour(), before, lambda cost: notation.amount(cost, currency))

    def share(self, of: Callable[[Totals], Decimal | None]) -> str:
        """``2.1 points below October``, blank where one of the two is not known."""
        now, before = (of(added(side.totals[one] for one in self.both)) for side in (self.now, self.before))
        if now is None or before is None:
            return ""
        points = abs(now - before) * 100
        if points < Decimal("0.05"):
            return f"As in {self.month}."
        return f"{notation.grouped(points, 1)} points {'above' if now > before else 'below'} {self.month}."

    def basis(self) -> str:
        """What is compared with what, or why nothing is."""
        if not self.before.totals:
            return f"Nothing was collected for {self.month}, so nothing is compared."
        if not self.both:
            return f"No pool has hours both now and in {self.month}, so nothing is compared."
        left_out = sorted(self.now.names[one] for one in frozenset(self.now.totals) - self.both)
        without = f", without {', '.join(left_out)}: no hours then" if left_out else ""
        return f"Compared with {self.month} by the hour{without}."

    def _change(self, now: Mapping[int, Decimal], before: Mapping[int, Decimal], said: Callable[[Decimal], str]) -> str:
        """The mean hour of the pools known in both months against theirs then; of all pools where there are none."""
        both = now.keys() & before.keys()
        if not now:
            return ""
        rate = sum((now[one] for one in both or now), Decimal(0))
        return (
            f"{said(rate)} an hour{self._than(rate, sum((before[one] for one in both), Decimal(0))) if both else ''}."
        )

    def _than(self, now: Decimal, before: Decimal) -> str:
        if before == 0:
            return f", as in {self.month}" if now == 0 else f", none in {self.month}"
        change = now / before - 1
        if abs(change) < SAME:
            return f", as in {self.month}"
        if change + 1 >= MANIFOLD:
            return f", {notation.grouped(change + 1)} times as much as in {self.month}"
        return f", {notation.percent(abs(change))} {'more' if change > 0 else 'less'} than in {self.month}"


def _rates(amounts: Mapping[int, tuple[Decimal | int | None, int]]) -> dict[int, Decimal]:
    return {one: Decimal(amount) / hours for one, (amount, hours) in amounts.items() if amount is not None and hours}


def _hourly(gpu_ms: Decimal) -> str:
    return notation.grouped(gpu_ms / HOUR_MS, 0 if gpu_ms >= 1000 * HOUR_MS else 1)
