"""What needs a decision or a look, for one person at one instant."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime

from reservations.domain.access import Action, may
from reservations.domain.pricing import per_gpu_hour
from reservations.domain.renewal import decision_date
from reservations.domain.reservation_state import State
from reservations.selectors.free_slots import HeldNow
from reservations.selectors.pools import PoolRow
from scheduler.domain.attention.ends import EndFact, ends_ahead
from scheduler.domain.attention.held_idle import HeldFact, held_idle, holds_much
from scheduler.domain.attention.item import Item, Price
from scheduler.domain.attention.low_coverage import CoverageFact, low_coverage
from scheduler.domain.attention.ranking import ranked
from scheduler.domain.attention.recommended import RecommendedFact, recommended
from scheduler.domain.attention.reserved_unused import FreeFact, reserved_unused
from scheduler.domain.attention.sources import SourceFact, troubled_sources
from scheduler.domain.attention.unowned import UnownedFact, unowned
from scheduler.selectors.facts import WEEK, Facts
from telemetry.selectors.details import held_idle_pods

NOT_FOR_YOU = "your role does not include prices"
UNKNOWN_PRICE = "price unknown"

NAMED_PODS_OF = 5
"""Of how many pools the pod that held most is named: those that held most of all."""

PODS = 40


def attention_items(known: Facts) -> list[Item]:
    """Every rule over what a person may see, what costs most first."""
    policy, as_of = known.policy, known.as_of
    return ranked(
        [
            *reserved_unused(_free(known), as_of=as_of, policy=policy),
            *held_idle(_held(known), policy=policy),
            *low_coverage(_coverage(known), policy=policy),
            *unowned(_unowned(known)),
            *recommended(_recommended(known)),
            *ends_ahead(_ends(known), as_of=as_of, zone=known.zone, policy=policy),
            *troubled_sources(_sources(known), as_of=as_of, policy=policy),
        ]
    )


def price_of(known: Facts, *, pool: PoolRow | None, held: HeldNow | None = None) -> Price:
    """The reserved price of a GPU-hour today of a pool, or of a reservation that backs none."""
    teams = pool.teams if pool else frozenset({held.owner} if held and held.owner else ())
    if not known.may_see_prices(teams):
        return Price(why_not=NOT_FOR_YOU)
    shape = pool.instance_type if pool else held.shape if held else ""
    span = known.prices.price(pool_id=pool.id if pool else None, shape=shape)
    gpus = pool.gpus_per_node if pool else held.gpus_per_instance if held else None
    if span is None or span.reserved is None or not gpus:
        return Price(why_not=UNKNOWN_PRICE)
    return Price(per_gpu_hour(span.reserved, unit=span.unit, gpus_per_node=gpus), span.currency)


def _free(known: Facts) -> Iterator[FreeFact]:
    for one in known.held:
        pool = _pool(known, one)
        if not one.free or one.free_since is None or _nobodys(one):
            continue
        yield FreeFact(
            reservation_id=one.id,
            external_id=one.external_id,
            name=pool.name if pool else one.external_id,
            free=one.free,
            total=one.total or one.free,
            gpus_per_node=pool.gpus_per_node if pool else one.gpus_per_instance,
            since=one.free_since,
            matching=one.matching,
            zone_id=one.zone_id,
            data_zone_id=pool.data_zone_id if pool else "",
            price=price_of(known, pool=pool, held=one),
        )


def _held(known: Facts) -> list[HeldFact]:
    found = {
        pool.id: HeldFact(pool.name, month, week.idle_held, week.known, price_of(known, pool=pool))
        for pool, month in _pools_of_the_week(known)
        for week in [known.totals[pool.id, WEEK]]
    }
    much = [pool_id for pool_id, fact in found.items() if holds_much(fact, known.policy)]
    worst = sorted(much, key=lambda pool_id: -(found[pool_id].idle_held or 0))[:NAMED_PODS_OF]
    pods = held_idle_pods(pool_ids=worst, period=known.week, limit=PODS) if worst else []
    for one in reversed(pods):
        found[one.pool_id] = replace(
            found[one.pool_id],
            pod=f"{one.namespace}/{one.pod}",
            pod_idle=one.idle_held,
            told_idle=one.of_all,
            since=one.since,
        )
    return list(found.values())


def _coverage(known: Facts) -> Iterator[CoverageFact]:
    for pool, month in _pools_of_the_week(known):
        week = known.totals[pool.id, WEEK]
        yield CoverageFact(pool.name, month, week.coverage, week.unknown, price_of(known, pool=pool))


def _pools_of_the_week(known: Facts) -> Iterator[tuple[PoolRow, str]]:
    """Pools that have hours in the week, and the month most of its days lie in."""
    month = f"{known.week.start.astimezone(known.zone) + (known.week.end - known.week.start) / 2:%Y-%m}"
    for pool in known.pools.values():
        if (pool.id, WEEK) in known.totals:
            yield pool, month


def _unowned(known: Facts) -> Iterator[UnownedFact]:
    for one in known.held:
        if not _nobodys(one) or one.state is State.SCHEDULED:
            continue
        yield UnownedFact(
            reservation_id=one.id,
            external_id=one.external_id,
            shape=one.shape,
            total=one.total,
            free=one.free,
            gpus_per_node=one.gpus_per_instance,
            since=one.start_at,
            price=price_of(known, pool=None, held=one),
        )


def _recommended(known: Facts) -> Iterator[RecommendedFact]:
    for row in known.recommendations:
        if not row.open or row.proposed_nodes is None:
            continue
        sees = known.may_see_prices(row.pool.teams)
        yield RecommendedFact(
            recommendation_id=row.id,
            pool=row.pool.name,
            current=row.current_nodes,
            proposed=row.proposed_nodes,
            saving=row.saving if sees else None,
            currency=row.currency,
            why_no_money="" if sees else NOT_FOR_YOU,
            reason=row.reasons[0] if row.reasons else "",
            made_at=row.made_at,
            decide_on=row.decision_date,
        )


def _ends(known: Facts) -> Iterator[EndFact]:
    holding, starts = _pool_sizes(known)
    for one in known.held:
        if one.end_at is None or one.state is State.SCHEDULED:
            continue
        pool = _pool(known, one)
        later = [start for start in starts[one.pool_id] if one.pool_id and start >= known.as_of]
        yield EndFact(
            reservation_id=one.id,
            external_id=one.external_id,
            pool=pool.name if pool else "",
            shape=one.shape,
            total=one.total,
            pool_total=holding[one.pool_id] if pool else None,
            gpus_per_node=pool.gpus_per_node if pool else one.gpus_per_instance,
            end_at=one.end_at,
            usable_until=one.usable_until,
            decide_on=_decide_on(known, one),
            next_start=min(later, default=None),
            decided=None,
        )


def _pool_sizes(known: Facts) -> tuple[defaultdict[int | None, int], defaultdict[int | None, list[datetime]]]:
    """Nodes that each pool holds now, and the starts of what is bought for it."""
    holding: defaultdict[int | None, int] = defaultdict(int)
    starts: defaultdict[int | None, list[datetime]] = defaultdict(list)
    for one in known.held:
        if one.state is State.SCHEDULED:
            starts[one.pool_id].append(one.start_at)
        else:
            holding[one.pool_id] += one.total or 0
    return holding, starts


def _decide_on(known: Facts, one: HeldNow) -> date | None:
    return decision_date(end_at=one.end_at, kind=one.kind, lead=one.lead, zone=known.zone).on


def _sources(known: Facts) -> Iterator[SourceFact]:
    for source in known.sources:
        seen = tuple(known.pools[pool_id].name for pool_id in source.pool_ids if pool_id in known.pools)
        if not seen and (known.owner or not may(known.person, Action.SEE_DATA_HEALTH)):
            continue
        error = source.last_error if set(source.pool_ids) <= set(known.pools) else ""
        yield SourceFact(source.name, False, source.failing, source.data_until, error, seen)
    if may(known.person, Action.SEE_DATA_HEALTH) and not known.owner:
        for region in known.regions:
            complete, failed = region.last_complete_at, region.last_error_at
            failing = failed is not None and (complete is None or failed > complete)
            name = f"{region.account} {region.region}"
            yield SourceFact(name, True, failing, complete, region.last_error, ())


def _pool(known: Facts, one: HeldNow) -> PoolRow | None:
    return None if one.pool_id is None else known.pools.get(one.pool_id)


def _nobodys(one: HeldNow) -> bool:
    return one.pool_id is None and not one.owner
