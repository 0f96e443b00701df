"""What the figures of one page are made of, each part read at most once and only if a figure wants it."""

from collections.abc import Sequence
from datetime import date, timedelta, tzinfo
from functools import cached_property

from django.http import HttpRequest

from reservations.domain.period import UnableToReadTime, month_period, zone
from reservations.selectors.pools import PoolRow
from reservations.views.asking import zones_on
from telemetry.domain.split import QueueUse
from telemetry.domain.use import UseHour, use_of
from telemetry.domain.worth import Worth, added_worth
from telemetry.selectors.ledger import ledger_hours
from telemetry.selectors.queue_use import queue_use
from telemetry.selectors.totals import fleet_hours, totals_together
from telemetry.selectors.worth import worth_by_pool
from telemetry.tables.by_month import MonthOfUse
from telemetry.views.asked import Asked, UnableToAnswer

MONTHS = 12
"""So many complete months are compared."""


class Material:
    """The month of one pool or of several; what the page has read already may be handed over."""

    def __init__(
        self,
        request: HttpRequest,
        asked: Asked,
        *,
        pools: Sequence[PoolRow] | None = None,
        use: Sequence[UseHour] | None = None,
        worth: Worth | None = None,
    ) -> None:
        self.request = request
        self.asked = asked
        self.pools = tuple(pools if pools is not None else [asked.pool] if asked.pool else asked.pools)
        self.pool_ids = [pool.id for pool in self.pools]
        if use is not None:
            self.use = use
        if worth is not None:
            self.worth = worth

    @cached_property
    def zone(self) -> tzinfo:
        """The zone of ``?zone=NAME``, else the one this person reads instants in; UnableToAnswer for none."""
        name = self.request.GET.get("zone", "").strip()
        if not name:
            return self.seen
        try:
            return zone(name)
        except UnableToReadTime as unable:
            sentence = str(unable)
            message = f"{sentence[0].upper()}{sentence[1:]}."
            raise UnableToAnswer(400, "That is not a time zone", message) from unable

    @property
    def seen(self) -> tzinfo:
        """The zone this person reads instants in."""
        return zones_on(self.request).seen

    @cached_property
    def use(self) -> Sequence[UseHour]:
        """The hours of the month."""
        if self.asked.pool is not None:
            return use_of(ledger_hours(pool_id=self.asked.pool.id, period=self.asked.period))
        return [
            UseHour(one.hour, one.totals.reserved or 0, one.totals.busy, one.totals.busy_reserved, one.totals.allocated)
            for one in fleet_hours(pool_ids=self.pool_ids, period=self.asked.period)
        ]

    @cached_property
    def busy(self) -> int | None:
        """Busy time of the month; None where it is known in no hour."""
        known = [row.busy for row in self.use if row.busy is not None]
        return sum(known) if known else None

    @cached_property
    def queues(self) -> list[QueueUse]:
        """Who used it."""
        return queue_use(pool_ids=self.pool_ids, period=self.asked.period)

    @cached_property
    def worth(self) -> Worth:
        """What the month is worth, and its break-even, as far as this person may see prices."""
        worths = worth_by_pool(pools=self.pools, period=self.asked.period, person=self.asked.person)
        return added_worth({pool.name: worths[pool.id] for pool in self.pools})

    @cached_property
    def months(self) -> list[MonthOfUse]:
        """Twelve complete months, and the page's own where it still runs; oldest first, from the first with hours."""
        last = self.asked.month
        runs = self.asked.as_of < self.asked.period.end
        months = [last]
        while len(months) < MONTHS + runs:
            months.append((months[-1] - timedelta(days=1)).replace(day=1))
        periods = {month: month_period(month, self.asked.zone) for month in months}
        totals = totals_together(pool_ids=self.pool_ids, periods=periods) if self.pool_ids else {}
        first = min(totals, default=last)
        return [
            MonthOfUse(month, totals.get(month), to_date=runs and month == last)
            for month in reversed(months)
            if month >= first
        ]

    @property
    def month(self) -> date:
        """The first day of the page's month."""
        return self.asked.month
