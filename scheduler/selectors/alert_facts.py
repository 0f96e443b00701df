"""All that the alert rules look at, read once at one instant for the whole organisation."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo

from reservations.domain.period import Period, from_epoch_ms
from reservations.domain.reservation_state import Kind, State
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.selectors.syncs import region_syncs
from reservations.selectors.terms import TermsOn, terms_on
from scheduler.domain.alert.double_cause import double_cause
from scheduler.domain.alert.facts import (
    DOUBLES_WITHIN,
    AlertFacts,
    BlockFact,
    BlockJobFact,
    DoubleFact,
    ReservationFact,
    SourceSeen,
)
from scheduler.domain.alert.finding import Subject
from scheduler.domain.attention.sources import SourceFact
from scheduler.domain.block_clock.agreement import NOTHING_PLANNED, PlannedEnd, why_at_odds
from scheduler.selectors.ending_blocks import EndingBlock, ending_blocks
from scheduler.selectors.exception_facts import request_facts
from scheduler.selectors.exception_purchases import unapproved_ids
from scheduler.selectors.pool_facts import pool_facts, price_today, subject_of_pool
from scheduler.selectors.renewal_decisions import planned_ends
from scheduler.selectors.reservation_facts import reservation_facts
from telemetry.selectors.double_pay import PaidTwiceLine, double_pay
from telemetry.selectors.trouble import SourceReach, source_reach


def alert_facts(*, as_of: datetime, zone: tzinfo = UTC) -> AlertFacts:
    """The facts of an instant, in a fixed number of queries however much is held; days are those of ``zone``."""
    pools = {pool.id: pool for pool in pool_rows()}
    prices = terms_on(day=as_of.astimezone(UTC).date())
    reach = source_reach(as_of=as_of)
    reservations, backing = reservation_facts(pools=pools, prices=prices, as_of=as_of, zone=zone)
    return AlertFacts(
        as_of=as_of,
        zone=zone,
        reservations=reservations,
        blocks=_blocks(reservations, as_of),
        pools=pool_facts(pools=pools, prices=prices, reach=reach, backing=backing, as_of=as_of),
        doubles=_doubles(list(pools.values()), prices, reservations, as_of),
        sources=(*_engines(reach, pools), *_regions()),
        requests=request_facts(),
        unapproved=unapproved_ids(as_of=as_of, zone=zone),
    )


def _blocks(reservations: Sequence[ReservationFact], as_of: datetime) -> tuple[BlockFact, ...]:
    """Those that take their machines with them, and what else jobs are registered on; what is not held is over."""
    held = {one.id: one for one in reservations}
    blocks = [
        block
        for block in ending_blocks(as_of=as_of)
        if block.held.id in held and (block.held.takes_machines or block.jobs) and block.end.end_at > as_of
    ]
    planned = planned_ends([(block.held.id, block.end.end_at) for block in blocks])
    return tuple(
        _block(one, held[one.held.id], planned.get((one.held.id, one.end.end_at), NOTHING_PLANNED)) for one in blocks
    )


def _block(block: EndingBlock, held: ReservationFact, planned: PlannedEnd) -> BlockFact:
    return BlockFact(
        reservation_id=held.id,
        subject=held.subject,
        external_id=held.external_id,
        state=held.state,
        start_at=held.start_at,
        end_at=block.end.end_at,
        usable_until=block.end.usable_until,
        no_admit_after=block.no_admit_after,
        jobs=tuple(
            BlockJobFact(
                job.id,
                job.deadline,
                job.standing.state,
                job.standing.reason,
                job.finishes,
                why_at_odds(job.decision, planned),
            )
            for job in block.jobs
            if job.live
        ),
    )


def _doubles(
    pools: Sequence[PoolRow], prices: TermsOn, reservations: Sequence[ReservationFact], as_of: datetime
) -> tuple[DoubleFact, ...]:
    """One for each pool that is observed: what of it is paid twice now, and since when, as far as it is looked back."""
    known = _known_now(reservations, as_of)
    asked = [pool for pool in pools if pool.name in known]
    if not asked:
        return ()
    period = Period(as_of - DOUBLES_WITHIN, as_of)
    lines: defaultdict[int, list[PaidTwiceLine]] = defaultdict(list)
    for line in double_pay(pools=pools, period=period).lines:
        if not line.near and line.last >= from_epoch_ms(period.end_ms):
            lines[line.pool_id].append(line)
    return tuple(
        DoubleFact(
            subject=subject_of_pool(pool),
            since=min((line.first for line in lines[pool.id]), default=as_of),
            gpu_ms=sum(line.gpu_ms for line in lines[pool.id]),
            span_ms=period.end_ms - period.start_ms,
            now=len({line.instance_id for line in lines[pool.id]}) if known[pool.name] else None,
            price=price_today(prices, pool, on_demand=True),
            cause=double_cause([(line.cause, line.instance_ms) for line in lines[pool.id]]),
        )
        for pool in asked
    )


def _known_now(reservations: Sequence[ReservationFact], as_of: datetime) -> dict[str, bool]:
    """By pool whether its free slots are observed now, and where there are some, the instances beside them too."""
    known: dict[str, bool] = {}
    for one in reservations:
        over = one.usable_until is not None and one.usable_until <= as_of
        if not one.subject.pool or one.state is not State.ACTIVE or one.kind is Kind.MANUAL or over:
            continue
        seen = one.slots.free == 0 or (one.slots.free is not None and one.launches.outside is not None)
        known[one.subject.pool] = known.get(one.subject.pool, True) and seen
    return known


def _engines(reach: Sequence[SourceReach], pools: Mapping[int, PoolRow]) -> list[SourceSeen]:
    """Metrics engines; those who may see a pool that rests on one may see it."""
    seen = []
    for source in reach:
        resting = [pools[pool_id] for pool_id in source.pool_ids if pool_id in pools]
        owners = {pool.owner for pool in resting}
        subject = Subject(
            key=f"source:{source.name}",
            name=source.name,
            teams=frozenset(team for pool in resting for team in pool.teams),
            owner=owners.pop() if len(owners) == 1 else "",
        )
        names = tuple(pool.name for pool in resting)
        fact = SourceFact(source.name, False, source.failing, source.data_until, source.last_error, names)
        seen.append(SourceSeen(subject, fact))
    return seen


def _regions() -> list[SourceSeen]:
    """Accounts' regions: they concern the whole organisation."""
    seen = []
    for region in region_syncs():
        complete, failed = region.last_complete_at, region.last_error_at
        failing = failed is not None and (complete is None or failed > complete)
        name = f"{region.account} {region.region}"
        subject = Subject(key=f"inventory:{region.account}/{region.region}", name=name)
        seen.append(SourceSeen(subject, SourceFact(name, True, failing, complete, region.last_error, ())))
    return seen
