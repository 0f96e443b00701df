"""Every reservation that has not ended, as the alert rules look at it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from reservations.domain.held import OBSERVATION_HOLDS
from reservations.domain.period import Period
from reservations.domain.renewal import decision_date
from reservations.domain.reservation_state import Kind, State
from reservations.selectors.free_slots import HeldNow, held_now
from reservations.selectors.instance_history import RanOutside, listed_spans, ran_outside
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import TermsOn
from reservations.selectors.watched import FailedLaunches, Traits, failed_launches, slots_seen, traits_of
from scheduler.domain.alert.facts import Launches, Outside, ReservationFact
from scheduler.domain.alert.finding import Subject
from scheduler.domain.alert.seen_slots import WATCHED_FOR, free_slots
from scheduler.domain.renewal.standing import RenewalState
from scheduler.selectors.pool_facts import price_today
from scheduler.selectors.renewal_decisions import RenewalDecided, decisions_for

REPORTED_WITHIN = timedelta(days=2)
"""Launches that failed longer ago explain nothing of today."""

NO_TRAITS = Traits("", "", "", "", None, False, False)

AHEAD = (State.SCHEDULED, State.REQUESTED)
"""What has not begun shows no size yet, or one that nobody can use."""

Failed = Mapping[tuple[str, str], FailedLaunches]


def reservation_facts(
    *, pools: Mapping[int, PoolRow], prices: TermsOn, as_of: datetime, zone: tzinfo
) -> tuple[tuple[ReservationFact, ...], dict[int, datetime]]:
    """The facts, and by pool id the first start of what backs it now; in ten queries."""
    held = held_now(as_of=as_of)
    traits = traits_of([one.id for one in held])
    seen = slots_seen(after=as_of - WATCHED_FOR - OBSERVATION_HOLDS, until=as_of)
    decided = decisions_for([(one.id, one.end_at) for one in held if one.end_at is not None])
    running = Running.at(as_of, {one.shape for one in held if one.shape})
    failed = failed_launches(since=(as_of - REPORTED_WITHIN).astimezone(UTC).date(), until=as_of.astimezone(UTC).date())
    facts = []
    for one in held:
        mine = traits.get(one.id, NO_TRAITS)
        fact = _fact(one, mine, pools.get(one.pool_id or 0), prices, decided, as_of, zone)
        slots = free_slots(seen.get(one.id, ()), free=one.free, since=one.free_since, as_of=as_of)
        facts.append(replace(fact, slots=slots, launches=_launches(one, mine, running, failed)))
    return tuple(facts), _backing(held, as_of)


def _fact(
    one: HeldNow,
    traits: Traits,
    pool: PoolRow | None,
    prices: TermsOn,
    decided: Mapping[tuple[int, datetime], RenewalDecided],
    as_of: datetime,
    zone: tzinfo,
) -> ReservationFact:
    state = _state(one, as_of)
    standing = None if one.end_at is None else decided.get((one.id, one.end_at))
    shape, gpus = (one.shape, one.gpus_per_instance) if pool is None else (pool.instance_type, pool.gpus_per_node)
    return ReservationFact(
        id=one.id,
        subject=_subject(one, pool),
        external_id=one.external_id,
        kind=one.kind,
        state=state,
        shape=one.shape,
        zone_id=one.zone_id,
        matching=one.matching,
        total=(traits.planned or one.total or None) if state in AHEAD else one.total,
        gpus_per_node=gpus,
        start_at=one.start_at,
        end_at=one.end_at,
        usable_until=one.usable_until,
        decide_on=decision_date(end_at=one.end_at, kind=one.kind, lead=one.lead, zone=zone).on,
        data_zone_id=pool.data_zone_id if pool else "",
        price=price_today(prices, pool, shape=shape, gpus=gpus),
        slots=free_slots((), free=None, since=None, as_of=as_of),
        on_demand=price_today(prices, pool, shape=shape, gpus=gpus, on_demand=True),
        platform=traits.platform,
        tenancy=traits.tenancy,
        commitment_end_at=traits.commitment_end_at,
        useful_until=pool.useful_until if pool else None,
        generation=pool.generation if pool else "",
        decided=standing.choice.value if standing else "",
        executed=standing is not None and standing.state is RenewalState.EXECUTED,
        takes_machines=traits.takes_machines,
        extension_pending=traits.extension_pending,
    )


def _subject(one: HeldNow, pool: PoolRow | None) -> Subject:
    """Its own owner answers for it before its pool's does; teams are those that may see it."""
    teams = pool.teams if pool else frozenset()
    return Subject(
        key=f"reservation:{one.id}",
        name=one.external_id,
        teams=teams | {one.owner} if one.owner else teams,
        owner=one.owner or (pool.owner if pool else ""),
        pool=pool.name if pool else "",
        reservation_id=one.id,
    )


def _state(one: HeldNow, as_of: datetime) -> State:
    """Of one entered by hand its dates tell."""
    ahead = one.kind is Kind.MANUAL and one.state is State.ACTIVE and one.start_at > as_of
    return State.SCHEDULED if ahead else one.state


def _backing(held: Sequence[HeldNow], as_of: datetime) -> dict[int, datetime]:
    found: dict[int, datetime] = {}
    for one in held:
        if one.pool_id is not None and one.start_at <= as_of and _state(one, as_of) is State.ACTIVE:
            found[one.pool_id] = min(found.get(one.pool_id, one.start_at), one.start_at)
    return found


class Running:
    """The instances that run outside reservations at an instant, by region and shape, where all were listed."""

    def __init__(self, rows: Mapping[tuple[str, str], Sequence[RanOutside]], listed: frozenset[tuple[str, str]]):
        self._rows, self._listed = rows, listed

    @classmethod
    def at(cls, as_of: datetime, shapes: set[str]) -> "Running":
        """Those of some shapes, in three queries."""
        period = Period(as_of - OBSERVATION_HOLDS, as_of)
        listed = frozenset(key for key, spans in listed_spans(period=period).items() if spans and spans[-1][1] >= as_of)
        rows: defaultdict[tuple[str, str], list[RanOutside]] = defaultdict(list)
        for row in ran_outside(shapes=shapes, period=period) if listed else ():
            if row.end >= as_of:
                rows[row.region, row.shape].append(row)
        return cls(rows, listed)

    def beside(self, region: str, shape: str) -> Sequence[RanOutside] | None:
        """Those of a reservation's shape in its region; None where they were not listed."""
        return self._rows.get((region, shape), ()) if (region, shape) in self._listed else None


def _launches(one: HeldNow, traits: Traits, running: Running, failed: Failed) -> Launches:
    told = failed.get((one.shape, one.zone_id)) or failed.get((one.shape, ""))
    reported = (told.attempts, told.failures, told.day) if told else (None, None, None)
    beside = running.beside(traits.region, one.shape)
    if beside is None:
        return Launches(None, None, *reported)
    counts: defaultdict[tuple[str, str, str, str, bool], int] = defaultdict(int)
    for row in beside:
        named = row.target in (one.external_id, traits.arn) if row.target else False
        grouped = row.target.startswith("arn:") and row.target != traits.arn
        counts[row.zone_id, row.platform, row.tenancy, row.preference, named or grouped] += 1
    outside = tuple(Outside(count, *key) for key, count in sorted(counts.items()))
    return Launches(outside, sum(row.count for row in outside if row.targets), *reported)
