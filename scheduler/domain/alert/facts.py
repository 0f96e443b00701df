"""The frozen picture that every rule looks at: plain rows of one instant, read once."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.finding import Subject
from scheduler.domain.alert.request_facts import RequestFact
from scheduler.domain.attention.item import NextStep, Price
from scheduler.domain.attention.sources import SourceFact
from scheduler.domain.block_clock.states import JobState


@dataclass(frozen=True, slots=True)
class FreeSlots:
    """What the observations of the last hour show of free slots.

    ``watched``: they cover all of it. ``every_free``: each of them shows some. ``since``: the first of the unbroken
    run that does. ``clean``: how many of the newest in a row show none; None where the newest shows nothing of it.
    ``unused`` is how many of the newest in a row show nothing
    launched, None as there. ``used_first`` is how many nodes were launched when the hour began.
    """

    free: int | None
    watched: bool
    every_free: bool
    since: datetime | None
    clean: int | None
    used_first: int | None = None
    unused: int | None = None


DOUBLES_WITHIN = timedelta(hours=6)
"""How far back it is looked for what is paid twice: what still is began so long ago at the most."""

NOT_PRICED = Price(why_not="price unknown")
NOTHING_SEEN = FreeSlots(None, False, False, None, None)


@dataclass(frozen=True, slots=True)
class Outside:
    """Instances alike that run now in a reservation's region with its shape, on demand and in no reservation.

    Blank is unknown. ``targets``: they name this reservation, or a group that it may be in.
    """

    count: int
    zone_id: str
    platform: str
    tenancy: str
    preference: str
    targets: bool = False


@dataclass(frozen=True, slots=True)
class Launches:
    """What is known of launches of a reservation's shape.

    ``outside`` None: running instances are not listed. ``named``: instances that name it, wherever they run.
    ``attempts`` and ``failures`` for want of capacity are of ``day``, the newest that was reported; None unknown.
    """

    outside: tuple[Outside, ...] | None = None
    named: int | None = None
    attempts: int | None = None
    failures: int | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True)
class ReservationFact:
    """One reservation that has not ended; None is unknown, never zero.

    ``decided`` is what stands for its end (``renew``, ``resize``, ``lapse``), blank while nothing does; ``executed``:
    that came to be. ``takes_machines``: its end terminates what runs. ``extension_pending``: an extension waits for its
    payment.
    """

    id: int
    subject: Subject
    external_id: str
    kind: Kind
    state: State
    shape: str
    zone_id: str
    matching: str
    total: int | None
    gpus_per_node: Decimal | None
    start_at: datetime
    end_at: datetime | None
    usable_until: datetime | None
    decide_on: date | None
    data_zone_id: str
    price: Price
    slots: FreeSlots
    on_demand: Price = NOT_PRICED
    platform: str = ""
    tenancy: str = ""
    commitment_end_at: datetime | None = None
    useful_until: date | None = None
    generation: str = ""
    decided: str = ""
    executed: bool = False
    takes_machines: bool = False
    extension_pending: bool = False
    launches: Launches = field(default_factory=Launches)

    @property
    def used(self) -> int | None:
        """Nodes that have something launched; None unknown."""
        return None if self.total is None or self.slots.free is None else self.total - self.slots.free

    @property
    def page(self) -> NextStep:
        """Its own page."""
        return NextStep("Open reservation", "reservations:detail", (("pk", str(self.id)),))


@dataclass(frozen=True, slots=True)
class BlockJobFact:
    """One job on a block that can still be lost: its deadline, where it stands and why in one sentence.

    ``at_odds`` says why it does not go with what is planned for the end, blank where it does.
    """

    id: str
    deadline: datetime
    state: JobState
    reason: str
    finishes: bool
    at_odds: str = ""


@dataclass(frozen=True, slots=True)
class BlockFact:
    """One block on its way to its end, with what is still on it, by deadline."""

    reservation_id: int
    subject: Subject
    external_id: str
    state: State
    start_at: datetime | None
    end_at: datetime
    usable_until: datetime
    no_admit_after: datetime
    jobs: tuple[BlockJobFact, ...] = ()


@dataclass(frozen=True, slots=True)
class HourFact:
    """One hour of a pool's ledger in GPU-milliseconds, None unknown; ``suspects``: devices not to be believed in it."""

    hour: datetime
    reserved: int
    launched: int | None
    expected: int | None
    known: int | None
    idle_held: int | None
    suspects: int = 0

    @property
    def not_joined(self) -> int | None:
        """launched − expected, signed; None where one of them is unknown."""
        return None if self.launched is None or self.expected is None else self.launched - self.expected

    @property
    def coverage(self) -> Decimal | None:
        """known ÷ expected; 0 where nothing is known of it, None where nothing was expected."""
        if self.expected is None:
            return Decimal(0) if self.reserved else None
        return Decimal(self.known or 0) / self.expected if self.expected else None


