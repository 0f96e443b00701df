"""Cases that tests of recommendations make: a pool's hours, its prices and what is held of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from reservations.domain.period import Period
from reservations.domain.pricing import PriceKind
from reservations.domain.reservation_state import Kind, State
from scheduler.domain.recommendation.case import AdvicePolicy, Case, Packed
from scheduler.domain.recommendation.moves import Part
from scheduler.domain.sizing.given import Known, KnownShortage
from scheduler.domain.sizing.prices import ShortageTerms
from tests.scheduler.domain.sizing.traces import trace

START = datetime(2026, 3, 1, tzinfo=UTC)
AS_OF = datetime(2026, 6, 3, 8, tzinfo=UTC)
PERIOD = Period(START, datetime(2026, 6, 1, tzinfo=UTC))
FEW_DRAWS = AdvicePolicy(draws=40)


def known(
    *,
    on_demand: str = "100",
    reserved: str = "62",
    q: str | None = "0.1",
    lost: str = "40",
    current: int,
    spare: int = 0,
) -> Known:
    """Prices, today's size and, where q is given, a shortage record."""
    record = None
    if q is not None:
        record = KnownShortage(ShortageTerms(Decimal(q), Decimal(lost)), "USD", "counted", date(2026, 5, 1))
    return Known(
        prices={PriceKind.ON_DEMAND: Decimal(on_demand), PriceKind.RESERVED: Decimal(reserved)},
        currency="USD",
        source="quote 17",
        shortage=record,
        current=current,
        spare=spare,
    )


def part(nodes: int, *, kind: Kind = Kind.ON_DEMAND, state: State = State.ACTIVE, **ends: datetime | None) -> Part:
    return Part("cr-1", kind, state, nodes, **ends)


def case(nodes: Sequence[int], *, facts: Known, **said: object) -> Case:
    """A case whose pool needs these nodes hour after hour from 1 March 2026 on."""
    held = facts.current or 0
    made = Case(
        pool="serve-h100",
        month=date(2026, 5, 1),
        period=PERIOD,
        trace=trace(nodes, start=START),
        thin=frozenset(),
        known=facts,
        parts=(part(held),) if held else (),
        as_of=AS_OF,
        packed=Packed(None),
        code="test",
        policy=FEW_DRAWS,
    )
    return replace(made, **said)


def in_days(days: float) -> datetime:
    return AS_OF + timedelta(days=days)
