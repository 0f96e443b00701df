"""Facts as no world gives them: anything may be unknown, and times stand in any order."""

from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.facts import (
    AlertFacts,
    BlockFact,
    BlockJobFact,
    BreakEvenLines,
    DoubleFact,
    FreeSlots,
    HourFact,
    Launches,
    LongUse,
    Outside,
    PoolFact,
    ReservationFact,
    SourceSeen,
)
from scheduler.domain.alert.finding import Subject
from scheduler.domain.alert.request_facts import ConditionFact, RequestFact
from scheduler.domain.attention.item import Price
from scheduler.domain.attention.sources import SourceFact
from scheduler.domain.block_clock.states import JobState
from tests.scheduler.alerts.world import DUE, HOUR, NOW

around = st.one_of(
    st.sampled_from([NOW, NOW + HOUR, NOW - HOUR, NOW + 24 * HOUR, NOW + timedelta(days=7)]),
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
days = st.one_of(st.just(NOW.date()), st.dates(date(1, 1, 1), date(9999, 12, 31)))
counts = st.integers(0, 1_000)
gpu_ms = st.integers(-(10**9), 10**12)
shares = st.decimals(0, 2, places=4)
words = st.sampled_from(["", "a", "use1-az4", "use1-az6"])
prices = st.builds(Price, st.none() | st.decimals(0, 100, places=2), st.just("USD"))


def maybe(some: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | some


def subjects(kind: str) -> st.SearchStrategy[Subject]:
    return st.builds(Subject, key=st.just(f"{kind}:?"), name=st.just(kind), owner=words, pool=words)


slots = st.builds(
    FreeSlots, maybe(counts), st.booleans(), st.booleans(), maybe(around), maybe(counts), maybe(counts), maybe(counts)
)
launches = st.builds(
    Launches,
    outside=maybe(
        st.lists(st.builds(Outside, counts, words, words, words, words, st.booleans()), max_size=3).map(tuple)
    ),
    named=maybe(counts),
    attempts=maybe(counts),
    failures=maybe(counts),
    day=maybe(days),
)
reservations = st.builds(
    ReservationFact,
    id=counts,
    subject=subjects("reservation"),
    external_id=words,
    kind=st.sampled_from(Kind),
    state=st.sampled_from([State.ACTIVE, State.ACTIVE, *State]),
    shape=words,
    zone_id=words,
    matching=st.sampled_from(["", "open", "targeted"]),
    total=maybe(counts),
    gpus_per_node=maybe(st.decimals(0, 16, places=2)),
    start_at=around,
    end_at=maybe(around),
    usable_until=maybe(around),
    decide_on=maybe(days),
    data_zone_id=words,
    price=prices,
    slots=slots,
    on_demand=prices,
    platform=words,
    tenancy=words,
    commitment_end_at=maybe(around),
    useful_until=maybe(days),
    generation=words,
    decided=st.sampled_from(["", "renew", "resize", "lapse"]),
    executed=st.booleans(),
    takes_machines=st.booleans(),
    extension_pending=st.booleans(),
    launches=launches,
)
jobs = st.builds(BlockJobFact, words, around, st.sampled_from(JobState), st.just("It is so."), st.booleans())
blocks = st.builds(
    BlockFact,
    reservation_id=counts,
    subject=subjects("block"),
    external_id=words,
    state=st.sampled_from([State.ACTIVE, *State]),
    start_at=maybe(around),
    end_at=around,
    usable_until=around,
    no_admit_after=around,
    jobs=st.lists(jobs, max_size=5).map(tuple),
)
hours = st.lists(
    st.builds(
        HourFact,
        hour=st.integers(1, 30).map(lambda ago: DUE - ago * HOUR),
        reserved=gpu_ms,
        launched=maybe(gpu_ms),
        expected=maybe(st.just(0) | gpu_ms),
        known=maybe(gpu_ms),
        idle_held=maybe(gpu_ms),
        suspects=st.integers(0, 3),
    ),
    max_size=30,
    unique_by=lambda hour: hour.hour,
).map(lambda some: tuple(sorted(some, key=lambda hour: hour.hour, reverse=True)))
use = st.builds(
    LongUse, st.just(28), st.just(672), counts, maybe(gpu_ms), st.just(0) | gpu_ms, maybe(shares), maybe(shares),
    st.just("2026-06"),
)  # fmt: skip
pools = st.builds(
    PoolFact,
    id=counts,
    subject=subjects("pool"),
    gpus_per_node=st.decimals("0.01", 16, places=2),
    price=prices,
    on_demand=prices,
    due=st.just(DUE),
    collected=st.booleans(),
    held_since=maybe(around),
    last_hour=maybe(around),
    hours=hours,
    use=maybe(use),
    lines=st.builds(BreakEvenLines, maybe(shares), maybe(shares)),
    suspects=st.lists(st.just("n1, GPU-1: it stood still."), max_size=5).map(tuple),
    holder=words,
)
doubles = st.builds(
    DoubleFact,
    subject=subjects("pool"),
    since=around.filter(lambda at: at <= NOW),
    gpu_ms=st.integers(0, 10**12),
    span_ms=st.integers(0, 10**8),
    now=maybe(counts),
    price=prices,
    cause=words,
)
sources = st.builds(
    SourceSeen,
    subjects("source"),
    st.builds(
        SourceFact, words, st.booleans(), st.booleans(), maybe(around.filter(lambda at: at <= NOW)), words, st.just(())
    ),
)

conditions = st.lists(st.builds(ConditionFact, st.integers(1, 10**6), days), max_size=3, unique_by=lambda one: one.id)
requests = st.builds(
    RequestFact,
    id=counts,
    subject=subjects("exception"),
    conditions=conditions.map(tuple),
    glass_opened_at=maybe(around),
    glass_due_at=maybe(around),
    waiting_since=maybe(around),
    waiting_for=words,
    decide_by=maybe(days),
)


def numbered(some: list) -> tuple:
    """Each about something of its own."""
    return tuple(replace(one, subject=replace(one.subject, key=f"{one.subject.key}{n}")) for n, one in enumerate(some))


def odd_facts() -> st.SearchStrategy[AlertFacts]:
    """Up to three of everything."""
    kinds = {
        "reservations": reservations,
        "blocks": blocks,
        "pools": pools,
        "doubles": doubles,
        "sources": sources,
        "requests": requests,
    }
    assert {"as_of", "zone", "unapproved", *kinds} == {field.name for field in fields(AlertFacts)}
    return st.builds(
        AlertFacts,
        as_of=st.just(NOW),
        zone=st.sampled_from([UTC, ZoneInfo("Asia/Kolkata"), ZoneInfo("America/New_York")]),
        unapproved=st.frozensets(counts),
        **{name: st.lists(kind, max_size=3).map(numbered) for name, kind in kinds.items()},
    )
