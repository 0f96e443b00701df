"""Facts for tests of rules: one thing of each kind that is in order, and what may be wrong with it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.facts import (
    AlertFacts,
    BlockFact,
    BlockJobFact,
    BreakEvenLines,
    DoubleFact,
    FreeSlots,
    HourFact,
    LongUse,
    PoolFact,
    ReservationFact,
    SourceSeen,
)
from scheduler.domain.alert.finding import Finding, Rule, Subject, Verdicts
from scheduler.domain.alert.request_facts import ConditionFact, RequestFact
from scheduler.domain.attention.item import Price
from scheduler.domain.attention.sources import SourceFact
from scheduler.domain.block_clock.states import JobState

NOW = datetime(2026, 6, 10, 8, 20, tzinfo=UTC)
DUE = datetime(2026, 6, 10, 8, tzinfo=UTC)
TODAY = date(2026, 6, 10)
HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
GPU_HOUR = 3_600_000
NODE_HOUR = 8 * GPU_HOUR
FIVE = Price(Decimal(5), "USD")
TEN = Price(Decimal(10), "USD")

RESERVATION = Subject("reservation:1", "cr-0aaa", frozenset({"serving"}), "serving", "serve", 1)
POOL = Subject("pool:serve", "serve", frozenset({"serving"}), "serving", "serve")
NONE_FREE = FreeSlots(free=0, watched=True, every_free=False, since=None, clean=12, used_first=10)


def rule(name: str) -> Rule[AlertFacts, Any]:
    found: Rule[AlertFacts, Any] = import_module(f"scheduler.alerts.{name}").RULE
    return found


def asked(name: str, facts: AlertFacts, **thresholds: Any) -> Verdicts:
    """What a rule says by its defaults, but for some."""
    asked_of = rule(name)
    limit = replace(asked_of.defaults, **thresholds)
    return asked_of.check(facts, lambda pool="": limit)


def found(name: str, facts: AlertFacts, **thresholds: Any) -> Finding:
    """The only thing that it finds."""
    verdicts = asked(name, facts, **thresholds)
    (finding,) = verdicts.findings
    assert verdicts.held == frozenset()
    return finding


def reservation(**told: Any) -> ReservationFact:
    """Ten nodes without an end, all launched."""
    fields: dict[str, Any] = {
        "id": 1,
        "subject": RESERVATION,
        "external_id": "cr-0aaa",
        "kind": Kind.ON_DEMAND,
        "state": State.ACTIVE,
        "shape": "p5.48xlarge",
        "zone_id": "use1-az4",
        "matching": "open",
        "total": 10,
        "gpus_per_node": Decimal(8),
        "start_at": NOW - 60 * DAY,
        "end_at": None,
        "usable_until": None,
        "decide_on": None,
        "data_zone_id": "use1-az4",
        "price": FIVE,
        "slots": NONE_FREE,
        "on_demand": TEN,
        "platform": "Linux/UNIX",
        "tenancy": "default",
    }
    return ReservationFact(**fields | told)


def free(count: int | None, since: datetime | None = None, **told: Any) -> FreeSlots:
    """So many slots free in every observation of a watched hour."""
    fields = {"watched": True, "every_free": True, "clean": 0, "used_first": None}
    return FreeSlots(free=count, since=since, **fields | told)


def block(left: timedelta, **told: Any) -> ReservationFact:
    """A block of thirty days that ends in so long, all launched."""
    end = NOW + left
    fields = {"kind": Kind.BLOCK, "takes_machines": True, "end_at": end, "usable_until": end - 30 * MINUTE}
    return reservation(**{**fields, "start_at": end - 30 * DAY, "matching": "targeted"} | told)


def ending(left: timedelta, *states: JobState, **told: Any) -> BlockFact:
    """A block whose machines are taken in so long, with a job in each of some states."""
    usable = NOW + left
    jobs = tuple(
        BlockJobFact(f"run-{place}", usable - HOUR, state, f"It is {state.value}.", finishes=False)
        for place, state in enumerate(states)
    )
    fields: dict[str, Any] = {
        "reservation_id": 1,
        "subject": RESERVATION,
        "external_id": "cr-0aaa",
        "state": State.ACTIVE,
        "start_at": NOW - 3 * DAY,
        "end_at": usable + 30 * MINUTE,
        "usable_until": usable,
        "no_admit_after": usable - HOUR,
        "jobs": jobs,
    }
    return BlockFact(**fields | told)


def hour(ago: int, **told: Any) -> HourFact:
    """The whole hour that ended so many hours before the newest due one: ten nodes, all joined and known."""
    fields: dict[str, Any] = {
        "reserved": 10 * NODE_HOUR,
        "launched": 10 * NODE_HOUR,
        "expected": 10 * NODE_HOUR,
        "known": 10 * NODE_HOUR,
        "idle_held": 0,
    }
    return HourFact(DUE - (ago + 1) * HOUR, **fields | told)


def day_of_hours(change: Callable[[int], dict[str, Any]] = lambda ago: {}, hours: int = 24) -> tuple[HourFact, ...]:
    """The hours of a day, the newest first, each changed by how long ago it is."""
    return tuple(hour(ago, **change(ago)) for ago in range(hours))


USE = LongUse(
    days=28,
    due_hours=672,
    busy_hours=672,
    busy=672 * 60 * GPU_HOUR,
    busy_paid=672 * 80 * GPU_HOUR,
    coverage=Decimal(1),
    allocated_share=Decimal("0.9"),
    month="2026-06",
)


def pool(**told: Any) -> PoolFact:
    """A pool of ten nodes that is collected, known and busy for three quarters of what it pays."""
    fields: dict[str, Any] = {
        "id": 1,
        "subject": POOL,
        "gpus_per_node": Decimal(8),
        "price": FIVE,
        "on_demand": TEN,
        "due": DUE,
        "collected": True,
        "held_since": NOW - 60 * DAY,
        "last_hour": DUE - HOUR,
        "hours": day_of_hours(),
        "use": USE,
        "lines": BreakEvenLines(Decimal("0.5")),
    }
    return PoolFact(**fields | told)


def double(**told: Any) -> DoubleFact:
    """A pool beside which nothing runs on demand."""
    fields: dict[str, Any] = {
        "subject": POOL,
        "since": NOW,
        "gpu_ms": 0,
        "span_ms": 6 * GPU_HOUR,
        "now": 0,
        "price": TEN,
    }
    return DoubleFact(**fields | told)


def source(late: timedelta | None, *, inventory: bool = False, failing: bool = False) -> SourceSeen:
    """A source that gave something so long ago, None: never."""
    until = None if late is None else NOW - late
    error = "it answered 503." if failing else ""
    return SourceSeen(Subject("source:prod", "prod"), SourceFact("prod", inventory, failing, until, error, ("serve",)))


def facts(*things: Any) -> AlertFacts:
    """What is known at ``NOW``: these things, each where it belongs."""
    kinds = {
        "reservations": ReservationFact,
        "blocks": BlockFact,
        "pools": PoolFact,
        "doubles": DoubleFact,
        "sources": SourceSeen,
        "requests": RequestFact,
    }
    return AlertFacts(
        NOW, UTC, **{name: tuple(one for one in things if isinstance(one, kind)) for name, kind in kinds.items()}
    )


def unapproved(*things: Any) -> AlertFacts:
    """The same, with nobody's approval for any reservation of them."""
    told = facts(*things)
    return replace(told, unapproved=frozenset(one.id for one in told.reservations))


def request(
    due: timedelta | None = None, glass: timedelta | None = None, waits: timedelta | None = None
) -> RequestFact:
    """A request whose condition is due so far ahead, whose emergency was so long ago, or that waits for so long."""
    conditions = () if due is None else (ConditionFact(3, TODAY + due),)
    opened = None if glass is None else NOW - glass
    return RequestFact(
        id=7,
        subject=Subject("exception:7", "Request 7", frozenset({"serving"}), "serving", "serve"),
        conditions=conditions,
        glass_opened_at=opened,
        glass_due_at=None if opened is None else opened + 2 * DAY,
        waiting_since=None if waits is None else NOW - waits,
        waiting_for="one approver",
    )
