"""What a pool needed, hour by hour and workload by workload: the nodes that sizing starts from (docs/demand.md)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from reservations.domain.period import HOUR, Period, floor_hour
from telemetry.domain.trace import DemandRow, hours_between

MOST_NODES = Decimal(100_000)
"""More nodes than this in one hour are a slip: the largest fleets that are known have a tenth of it."""

UNIT = Decimal("0.0001")
"""Nodes are kept to four decimals."""

HOUR_FORM = "%Y-%m-%dT%H:%MZ"


class UnableToUseDemand(ValueError):
    """A demand trace can't be used as it is; the message is one sentence."""


@dataclass(frozen=True)
class DemandTrace:
    """Nodes needed per workload in each of ``hours`` (UTC, ascending, distinct): the mean of bound + queued.

    ``peak`` is the most nodes that all workloads together needed within an hour, None where nobody knows it.
    ``sources`` says where each hour comes from (empty: not told), ``bound_only`` in which hours what was queued is
    unknown, so that the demand is a lower bound. ``not_held`` are hours in which nothing was held and which count
    neither as demand nor as gaps. UnableToUseDemand for hours out of order, naive, not whole or told twice, for tuples
    of another length and for nodes that are negative, not finite or beyond ``MOST_NODES``.
    """

    hours: tuple[datetime, ...]
    by_workload: Mapping[str, tuple[Decimal, ...]]
    peak: tuple[Decimal | None, ...]
    sources: tuple[str, ...] = ()
    bound_only: frozenset[datetime] = field(default_factory=frozenset)
    not_held: frozenset[datetime] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        _check_hours(self.hours)
        for workload, nodes in self.by_workload.items():
            _check_length(f"the workload “{workload}”", nodes, self.hours)
            _check_nodes(f"the workload “{workload}”", nodes, self.hours)
        _check_length("the peak", self.peak, self.hours)
        _check_nodes("the peak", [Decimal(0) if peak is None else peak for peak in self.peak], self.hours)
        if self.sources:
            _check_length("the source", self.sources, self.hours)

    @cached_property
    def total(self) -> tuple[Decimal, ...]:
        """Nodes that all workloads needed together in each hour, before rounding."""
        if not self.by_workload:
            return (Decimal(0),) * len(self.hours)
        return tuple(sum(parts, Decimal(0)) for parts in zip(*self.by_workload.values(), strict=True))

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """Whole nodes needed in each hour: the workloads' sum, rounded up."""
        return tuple(int(total.to_integral_value(ROUND_CEILING)) for total in self.total)

    @cached_property
    def missing(self) -> tuple[datetime, ...]:
        """The hours between the first and the last that nobody tells, in order: missing, not zero."""
        gaps = (gap for before, after in pairwise(self.hours) for gap in hours_between(before, after))
        return tuple(gap for gap in gaps if gap not in self.not_held)

    @property
    def span_hours(self) -> int:
        """Hours from the start of the first to the end of the last, whether told or not."""
        return (self.hours[-1] - self.hours[0]) // HOUR + 1 if self.hours else 0

    @cached_property
    def asked_hours(self) -> int:
        """Hours of the span without those in which nothing was held: so many there would be without gaps."""
        if not self.hours:
            return 0
        return self.span_hours - sum(self.hours[0] < hour < self.hours[-1] for hour in self.not_held)

    @property
    def coverage_share(self) -> Fraction:
        """Hours told ÷ hours of the span in which something was held; 0 without any hour."""
        return Fraction(len(self.hours), self.asked_hours) if self.hours else Fraction(0)

    @cached_property
    def held_share(self) -> Fraction:
        """From the first hour on, the share of the hours in which something was held; 1 where it was in all of them."""
        return Fraction(self.asked_hours, self.asked_hours + self.off_hours) if self.hours else Fraction(1)

    @cached_property
    def off_hours(self) -> int:
        """Hours from the first one on in which nothing was held."""
        return sum(hour > self.hours[0] for hour in self.not_held) if self.hours else 0

    def narrowed(self, workloads: Collection[str]) -> "DemandTrace":
        """The same hours with some workloads alone; UnableToUseDemand for one that the trace does not tell.

        The peak is of all workloads together, so it is unknown of some of them.
        """
        if unknown := sorted(set(workloads) - set(self.by_workload)):
            told = ", ".join(sorted(self.by_workload)) or "none at all"
            raise UnableToUseDemand(f"the demand tells no workload “{unknown[0]}”: it tells {told}")
        kept = {name: nodes for name, nodes in self.by_workload.items() if name in workloads}
        peak = self.peak if len(kept) == len(self.by_workload) else (None,) * len(self.hours)
        return replace(self, by_workload=kept, peak=peak)

    def within(self, period: Period) -> "DemandTrace":
        """The hours of a period alone."""
        found = self.picked([at for at, hour in enumerate(self.hours) if hour in period])
        return replace(found, not_held=frozenset(hour for hour in self.not_held if hour in period))

    def picked(self, places: Sequence[int]) -> "DemandTrace":
        """The hours at some places alone, in order."""
        hours = tuple(self.hours[at] for at in places)
        return replace(
            self,
            hours=hours,
            by_workload={name: tuple(nodes[at] for at in places) for name, nodes in self.by_workload.items()},
            peak=tuple(self.peak[at] for at in places),
            sources=tuple(self.sources[at] for at in places) if self.sources else (),
            bound_only=self.bound_only.intersection(hours),
        )


