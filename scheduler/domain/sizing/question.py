"""One question with all its answers' parts: what was given, what is known, and the sizing that both lead to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from reservations.domain.pricing import PriceKind
from scheduler.domain.sizing.alternatives import Choices
from scheduler.domain.sizing.answer import Sizing, SizingAsked, sizing
from scheduler.domain.sizing.given import Given, Known, Overflow, Priced, fixed_nodes, priced
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.prices import SizingPrices, UnableToSize, WorkloadOverflow
from scheduler.domain.sizing.stretches import Earlier
from scheduler.domain.sizing.weeks import DRAWS, SEED
from telemetry.domain.demand import DemandTrace, UnableToUseDemand


@dataclass(frozen=True, slots=True)
class Answer:
    """A sizing with where its prices come from; ``warnings`` of both."""

    sizing: Sizing
    priced: Priced
    given: Given

    @property
    def warnings(self) -> tuple[str, ...]:
        """Everything worth knowing before one believes it."""
        return (*self.priced.warnings, *self.sizing.warnings)


@dataclass(frozen=True, slots=True)
class Manner:
    """How to size whatever the question: too little data all the same, how often weeks are drawn, by which seed."""

    allow_short: bool = False
    draws: int = DRAWS
    seed: int = SEED


def answer_of(
    trace: DemandTrace, given: Given, known: Known, *, growth: Sequence[GrowthLine] = (), manner: Manner | None = None
) -> Answer:
    """The answer; UnableToSize for what can't be sized, prices that nobody knows among it."""
    found, how = priced(given, known), manner or Manner()
    if given.workloads:
        try:
            trace = trace.narrowed(given.workloads)
        except UnableToUseDemand as unable:
            raise UnableToSize(str(unable)) from unable
    asked = SizingAsked(
        prices=found.prices,
        choices=Choices(
            current=known.current if given.current is None else given.current,
            ways=_ways(given, known, found.prices),
            shed_cost=given.shed_cost,
        ),
        fixed=fixed_nodes(given, known),
        growth=growth,
        term=given.term,
        interval=found.interval,
        allow_short=how.allow_short,
        draws=how.draws,
        seed=how.seed,
        earlier=[
            Earlier(then.period, prices, _ways(given, replace(known, prices={**known.prices, **then.prices}), prices))
            for then, prices in found.earlier
        ],
    )
    answer = sizing(trace, asked)
    return Answer(answer, replace(found, warnings=(*found.warnings, *_unpriced(answer, found))), given)


def _unpriced(answer: Sizing, found: Priced) -> list[str]:
    """In how many of the hours no price is known, where each has its own."""
    hours = () if answer.asked.term else answer.trace.hours
    count = sum(any(hour in period for period in found.unpriced) for hour in hours) if found.unpriced else 0
    said = f"no on-demand and reserved price in {found.prices.currency or 'this currency'} is known in {count}"
    return [f"{said} of these hours: they are weighed at the prices in force at their end"] if count else []


def _ways(given: Given, known: Known, prices: SizingPrices) -> dict[str, WorkloadOverflow]:
    return {
        name: WorkloadOverflow(name, way.kind, _overflow_price(name, way, given, known, prices))
        for name, way in given.overflow.items()
    }


def _overflow_price(workload: str, way: Overflow, given: Given, known: Known, prices: SizingPrices) -> Decimal:
    said = {PriceKind.SPOT: given.spot, PriceKind.FLEX: given.flex}.get(way.kind)
    if way.price is not None or said is not None:
        return way.price if way.price is not None else said or Decimal(0)
    if way.kind is PriceKind.ON_DEMAND:
        return prices.on_demand
    price = known.prices.get(way.kind)
    if price is None:
        raise UnableToSize(f"no {way.kind} price is known for {workload}: give it, as {workload}={way.kind}:40")
    return price
