"""Sums over any number of hours of any number of pools, and the ratios that may be made of them.

Amounts that are unknown in some hours can't be divided by one another. What a ratio divides by is therefore summed over
the very hours that its numerator is known in, and stands in a column of its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from operator import attrgetter
from typing import Any

from telemetry.domain.ledger import AMOUNTS, BUSY_ROLES, LedgerHour
from telemetry.domain.waterfall import STEPS, Step, Waterfall


@dataclass(frozen=True, slots=True)
class UseTotals:
    """The sums that lists of pools and of months are made of, in whole GPU-milliseconds over ``hours`` pool-hours.

    An amount is None only if it is unknown in every one of the hours. ``busy_reserved`` and ``busy_paid`` are what was
    reserved and paid in the hours in which busy is known; ``covered_known`` and ``covered_expected`` come from hours
    that have both.
    """

    hours: int = 0
    reserved: int | None = None
    paid: int | None = None
    known: int | None = None
    unknown: int | None = None
    busy: int | None = None
    idle: int | None = None
    idle_held: int | None = None
    busy_reserved: int = 0
    busy_paid: int = 0
    covered_known: int = 0
    covered_expected: int = 0

    @property
    def coverage(self) -> Decimal | None:
        """Σ known ÷ Σ expected over the hours that have both; None when nothing was expected in them."""
        return _share(self.covered_known, self.covered_expected)

    @property
    def busy_share(self) -> Decimal | None:
        """Σ busy ÷ Σ reserved over the hours in which busy is known; None where nothing was reserved in them."""
        return _share(self.busy or 0, self.busy_reserved)

    @property
    def busy_paid_share(self) -> Decimal | None:
        """Σ busy ÷ Σ paid over the hours in which busy is known: what is held against the break-even."""
        return _share(self.busy or 0, self.busy_paid)


@dataclass(frozen=True, slots=True)
class Totals(UseTotals):
    """All sums of the ledger.

    ``launched`` and ``busy_high`` are made hour by hour. ``allocated_counted`` and ``allocated_expected`` come from
    hours that have both, ``allocated_reserved`` is what was reserved where allocated is known; busy is known in
    ``busy_hours``. ``open_hours`` are not final yet, ``partial_hours`` were read
    in part, ``flagged_hours`` say something about themselves.
    """

    ec2_unused: int | None = None
    expected: int | None = None
    not_joined: int | None = None
    not_observed: int | None = None
    sm: int | None = None
    idle_free: int | None = None
    allocated: int | None = None
    owner_busy: int | None = None
    borrower_busy: int | None = None
    unmanaged_busy: int | None = None
    unattributed_busy: int | None = None
    launched: int | None = None
    busy_high: int | None = None
    allocated_counted: int = 0
    allocated_expected: int = 0
    allocated_reserved: int = 0
    busy_hours: int = 0
    open_hours: int = 0
    partial_hours: int = 0
    flagged_hours: int = 0

    @property
    def allocated_share(self) -> Decimal | None:
        """Σ allocated ÷ Σ expected over the hours that have both; None when nothing was expected in them."""
        return _share(self.allocated_counted, self.allocated_expected)

    @property
    def allocated_reserved_share(self) -> Decimal | None:
        """Σ allocated ÷ Σ reserved over the hours in which allocated is known; None where nothing was reserved."""
        return _share(self.allocated or 0, self.allocated_reserved)

    def steps(self) -> dict[str, int | None]:
        """The bars of the waterfall; those that are not None add up to ``reserved`` exactly."""
        steps: dict[str, int | None] = {
            name: getattr(self, name) for name in ("ec2_unused", "not_joined", "not_observed", "unknown")
        }
        self._add_parts(steps, self.idle, ("idle_free", "idle_held"), "idle_unsplit")
        self._add_parts(steps, self.busy, BUSY_ROLES, "busy_unsplit")
        known = sum([value for value in steps.values() if value is not None])
        steps["not_accounted"] = (self.reserved or 0) - known if self.hours else None
        return steps

    def waterfall(self) -> Waterfall:
        """The same as bars in their order."""
        steps = self.steps()
        return Waterfall(self.reserved or 0, tuple(Step(name, steps[name]) for name in STEPS))

    def _add_parts(self, steps: dict[str, int | None], whole: int | None, names: tuple[str, ...], rest: str) -> None:
        split = 0
        for name in names:
            value = steps[name] = getattr(self, name)
            split += value or 0
        steps[rest] = None if whole is None else whole - split


SUMS: tuple[str, ...] = tuple(field.name for field in fields(Totals) if field.name != "hours")
"""What is summed over hours, in order."""

USE_SUMS: tuple[str, ...] = tuple(field.name for field in fields(UseTotals) if field.name != "hours")
"""Those of them that are use, in order."""

COUNTED: frozenset[str] = frozenset(field.name for field in fields(Totals) if field.default == 0) - {"hours"}
"""The sums that are 0, and not unknown, where there is nothing to sum."""


def totals_of(hours: Iterable[LedgerHour]) -> Totals:
    """The sums of ledger hours in any order, of one pool or many."""
    rows = list(hours)
    busy = [row for row in rows if row.busy is not None]
    covered = [(row.known, row.expected) for row in rows if row.known is not None and row.expected is not None]
    held = [(row.allocated, row.expected) for row in rows if row.allocated is not None and row.expected is not None]
    return Totals(
        hours=len(rows),
        **{name: _total(getattr(row, name) for row in rows) for name in (*AMOUNTS, "launched", "busy_high")},
        busy_reserved=sum(row.reserved for row in busy),
        busy_paid=sum(row.paid for row in busy),
        covered_known=sum(known for known, _ in covered),
        covered_expected=sum(expected for _, expected in covered),
        allocated_counted=sum(allocated for allocated, _ in held),
        allocated_expected=sum(expected for _, expected in held),
        allocated_reserved=sum(row.reserved for row in rows if row.allocated is not None),
        busy_hours=len(busy),
        open_hours=sum(not row.final for row in rows),
        partial_hours=sum(not row.complete for row in rows),
        flagged_hours=sum(bool(row.flags) for row in rows),
    )


def added(parts: Iterable[Totals]) -> Totals:
    """The sums of sums over hours that do not overlap."""
    return Totals(**_added(("hours", *SUMS), parts))


def added_use(parts: Iterable[UseTotals]) -> UseTotals:
    """The same of use alone."""
    return UseTotals(**_added(("hours", *USE_SUMS), parts))


def _added(names: Sequence[str], parts: Iterable[UseTotals]) -> dict[str, Any]:
    columns = zip(*map(attrgetter(*names), parts), strict=True)
    return {
        name: _total(column) if None in column else sum(column) for name, column in zip(names, columns, strict=False)
    }


def _total(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _share(part: int, whole: int) -> Decimal | None:
    return Decimal(part) / Decimal(whole) if whole else None
