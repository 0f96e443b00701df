"""Demand out of the ledger: what was held and what waited, as nodes (docs/demand.md#where-demand-comes-from)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from reservations.domain.period import HOUR_MS
from telemetry.domain.demand import MOST_NODES, UNIT, kept_nodes

LEDGER = "ledger"
"""The source of an hour's demand that is bound + queued."""

BOUND_ALONE = "ledger, bound alone"
"""The source where what waited is unknown: the demand is what was bound, a lower bound."""

DERIVED = (LEDGER, BOUND_ALONE)

UNASSIGNED = "unassigned"
"""The workload of pods outside any queue, and of queues that the pool does not name."""


@dataclass(frozen=True, slots=True)
class LedgerDemand:
    """One ledger hour in GPU-milliseconds by workload; ``queued`` None: unknown, for some queue or for all.

    ``peak_gpus`` is the most GPUs that were held and waited for at once, None unknown. ``held``: whether anything was
    reserved in the hour.
    """

    hour: datetime
    bound: Mapping[str, int]
    queued: Mapping[str, int] | None = None
    peak_gpus: Decimal | None = None
    held: bool = True


@dataclass(frozen=True, slots=True, order=True)
class DerivedDemand:
    """Nodes one workload needed in one hour; ``peak_nodes`` is of all workloads of the hour together."""

    hour: datetime
    workload: str
    nodes: Decimal
    peak_nodes: Decimal | None = field(compare=True, default=None)
    source: str = LEDGER


def derived_demand(
    told: LedgerDemand, *, gpus_per_node: Decimal, workloads: Collection[str]
) -> tuple[DerivedDemand, ...]:
    """One hour's rows, one for each workload that it or the pool names, by name: GPU-ms ÷ (3,600,000 × GPUs per node).

    Work without a workload has a row only where there is any, or nothing else. What waits is left out where with it
    the hour would need more than any fleet has; an hour that bound work alone takes beyond that has no rows, nor has
    one that tells of less than no GPU time, which its ledger row is flagged for.
    Where nothing was held, nothing ran and what waited is unknown there are none either: work that found nothing to
    run on is not work that nobody wanted.
    """
    if told.queued is None and not told.held and not sum(told.bound.values()):
        return ()
    if any(amount < 0 for amount in told.bound.values()):
        return ()
    names = {*workloads, *(name or UNASSIGNED for name in told.bound)} or {UNASSIGNED}
    bound = _by_workload(told.bound, names)
    if told.queued is not None:
        names |= {name or UNASSIGNED for name in told.queued}
        asked = _by_workload(told.bound, names)
        for name, amount in told.queued.items():
            asked[name or UNASSIGNED] += amount
        if _nodes(sum(asked.values()), gpus_per_node) <= MOST_NODES:
            return _rows(told, asked, gpus_per_node, LEDGER)
    if _nodes(sum(bound.values()), gpus_per_node) > MOST_NODES:
        return ()
    return _rows(told, bound, gpus_per_node, BOUND_ALONE)


def _by_workload(amounts: Mapping[str, int], names: Collection[str]) -> dict[str, int]:
    sums = dict.fromkeys(names, 0)
    for name, amount in amounts.items():
        sums[name or UNASSIGNED] += amount
    return sums


def _nodes(gpu_ms: int, gpus_per_node: Decimal) -> Fraction:
    return Fraction(gpu_ms) / (HOUR_MS * Fraction(gpus_per_node))


def _rows(
    told: LedgerDemand, amounts: Mapping[str, int], gpus_per_node: Decimal, source: str
) -> tuple[DerivedDemand, ...]:
    told_of = {name: amount for name, amount in amounts.items() if amount or name != UNASSIGNED} or amounts
    kept = kept_nodes({name: _nodes(amount, gpus_per_node) for name, amount in told_of.items()})
    peak = _peak(told.peak_gpus, gpus_per_node) if source == LEDGER else None
    return tuple(DerivedDemand(told.hour, name, kept[name], peak, source) for name in sorted(kept))


def _peak(gpus: Decimal | None, gpus_per_node: Decimal) -> Decimal | None:
    if gpus is None:
        return None
    nodes = kept_nodes({"": Fraction(gpus) / Fraction(gpus_per_node)})[""]
    return nodes.quantize(UNIT) if nodes <= MOST_NODES else None