@dataclass(frozen=True, slots=True)
class LongUse:
    """A pool's use over whole days that went by, in GPU-milliseconds, None unknown.

    ``busy_paid`` and ``busy_reserved`` are what was paid and reserved where busy is known; ``busy_hours`` of
    ``due_hours`` are those.
    """

    days: int
    due_hours: int
    busy_hours: int
    busy: int | None
    busy_paid: int
    coverage: Decimal | None
    allocated_share: Decimal | None
    month: str


@dataclass(frozen=True, slots=True)
class BreakEvenLines:
    """Today's break-even utilization by the prices alone, and with launches that fail; None is unknown."""

    even: Decimal | None = None
    adjusted: Decimal | None = None

    @property
    def decides(self) -> Decimal | None:
        """The line that is held against."""
        return self.even if self.adjusted is None else self.adjusted


NO_LINES = BreakEvenLines()


@dataclass(frozen=True, slots=True)
class PoolFact:
    """One pool; ``hours`` are the ledger's of the last day, the newest first, and ``due`` the end of the newest due.

    ``held_since`` is the first start of what backs it now, None while nothing does. ``collected``: it has a source.
    ``holder`` says in a sentence which pod held most of what was held idle in the last day, blank where nobody knows.
    """

    id: int
    subject: Subject
    gpus_per_node: Decimal
    price: Price
    on_demand: Price
    due: datetime
    collected: bool = False
    held_since: datetime | None = None
    last_hour: datetime | None = None
    hours: tuple[HourFact, ...] = ()
    use: LongUse | None = None
    lines: BreakEvenLines = NO_LINES
    suspects: tuple[str, ...] = ()
    holder: str = ""

    @property
    def page(self) -> NextStep:
        """Its page of this month."""
        return NextStep("Open pool", "telemetry:pool-now", (("name", self.subject.name),))


@dataclass(frozen=True, slots=True)
class DoubleFact:
    """On-demand instances that ran beside free slots which fit them, in the last whole hours.

    ``gpu_ms`` is what those paid twice that still do, within ``span_ms``, the time looked at; ``now`` how many they
    are, None where it is not observed.
    """

    subject: Subject
    since: datetime
    gpu_ms: int
    span_ms: int
    now: int | None
    price: Price
    cause: str = ""


@dataclass(frozen=True, slots=True)
class SourceSeen:
    """One source and whom it concerns: those who may see a pool that rests on it; inventory: the whole organisation."""

    subject: Subject
    source: SourceFact


@dataclass(frozen=True, slots=True)
class AlertFacts:
    """All that the rules look at."""

    as_of: datetime
    zone: tzinfo
    reservations: tuple[ReservationFact, ...] = ()
    blocks: tuple[BlockFact, ...] = ()
    pools: tuple[PoolFact, ...] = ()
    doubles: tuple[DoubleFact, ...] = ()
    sources: tuple[SourceSeen, ...] = ()
    requests: tuple[RequestFact, ...] = ()
    unapproved: frozenset[int] = frozenset()
