"""What the data pages are asked for: whose pools, which one, which part, how far back and which page of it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from django.http import HttpRequest
from django.utils import timezone
from django.utils.http import urlencode

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period, floor_hour
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.views.answers import UnableToAnswer
from reservations.views.asking import person_on, zones_on
from reservations.views.paging import Paged, page_asked, paged

PARTS = {
    "overview": "Sources and coverage",
    "hours": "Hours in doubt",
    "suspects": "Suspect devices",
    "collection": "Collection",
}
DAYS = (7, 31, 92)
MOST_POOL_DAYS = 2000
"""How many days of pools are looked at at once: the more pools, the less far back."""


@dataclass(frozen=True, slots=True)
class HealthAsked:
    """The data page as asked for; ``pools`` are those the person may see, ``pool`` the one that was named.

    ``zone`` is the one days are counted in, ``seen`` the one in which this person reads instants.
    """

    person: Person
    pools: tuple[PoolRow, ...]
    any_pool: bool
    everything: bool
    pool: PoolRow | None
    part: str
    days: int
    flag: str
    page: int
    zone: tzinfo
    seen: tzinfo
    as_of: datetime

    @property
    def all_days(self) -> tuple[int, ...]:
        """How far back this can be asked."""
        return tuple(days for days in DAYS if days == DAYS[0] or days * len(self.shown) <= MOST_POOL_DAYS)

    @property
    def shown(self) -> tuple[PoolRow, ...]:
        """The pool that was named, else all that may be seen."""
        return self.pools if self.pool is None else (self.pool,)

    @property
    def ids(self) -> list[int]:
        """The ids of what is shown."""
        return [pool.id for pool in self.shown]

    @property
    def period(self) -> Period:
        """The days looked back on, in whole hours."""
        now = floor_hour(self.as_of)
        return Period(now - timedelta(days=self.days), now)

    @property
    def collectable(self) -> tuple[PoolRow, ...]:
        """The pools of which the person may collect hours again."""
        return tuple(pool for pool in self.pools if self.may_collect(pool))

    def paged(self, count: int, a_page: int, anchor: str) -> Paged:
        """The page asked for of so many rows, which stand at ``anchor``; UnableToAnswer for one after the last."""
        kept = {"see": self.part, "pool": self.pool.name if self.pool else "", "days": self.days, "flag": self.flag}
        query = {name: value for name, value in kept.items() if value}

        def address(page: int) -> str:
            return f"?{urlencode({**query, 'page': page})}#{anchor}"

        return paged(self.page, count=count, a_page=a_page, address=address)

    def may_collect(self, pool: PoolRow) -> bool:
        """Whether the person may collect hours of a pool again."""
        return may(self.person, Action.COLLECT, pool.teams)


def health_asked(request: HttpRequest) -> HealthAsked:
    """``?see=PART&pool=NAME&days=7&flag=FLAG&page=2``; UnableToAnswer for what is not there or not theirs."""
    person = person_on(request)
    every = pool_rows()
    pools = tuple(pool for pool in every if may(person, Action.SEE_DATA_HEALTH, pool.teams))
    asked = request.GET
    part = asked.get("see", "") or "overview"
    if part not in PARTS:
        raise UnableToAnswer(404, "No such part", f"The data pages have no part “{part[:40]}”: {', '.join(PARTS)}.")
    found = HealthAsked(
        person=person,
        pools=pools,
        any_pool=bool(every),
        everything=may(person, Action.SEE_DATA_HEALTH),
        pool=pool_asked(asked["pool"], pools) if asked.get("pool") else None,
        part=part,
        days=_days(asked.get("days", "")),
        flag=asked.get("flag", "").replace("\0", "")[:40],
        page=page_asked(request),
        zone=zones_on(request).accounting,
        seen=zones_on(request).seen,
        as_of=timezone.now().astimezone(UTC),
    )
    if found.days not in found.all_days:
        raise UnableToAnswer(
            400, "Not so far", f"{found.days} days of all these pools are too much at once: choose one pool."
        )
    return found


def pool_asked(name: str, pools: tuple[PoolRow, ...]) -> PoolRow:
    """The pool of that name among those that may be seen; UnableToAnswer otherwise, whether there is one or not."""
    for pool in pools:
        if pool.name == name:
            return pool
    message = f"There is no pool “{name[:80]}”, or it belongs to a team whose pools you may not see."
    raise UnableToAnswer(404, "No such pool", message)


def _days(text: str) -> int:
    if not text:
        return DAYS[0]
    if text not in map(str, DAYS):
        raise UnableToAnswer(400, "Not so far", f"“{text[:20]}” days can't be shown: ask for 7, 31 or 92.")
    return int(text)
