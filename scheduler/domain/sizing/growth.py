"""Demand known to come or go: dated, signed lines on the trace, and the trace laid over the term to size for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from decimal import Decimal

from reservations.domain.period import Period
from scheduler.domain.sizing.prices import UnableToSize
from telemetry.domain.demand import DemandTrace

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class GrowthLine:
    """``nodes`` more (or fewer, below 0) on the UTC days ``[start, end)``; ``end`` None is open.

    ``workload`` is the one it adds to or takes from; blank: it adds one of its own, and takes from all.
    UnableToSize for a line without a name, that adds nothing or that ends before it starts.
    """

    name: str
    start: date
    end: date | None
    nodes: Decimal
    workload: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            raise UnableToSize("a growth line needs a name")
        if not self.nodes.is_finite() or self.nodes == 0:
            raise UnableToSize(f"the growth line “{self.name}” adds {self.nodes} nodes: give a number above or below 0")
        if self.end is not None and self.end <= self.start:
            raise UnableToSize(f"the growth line “{self.name}” ends on {self.end}, not after its start {self.start}")

    def covers(self, day: date) -> bool:
        """Whether it holds on a UTC day."""
        return self.start <= day and (self.end is None or day < self.end)


@dataclass(frozen=True, slots=True)
class Grown:
    """A trace with growth on it; ``warnings`` says which line changed nothing, and where a line would go below 0."""

    trace: DemandTrace
    warnings: tuple[str, ...] = ()


def over_term(trace: DemandTrace, term: Period) -> DemandTrace:
    """The trace laid over a term again and again, each hour on the same hour of the week; gaps stay gaps.

    UnableToSize where the trace spans no whole week.
    """
    if not trace.hours:
        return trace
    length = (trace.hours[-1] - trace.hours[0] + timedelta(hours=1)) // WEEK * WEEK
    if not length:
        raise UnableToSize("a trace of less than a week can't be laid over a term")
    at = {hour - trace.hours[0]: place for place, hour in enumerate(trace.hours)}
    off = {hour - trace.hours[0] for hour in trace.not_held}
    laid = [(hour, (hour - trace.hours[0]) % length) for hour in term.hours()]
    found = [(hour, at.get(from_first)) for hour, from_first in laid]
    kept = [(hour, place) for hour, place in found if place is not None]
    return DemandTrace(
        hours=tuple(hour for hour, _ in kept),
        by_workload={name: tuple(nodes[place] for _, place in kept) for name, nodes in trace.by_workload.items()},
        peak=tuple(trace.peak[place] for _, place in kept),
        bound_only=frozenset(hour for hour, place in kept if trace.hours[place] in trace.bound_only),
        not_held=frozenset(hour for hour, from_first in laid if from_first in off),
    )


def grown(trace: DemandTrace, lines: Sequence[GrowthLine]) -> Grown:
    """The trace with every line on the hours of its days: one that adds is one of its workload, or of its own name.

    One that takes away takes from its workload, else from all in proportion, and never below 0.
    """
    warnings: list[str] = []
    for line in sorted(lines, key=lambda one: (one.nodes < 0, one.start, one.name)):
        days = [line.covers(hour.astimezone(UTC).date()) for hour in trace.hours]
        if not any(days):
            warnings.append(f"the growth line “{line.name}” has no day in the hours that are sized: it changes nothing")
        elif line.nodes > 0:
            trace = _with_more(trace, line, days)
        else:
            trace, short = _with_fewer(trace, line, days)
            if short:
                warnings.append(
                    f"the growth line “{line.name}” takes more than was needed in {short} hours: they count 0"
                )
    return Grown(trace, tuple(warnings))


def _with_more(trace: DemandTrace, line: GrowthLine, days: Sequence[bool]) -> DemandTrace:
    workload = line.workload or line.name
    had = trace.by_workload.get(workload, (Decimal(0),) * len(trace.hours))
    now = tuple(nodes + line.nodes if on else nodes for nodes, on in zip(had, days, strict=True))
    return _replaced(trace, {**trace.by_workload, workload: now})


def _with_fewer(trace: DemandTrace, line: GrowthLine, days: Sequence[bool]) -> tuple[DemandTrace, int]:
    names = [line.workload] if line.workload else list(trace.by_workload)
    none = (Decimal(0),) * len(trace.hours)
    columns: list[list[Decimal]] = [list(trace.by_workload.get(name, none)) for name in names]
    short = 0
    for place, on in enumerate(days):
        if not on:
            continue
        total = sum((column[place] for column in columns), Decimal(0))
        short += total < -line.nodes
        left = max(Decimal(0), total + line.nodes)
        for column, nodes in zip(columns, _shares([column[place] for column in columns], total, left), strict=True):
            column[place] = nodes
    return _replaced(trace, {**trace.by_workload, **dict(zip(names, map(tuple, columns), strict=True))}), short


def _shares(parts: Iterable[Decimal], total: Decimal, left: Decimal) -> list[Decimal]:
    """The parts scaled to a new total, to four decimals; the largest takes what rounding left."""
    scaled = [(part * left / total).quantize(Decimal("0.0001")) if total else Decimal(0) for part in parts]
    if scaled:
        largest = max(range(len(scaled)), key=lambda place: scaled[place])
        scaled[largest] += left - sum(scaled, Decimal(0))
    return scaled


def _replaced(trace: DemandTrace, by_workload: dict[str, tuple[Decimal, ...]]) -> DemandTrace:
    return replace(trace, by_workload=by_workload, peak=(None,) * len(trace.hours))
