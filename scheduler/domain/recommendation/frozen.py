"""The inputs of a recommendation as they are frozen with it: every figure that went in, and where it comes from."""

from collections.abc import Iterable
from decimal import Decimal

from scheduler.domain.recommendation.case import AdvicePolicy, Case
from scheduler.domain.recommendation.evidence import trace_digest
from scheduler.domain.recommendation.moves import provider_rules
from scheduler.domain.sizing.given import Known
from telemetry.domain.demand import DemandTrace
from telemetry.domain.load_duration import LoadDuration


def inputs_frozen(case: Case, trace: DemandTrace, *, floor: int, curve: LoadDuration | None) -> dict[str, object]:
    """``trace`` without the hours left out; ``curve`` of the hours that were sized, None where none were."""
    return {
        "pool": case.pool,
        "month": case.month,
        "from": case.period.start,
        "to": case.period.end,
        "trace": _trace(case, trace, curve),
        "prices": _prices(case.known),
        "shortage": _shortage(case.known),
        "replay": {"packed_nodes": case.packed.nodes, "why_not": case.packed.why_not, **case.packed.summary},
        "current_nodes": case.known.current,
        "spare_nodes": case.known.spare,
        "block_nodes": case.known.block,
        "idle_held_nodes": case.idle_held,
        "growth": [[line.name, line.start, line.end, line.nodes, line.workload] for line in case.growth],
        "provider": provider_rules(case.parts, as_of=case.as_of),
        "floor_nodes": floor,
        "policy": _policy(case.policy),
        "code": case.code,
    }


def _prices(known: Known) -> dict[str, object]:
    kinds: Iterable[tuple[str, Decimal]] = ((kind.value, price) for kind, price in known.prices.items())
    earlier = [
        {"from": one.period.start, "to": one.period.end, **{kind.value: price for kind, price in one.prices.items()}}
        for one in known.earlier
    ]
    return {"currency": known.currency, "source": known.source, "earlier": earlier, **dict(kinds)}


def _shortage(known: Known) -> dict[str, object] | None:
    record = known.shortage
    if record is None:
        return None
    return {
        "fail_probability": record.terms.fail_probability,
        "interval": list(record.interval) if record.interval else None,
        "shortage_cost": record.terms.shortage_cost,
        "convention": record.terms.convention,
        "currency": record.currency,
        "source": record.source,
        "recorded_on": record.recorded_on,
    }


def _trace(case: Case, trace: DemandTrace, curve: LoadDuration | None) -> dict[str, object]:
    return {
        "sha256": trace_digest(trace),
        "hours": len(trace.hours),
        "hours_left_out": len(case.trace.hours) - len(trace.hours),
        "hours_missing": len(trace.missing),
        "hours_not_held": trace.off_hours,
        "held_share": trace.held_share,
        "hours_bound_only": len(trace.bound_only),
        "coverage_share": trace.coverage_share,
        "first": trace.hours[0] if trace.hours else None,
        "last": trace.hours[-1] if trace.hours else None,
        "peak_nodes": max(trace.nodes, default=None),
        "sized_hours": curve.hours if curve else None,
        "mean_nodes": curve.mean_nodes if curve else None,
        "workloads": sorted(trace.by_workload),
    }


def _policy(policy: AdvicePolicy) -> dict[str, object]:
    return {
        "months": policy.months,
        "coverage": policy.coverage,
        "horizon_days": policy.horizon.days,
        "draws": policy.draws,
        "seed": policy.seed,
    }
