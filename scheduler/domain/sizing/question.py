"""One question with all its answers' parts: what was given, what is known, and the sizing that both lead to."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain.pricing import PriceKind
from scheduler.domain.sizing.alternatives import Choices
from scheduler.domain.sizing.answer import Sizing, SizingAsked, sizing
from scheduler.domain.sizing.given import Given, Known, Overflow, Priced, fixed_nodes, priced
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.overflow import WorkloadOverflow
from scheduler.domain.sizing.prices import UnableToSize
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
            ways={
                name: WorkloadOverflow(name, way.kind, _overflow_price(name, way, given, known, found))
                for name, way in given.overflow.items()
            },
            shed_cost=given.shed_cost,
        ),
        fixed=fixed_nodes(given, known),
        growth=growth,
        term=given.term,
        interval=found.interval,
        allow_short=how.allow_short,
        draws=how.draws,
        seed=how.seed,
    )
    return Answer(sizing(trace, asked), found, given)


def _overflow_price(workload: str, way: Overflow, given: Given, known: Known, found: Priced) -> Decimal:
    said = {PriceKind.SPOT: given.spot, PriceKind.FLEX: given.flex}.get(way.kind)
    if way.price is not None or said is not None:
        return way.price if way.price is not None else said or Decimal(0)
    if way.kind is PriceKind.ON_DEMAND:
        return found.prices.on_demand
    price = known.prices.get(way.kind)
    if price is None:
        raise UnableToSize(f"no {way.kind} price is known for {workload}: give it, as {workload}={way.kind}:40")
    return price
