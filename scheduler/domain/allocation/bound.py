"""How much any plan could be worth at most: the price bound of a whole instance, at any size.

Let every step's GPUs have a price π(t) ≥ 0. Whoever plans legally takes at most the fleet at each step, so no plan is
worth more than Σ π(t)·GPUs(t) plus what each job, alone, gains at most at those prices (Lagrange's relaxation of the
capacity, as in Held and Karp 1971). Any prices give a valid bound; the ones found here make it small.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler.domain.allocation.instance import GUARANTEED, Instance

if TYPE_CHECKING:
    from scheduler.domain.allocation.market import Market

MARGIN = 1e-9
"""Of the sum of all magnitudes, added for rounding: sums of a million doubles err by less than 1e-10 of it."""
STRESSES = (1.0, 8.0, 64.0)
"""Multiples of λ tried where real-time demand is guaranteed; any gives a valid bound."""


@dataclass(frozen=True, slots=True)
class Bound:
    """No legal plan is worth more than ``value``; ``prices`` (one a step) is what a GPU costs for that step.

    In guaranteed mode: no legal plan of least weighted shortfall.
    """

    value: float
    prices: tuple[float, ...]


def certified_bound(instance: Instance, *, shortfall: float | None = None, rounds: int | None = None) -> Bound:
    """The least price bound found in ``rounds`` evaluations: valid in spite of rounding, the same every time.

    Where real-time demand is guaranteed, ``shortfall``, the weighted shortfall of a legal plan that is known, tightens
    it: plans of least shortfall S miss no more, so value ≤ max(Σ v − λ′·S) + (λ′ − λ)·shortfall for every λ′ ≥ λ.
    """
    from scheduler.domain.allocation.market import market_of  # arrays and compilers are loaded by whoever asks

    market, constant = market_of(instance)
    if instance.objective.realtime != GUARANTEED:
        return _bound_at(market, constant, 1.0, 0.0, rounds)
    known = [short for short in (shortfall, _shortfall_alone(market, instance)) if short is not None]
    if not known or not instance.realtime:
        return _bound_at(market, constant, 1.0, 0.0, rounds)
    penalty = instance.objective.realtime_penalty
    stressed = (_bound_at(market, constant, stress, (stress - 1) * penalty * min(known), rounds) for stress in STRESSES)
    return min(stressed, key=lambda bound: bound.value)


def _bound_at(market: "Market", constant: float, stress: float, missed: float, rounds: int | None) -> Bound:
    from scheduler.domain.allocation.descent import bounded, good_prices

    prices = good_prices(market, stress, rounds)
    value, size = bounded(market, stress, prices)
    rounding = MARGIN * (size + abs(constant) + missed)
    return Bound(value + constant + missed + rounding, tuple(float(price) for price in prices))


def _shortfall_alone(market: "Market", instance: Instance) -> float | None:
    """The weighted shortfall if only what runs already and real-time jobs are planned, which is always legal.

    None where the real-time jobs do not fit beside each other so.
    """
    from scheduler.domain.allocation.descent import undisturbed_plans

    plans, fit = undisturbed_plans(market)
    if not fit:
        return None
    return float(
        sum(
            job.priority * sum(max(0, wanted - int(held)) for wanted, held in zip(job.demand, plan, strict=True))
            for (_, job), plan in zip(instance.realtime, plans, strict=True)
        )
    )
