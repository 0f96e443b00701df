"""What is known of one pool for one month: all that its recommendation is made from."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal

from reservations.domain.period import Period
from reservations.domain.renewal import LeadTimes
from scheduler.domain.recommendation.moves import Part
from scheduler.domain.sizing.given import Known
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.weeks import DRAWS, SEED
from telemetry.domain.demand import DemandTrace


@dataclass(frozen=True, slots=True)
class AdvicePolicy:
    """What a recommendation rests on, frozen with it."""

    months: int = 3
    """A quarter of whole months: what is older tells of another fleet."""

    coverage: Decimal = Decimal("0.9")
    """Known ÷ expected of an hour under which it feeds no recommendation."""

    horizon: timedelta = timedelta(days=90)
    """What can't be given back within so long stays held: a quarter later there is another recommendation."""

    draws: int = DRAWS
    seed: int = SEED


DEFAULT_ADVICE = AdvicePolicy()


@dataclass(frozen=True, slots=True)
class Packed:
    """What a replay of the month found: the packed size, or ``why_not`` there is none; ``summary`` is frozen."""

    nodes: int | None
    why_not: str = ""
    summary: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """All that is known of a pool for a month: ``trace`` with every hour, ``thin`` the hours of too little coverage.

    ``idle_held`` are nodes held by pods that do not work, on average; None where nobody knows. ``code`` names the
    version of the rules.
    """

    pool: str
    month: date
    period: Period
    trace: DemandTrace
    thin: AbstractSet[datetime]
    known: Known
    parts: Sequence[Part]
    as_of: datetime
    growth: Sequence[GrowthLine] = ()
    packed: Packed = field(default_factory=lambda: Packed(None))
    idle_held: Decimal | None = None
    lead: LeadTimes | None = None
    zone: tzinfo = UTC
    code: str = ""
    policy: AdvicePolicy = DEFAULT_ADVICE
