"""What the figures of one page are made of, each part read at most once and only if a figure wants it."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta, tzinfo
from functools import cached_property

from django.http import HttpRequest

from reservations.domain.period import Period, month_period
from reservations.selectors.pools import PoolRow
from reservations.views.asking import zones_on
from telemetry.domain.split import QueueUse
from telemetry.domain.totals import UseTotals
from telemetry.domain.use import UseHour
from telemetry.domain.worth import Worth, added_worth, no_worth
from telemetry.selectors.details import HeldIdlePod, held_idle_pods
from telemetry.selectors.double_pay import PaidTwiceFound, double_pay
from telemetry.selectors.queue_use import queue_use
from telemetry.selectors.savings import Saved, saved_by_pool
from telemetry.selectors.use import NodesNeeded, use_and_demand, use_hours
from telemetry.selectors.worth import Priced, PricedAndUse, priced_and_use
from telemetry.tables.by_month import MonthOfUse
from telemetry.views.asked import Asked

MONTHS = 12
"""So many complete months are compared."""

PODS = 20
"""So many pods that held GPUs idle are listed."""


class Material:
    """The month of one pool or of several; what the page has read already may be handed over."""

    def __init__(
        self,
        request: HttpRequest,
        asked: Asked,
        *,
        pools: Sequence[PoolRow] | None = None,
        use: Sequence[UseHour] | None = None,
    ) -> None:
        self.request = request
        self.asked = asked
        self.pools = asked.shown if pools is None else pools
        self.pool_ids = [pool.id for pool in self.pools]
        if use is not None:
            self.use = use

    @property
    def seen(self) -> tzinfo:
        """The zone this person reads instants in."""
        return zones_on(self.request).seen

    @cached_property
    def use(self) -> Sequence[UseHour]:
        """The hours of the month; with their loads where there is one pool, which only then have a curve."""
        if len(self.pools) == 1:
            return self._one_pool[0]
        return use_hours(pool_ids=self.pool_ids, period=self.asked.period, loads=False)

    @property
    def needed(self) -> NodesNeeded:
        """What the one pool needed in the hours of the month."""
        return self._one_pool[1]

    @cached_property
    def _one_pool(self) -> tuple[list[UseHour], NodesNeeded]:
        return use_and_demand(pool_id=self.pool_ids[0], period=self.asked.period)

    @property
    def hours(self) -> int:
        """How many hours of how many pools the month has."""
        return self._month.hours

    @property
    def busy(self) -> int | None:
        """Busy time of the month; None where it is known in no hour."""
        return self._month.busy

    @cached_property
    def queues(self) -> list[QueueUse]:
        """Who used it."""
        return queue_use(pool_ids=self.pool_ids, period=self.asked.period)

    @cached_property
    def worth(self) -> Worth:
        """What the month is worth, and its break-even."""
        worths = {pool.name: self.priced[pool.id].worth for pool in self.pools}
        return added_worth(worths) if worths else no_worth("there is no pool.")

    @property
    def priced(self) -> Mapping[int, Priced]:
        """What each pool's month is worth, as far as this person may see prices, and of what."""
        return self._sums.priced

    @property
    def months(self) -> list[MonthOfUse]:
        """Twelve complete months, and the page's own where it still runs; oldest first, from the first with hours."""
        last, runs, together = self.asked.month, self.asked.to_date, self._sums.together
        first = min(together, default=last)
        return [
            MonthOfUse(month, together.get(month), to_date=runs and month == last)
            for month in self._months
            if month >= first
        ]

    @property
    def _months(self) -> list[date]:
        months = [self.asked.month]
        while len(months) < MONTHS + self.asked.to_date:
            months.append((months[-1] - timedelta(days=1)).replace(day=1))
        return months[::-1]

    @property
    def _month(self) -> UseTotals:
        """The month added up from its days: what says no more than that needs no hour."""
        return self._sums.together.get(self.asked.month, UseTotals())

    @cached_property
    def _sums(self) -> PricedAndUse[date]:
        periods = {month: month_period(month, self.asked.zone) for month in self._months}
        return priced_and_use(pools=self.pools, period=self.asked.period, person=self.asked.person, periods=periods)

    @cached_property
    def held_idle(self) -> list[HeldIdlePod]:
        """The pods that held most idle."""
        return held_idle_pods(pool_ids=self.pool_ids, period=self.asked.period, limit=PODS, team=self.asked.team)

    @cached_property
    def paid_twice(self) -> PaidTwiceFound:
        """What ran on demand beside free slots, in the part of the month that is over."""
        due = self._due
        return double_pay(pools=self.pools, period=due, person=self.asked.person) if due else PaidTwiceFound((), {}, {})

    @cached_property
    def saved(self) -> tuple[Saved, list[Saved]]:
        """What reserving saved, covered and wasted in it: all pools together, and each."""
        due = self._due or self.asked.period
        return saved_by_pool(pools=self.pools, period=due, beside=self.paid_twice, person=self.asked.person)

    @property
    def _due(self) -> Period | None:
        asked = self.asked
        return Period(asked.period.start, asked.until) if asked.until > asked.period.start else None
