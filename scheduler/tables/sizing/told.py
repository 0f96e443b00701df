"""A sizing as the command prints it and the API answers it: one set of names, exact money, shares to nine digits."""

from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Any

from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.alternatives import Alternative
from scheduler.domain.sizing.answer import Band, Sizing
from scheduler.domain.sizing.cost import SizeCost
from scheduler.domain.sizing.question import Answer
from scheduler.domain.sizing.weeks import LEVEL, MoneyBand, NodesBand

SHARE_STEP = Decimal("0.000000001")


def share(value: Fraction | Decimal | None) -> Decimal | None:
    """A share to nine digits; None stays None."""
    if value is None:
        return None
    exact = value if isinstance(value, Decimal) else EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return exact.quantize(SHARE_STEP, ROUND_HALF_EVEN)


def sizing_told(answer: Answer, *, pool: str | None = None) -> dict[str, Any]:
    """The whole answer; figures of a size are null where there is none, and ``reason`` says why."""
    return {
        "pool": pool,
        **trace_told(answer.sizing),
        **prices_told(answer),
        **sizes_told(answer),
        "curve": curve_told(answer.sizing),
        "regret": regret_told(answer.sizing),
        "sensitivity": sensitivity_told(answer.sizing),
        "band": band_told(answer.sizing),
        "growth": growth_told(answer.sizing),
        "warnings": list(answer.warnings),
    }


def trace_told(sizing: Sizing) -> dict[str, Any]:
    """What was sized: hours, gaps, workloads, peak and mean."""
    measured, curve = sizing.measured, sizing.curve
    return {
        "start": sizing.start,
        "end": sizing.end,
        "hours": curve.hours,
        "measured_hours": len(measured.hours),
        "missing_hours": len(measured.missing),
        "not_held_hours": measured.off_hours,
        "held_share": share(sizing.trace.held_share),
        "coverage_share": share(measured.coverage_share),
        "workloads": sorted(sizing.trace.by_workload),
        "peak_nodes": curve.peak,
        "mean_nodes": share(sizing.mean_nodes),
    }


def prices_told(answer: Answer) -> dict[str, Any]:
    """What it was sized with and where that comes from."""
    prices, terms = answer.priced.prices, answer.priced.prices.shortage
    interval = answer.priced.interval
    return {
        "currency": prices.currency or None,
        "on_demand_price": prices.on_demand,
        "reserved_price": prices.reserved,
        "price_source": answer.priced.source,
        "earlier_prices": [] if answer.sizing.asked.term else earlier_told(answer),
        "fail_probability": terms.fail_probability if terms else None,
        "fail_probability_interval": list(interval) if interval else None,
        "shortage_cost": terms.shortage_cost if terms else None,
        "shortage_convention": terms.convention.value if terms else None,
        "shortage_source": answer.priced.shortage_source or None,
        "break_even_share": share(prices.break_even),
        "adjusted_break_even_share": share(prices.adjusted_break_even),
    }


def earlier_told(answer: Answer) -> list[dict[str, Any]]:
    """The prices of parts of the hours that are no longer in force."""
    return [
        {
            "from": then.period.start,
            "to": then.period.end,
            "on_demand_price": prices.on_demand,
            "reserved_price": prices.reserved,
        }
        for then, prices in answer.priced.earlier
    ]


def sizes_told(answer: Answer) -> dict[str, Any]:
    """The sizes, their cost, and what can be bought of them."""
    sizing, sized = answer.sizing, answer.sizing.sized
    fixed = sizing.asked.fixed
    rule = sized.sizes.rule if sized else None
    adjusted = sized.sizes.adjusted if sized else None
    return {
        "reserved_nodes": rule,
        "adjusted_reserved_nodes": adjusted,
        "reason": sizing.reason or None,
        "cost": None if rule is None else cost_told(sizing.cost(rule)),
        "adjusted_cost": None if adjusted is None else cost_told(sizing.adjusted_cost(adjusted)),
        "all_on_demand_cost": sizing.cost(0).total if sized else None,
        "all_reserved_cost": sizing.cost(sizing.curve.peak).total if sized else None,
        "plateau": list(sized.sizes.plateau) if sized else None,
        "adjusted_plateau": list(sized.sizes.adjusted_plateau) if sized and sized.sizes.adjusted_plateau else None,
        "current_nodes": sizing.asked.choices.current,
        "spare_nodes": fixed.spare,
        "headroom_nodes": fixed.headroom,
        "minimum_block_nodes": fixed.minimum_block,
        "maximum_block_nodes": fixed.maximum_block,
        "to_hold_nodes": sized.to_hold if sized else None,
        "saving": sized.saving if sized else None,
    }