def trace_of_rows(rows: Iterable[DemandRow]) -> DemandTrace:
    """The trace that rows of a file come to, in any order; a workload without a row in a told hour needed nothing then.

    UnableToUseDemand for one hour and workload told twice, and for whatever DemandTrace refuses.
    """
    told: dict[tuple[datetime, str], Decimal] = {}
    for row in rows:
        if row.hour.tzinfo is None:
            raise UnableToUseDemand(
                f"the hour {row.hour:%Y-%m-%dT%H:%M} has no offset: add Z for UTC or one like +02:00"
            )
        key = (row.hour.astimezone(UTC), row.workload)
        if key in told:
            raise UnableToUseDemand(
                f"the hour {key[0]:{HOUR_FORM}} of the workload “{row.workload}” is told twice,"
                f" with {told[key]} and with {row.nodes} nodes"
            )
        told[key] = row.nodes
    hours = tuple(sorted({hour for hour, _ in told}))
    workloads = sorted({workload for _, workload in told})
    zero = Decimal(0)
    return DemandTrace(
        hours=hours,
        by_workload={name: tuple(told.get((hour, name), zero) for hour in hours) for name in workloads},
        peak=(None,) * len(hours),
    )


def told_nowhere(trace: DemandTrace, period: Period, until: datetime) -> tuple[datetime, ...]:
    """The hours of a period up to an instant that the trace does not tell, in order."""
    told = set(trace.hours)
    return tuple(hour for hour in period.hours() if hour not in told and hour + HOUR <= until)


def rows_of_trace(trace: DemandTrace) -> tuple[DemandRow, ...]:
    """The rows a file of the trace has: every workload in every hour, by hour and workload."""
    return tuple(
        DemandRow(hour, workload, trace.by_workload[workload][at])
        for at, hour in enumerate(trace.hours)
        for workload in sorted(trace.by_workload)
    )


def kept_nodes(exact: Mapping[str, Fraction]) -> dict[str, Decimal]:
    """The nodes of one hour's workloads to four decimals, whose sum rounds up to the same whole nodes as the exact one.

    The sum is rounded up at the fourth decimal; each workload is rounded down, and those cut most get what is left
    (ties by name), so that a workload which needs no fifth decimal keeps its value.
    """
    scaled = {name: value / Fraction(UNIT) for name, value in exact.items()}
    units = {name: value.__floor__() for name, value in scaled.items()}
    left = sum(scaled.values(), Fraction(0)).__ceil__() - sum(units.values())
    for name in sorted(scaled, key=lambda one: (units[one] - scaled[one], one))[:left]:
        units[name] += 1
    return {name: (Decimal(count) * UNIT).quantize(UNIT, ROUND_FLOOR) for name, count in units.items()}


def _check_hours(hours: Sequence[datetime]) -> None:
    for hour in hours:
        if hour.tzinfo is None:
            raise UnableToUseDemand(f"the hour {hour:%Y-%m-%dT%H:%M} has no offset: add Z for UTC or one like +02:00")
        if hour.tzinfo is UTC and not (hour.minute or hour.second or hour.microsecond):
            continue  # most hours of most traces: to round each costs more than all else that is checked
        if hour != floor_hour(hour):
            raise UnableToUseDemand(f"{hour.isoformat()} is not on a whole hour of UTC")
    for before, after in pairwise(hours):
        if after == before:
            raise UnableToUseDemand(f"the hour {after:{HOUR_FORM}} is told twice")
        if after < before:
            raise UnableToUseDemand(f"the hours are out of order: {after:{HOUR_FORM}} follows {before:{HOUR_FORM}}")


def _check_length(what: str, values: Sequence[object], hours: Sequence[datetime]) -> None:
    if len(values) != len(hours):
        raise UnableToUseDemand(f"{what} is told for {len(values)} hours, but the trace has {len(hours)}")


def _check_nodes(what: str, nodes: Sequence[Decimal], hours: Sequence[datetime]) -> None:
    for hour, count in zip(hours, nodes, strict=True):
        if count.is_finite() and 0 <= count <= MOST_NODES:
            continue
        where = f"{what} needs {count} nodes in the hour {hour:{HOUR_FORM}}"
        if not count.is_finite():
            raise UnableToUseDemand(f"{where}, which is not a number")
        raise UnableToUseDemand(f"{where}, which is below 0" if count < 0 else f"{where}: no fleet is that large")
