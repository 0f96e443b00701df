"""All that the front page rests on, read once and only of what a person may see."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period, day_period
from reservations.selectors.free_slots import HeldNow, held_now
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.selectors.syncs import RegionSync, region_syncs
from reservations.selectors.terms import TermsOn, terms_on
from scheduler.domain.months import Months
from scheduler.domain.policy import Policy
from scheduler.selectors.recommendations import RecommendationRow, recommendations_in_force
from telemetry.domain.rollup import due_until
from telemetry.domain.totals import UseTotals
from telemetry.selectors.busy_shares import Busy, busy_by_pool
from telemetry.selectors.totals import use_by_pool
from telemetry.selectors.trouble import SourceReach, source_reach

WEEK = "week"


@dataclass(frozen=True, slots=True)
class Facts:
    """What one person may see at one instant: ``totals`` by pool id and the month shown (its first day), or ``WEEK``.

    ``busy`` is how busy each pool was in each month before it.
    ``any_pool``: whether any pool is configured at all. ``owner``: the only owner whose pools are asked for, or blank.
    """

    person: Person
    as_of: datetime
    zone: tzinfo
    policy: Policy
    owner: str
    any_pool: bool
    owners: tuple[str, ...]
    pools: Mapping[int, PoolRow]
    held: tuple[HeldNow, ...]
    prices: TermsOn
    months: Months
    week: Period
    totals: Mapping[tuple[int, date | str], UseTotals]
    busy: Mapping[tuple[int, date], Busy]
    sources: tuple[SourceReach, ...]
    regions: tuple[RegionSync, ...]
    recommendations: tuple[RecommendationRow, ...] = ()

    @property
    def everything(self) -> bool:
        """Whether the person may see what is nobody's: only a role for the whole organisation does."""
        return may(self.person, Action.SEE_RESERVATION)

    def may_see_prices(self, teams: frozenset[str]) -> bool:
        """Whether the person may see what an object of these teams costs."""
        return may(self.person, Action.SEE_PRICES, teams or None)


def facts_for(*, person: Person, as_of: datetime, zone: tzinfo, owner: str, policy: Policy) -> Facts:
    """Everything the front page says to one person, in eight queries however long the past is."""
    every = pool_rows()
    visible = [pool for pool in every if may(person, Action.SEE_POOL, pool.teams)]
    pools = {pool.id: pool for pool in visible if owner in ("", pool.owner)}
    months = Months.shown_at(until=due_until(as_of), zone=zone, policy=policy)
    week = week_before(as_of, zone, policy)
    return Facts(
        person=person,
        as_of=as_of,
        zone=zone,
        policy=policy,
        owner=owner,
        any_pool=bool(every),
        owners=tuple(sorted({pool.owner for pool in visible})),
        pools=pools,
        held=tuple(one for one in held_now(as_of=as_of) if _visible(one, pools, person, owner)),
        prices=terms_on(day=as_of.date()),
        months=months,
        week=week,
        totals=use_by_pool(pool_ids=list(pools), periods={months.shown: months.periods[months.shown], WEEK: week}),
        busy=busy_by_pool(pool_ids=list(pools), periods={month: months.periods[month] for month in months.before}),
        sources=tuple(source_reach(as_of=as_of)),
        regions=tuple(region_syncs()),
        recommendations=tuple(recommendations_in_force(pools=list(pools.values()))),
    )


def week_before(as_of: datetime, zone: tzinfo, policy: Policy) -> Period:
    """The last whole local days that are due, as many as a week's figures rest on."""
    last = due_until(as_of).astimezone(zone).date() - timedelta(days=1)
    first = last - timedelta(days=policy.look_back_days - 1)
    return Period(day_period(first, zone).start, day_period(last, zone).end)


def _visible(one: HeldNow, pools: Mapping[int, PoolRow], person: Person, owner: str) -> bool:
    if one.pool_id is not None and one.pool_id in pools:
        return True
    if owner and one.owner != owner:
        return False
    if one.owner:
        return may(person, Action.SEE_RESERVATION, {one.owner})
    return one.pool_id is None and may(person, Action.SEE_RESERVATION)