def cost_told(cost: SizeCost | None) -> dict[str, Any] | None:
    """One size's cost in its parts; the shortage only where it counts."""
    if cost is None:
        return None
    shortage = {} if cost.shortage is None else {"shortage": cost.shortage}
    return {"reserved": cost.reserved, "overflow": cost.overflow, **shortage, "total": cost.total}


def curve_told(sizing: Sizing) -> list[dict[str, Any]]:
    """Every size from none to the peak; empty where there is not enough data."""
    if sizing.sized is None:
        return []
    sizes = sizing.sized.sizes
    adjusted = sizes.adjusted_costs
    return [
        {
            "nodes": cost.nodes,
            "hours_share": share(sizing.curve.share(cost.nodes)),
            "total_cost": cost.total,
            "adjusted_total_cost": adjusted[cost.nodes].total if adjusted else None,
            "reserved_cost": cost.reserved,
            "overflow_cost": cost.overflow,
            "adjusted_overflow_cost": adjusted[cost.nodes].overflow if adjusted else None,
            "shortage_cost": adjusted[cost.nodes].shortage if adjusted else None,
            "regret": EXACT.subtract(cost.total, sizes.least),
            "adjusted_regret": (
                EXACT.subtract(adjusted[cost.nodes].total, sizes.adjusted_least)
                if adjusted and sizes.adjusted_least is not None
                else None
            ),
        }
        for cost in sizes.costs
    ]


def regret_told(sizing: Sizing) -> list[dict[str, Any]]:
    """Every other way to decide."""
    return [_regret(one) for one in sizing.sized.alternatives] if sizing.sized else []


def _regret(one: Alternative) -> dict[str, Any]:
    return {
        "way": one.way.value,
        "nodes": one.nodes,
        "total_cost": one.cost.total if one.cost else None,
        "regret": one.regret,
        "adjusted_total_cost": one.adjusted.total if one.adjusted else None,
        "adjusted_regret": one.adjusted_regret,
        "reason": one.why_not or None,
    }


def sensitivity_told(sizing: Sizing) -> list[dict[str, Any]]:
    """The adjusted size at other q and L; empty without them."""
    return [
        {
            "fail_probability": one.fail_probability,
            "shortage_cost": one.shortage_cost,
            "adjusted_break_even_share": share(one.break_even),
            "adjusted_reserved_nodes": one.nodes,
            "regret": one.regret,
        }
        for one in (sizing.sized.sensitivity if sizing.sized else ())
    ]


def band_told(sizing: Sizing) -> dict[str, Any] | None:
    """The band over whole weeks; null without two of them."""
    band: Band | None = sizing.sized.band if sizing.sized else None
    if band is None:
        return None
    return {
        "weeks": band.weeks,
        "draws": band.draws,
        "seed": band.seed,
        "hours_left_out": band.left_out,
        "level_share": share(LEVEL),
        "reserved_nodes": _nodes_band(band.rule),
        "adjusted_reserved_nodes": _nodes_band(band.adjusted),
        "saving": _money_band(band.saving),
    }


def growth_told(sizing: Sizing) -> list[dict[str, Any]]:
    """The committed lines that were added."""
    return [
        {
            "name": line.name,
            "from": line.start,
            "to": line.end,
            "nodes": line.nodes,
            "workload": line.workload or None,
        }
        for line in sizing.asked.growth
    ]


def _nodes_band(band: NodesBand | None) -> dict[str, Any] | None:
    if band is None:
        return None
    counts = [{"nodes": nodes, "draws": draws} for nodes, draws in band.counts]
    return {"low": band.low, "median": band.median, "high": band.high, "counts": counts}


def _money_band(band: MoneyBand | None) -> dict[str, Any] | None:
    return None if band is None else {"low": band.low, "median": band.median, "high": band.high}
