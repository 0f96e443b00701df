"""Every pool in one line: what was reserved, what of it was busy, against break-even and against the month before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.break_even import UnableToBreakEven, break_even_share
from reservations.domain.reservation_state import State
from reservations.domain.terms import adjusted_share
from reservations.selectors.pools import PoolRow
from scheduler.selectors.facts import Facts
from telemetry.domain.totals import UseTotals, added_use
from telemetry.selectors.busy_shares import Busy, busy_together
from telemetry.tables.spark import Spark, spark

NOTHING = UseTotals()
NEVER = Busy()


@dataclass(frozen=True, slots=True)
class Line:
    """One pool, or with ``pool`` None all of them; shares are Decimal 0–1 and None where unknown."""

    pool: PoolRow | None
    shown: UseTotals
    months: tuple[Busy, ...]
    to_date: bool
    even: Decimal | None
    next_end: datetime | None
    own: bool = False
    adjusted: Decimal | None = None

    @property
    def last(self) -> Busy:
        """The month before the one shown."""
        return self.months[-1]

    @property
    def spark(self) -> Spark:
        """Twelve full months as a line, and the running one beside them where it is the one shown."""
        shares = [month.share for month in self.months]
        if self.to_date:
            return spark(shares, to_date=self.share, even=self.even)
        return spark([*shares[1:], self.share], even=self.even)

    @property
    def share(self) -> Decimal | None:
        """Busy ÷ reserved of the month shown."""
        return self.shown.busy_share

    @property
    def trend(self) -> Decimal | None:
        """Points by which it is above the last full month; None while either is unknown."""
        now, before = self.shown.busy_share, self.last.share
        return None if now is None or before is None else (now - before) * 100


def portfolio(known: Facts, *, own_teams: frozenset[str] = frozenset()) -> list[Line]:
    """One line for each pool that is asked for, in no particular order; ``own``: its owner is one of those teams."""
    ends = _next_ends(known)
    return [
        replace(
            _line(known, pool, [pool.id], even=_even(known, pool), end=ends.get(pool.id), own=pool.owner in own_teams),
            adjusted=_adjusted(known, pool),
        )
        for pool in known.pools.values()
    ]


def whole(known: Facts, lines: Sequence[Line]) -> Line:
    """All pools together; it has no break-even, since each pool has its own."""
    ends = [line.next_end for line in lines if line.next_end is not None]
    return _line(known, None, list(known.pools), even=None, end=min(ends, default=None), own=False)


def _line(
    known: Facts, pool: PoolRow | None, ids: Sequence[int], *, even: Decimal | None, end: datetime | None, own: bool
) -> Line:
    months = known.months
    full = tuple(_busy(known, ids, month) for month in months.before)
    shown = _together(
        [known.totals[pool_id, months.shown] for pool_id in ids if (pool_id, months.shown) in known.totals]
    )
    return Line(pool, shown, full, months.to_date, even, end, own)


def _busy(known: Facts, ids: Sequence[int], month: date) -> Busy:
    if len(ids) == 1:
        return known.busy.get((ids[0], month), NEVER)
    return busy_together([known.busy.get((pool_id, month), NEVER) for pool_id in ids])


def _together(parts: Sequence[UseTotals]) -> UseTotals:
    return parts[0] if len(parts) == 1 else added_use(parts) if parts else NOTHING


def _even(known: Facts, pool: PoolRow) -> Decimal | None:
    """Today's break-even, for somebody who may see prices."""
    span = known.prices.price(pool_id=pool.id, shape=pool.instance_type)
    if span is None or not known.may_see_prices(pool.teams):
        return None
    try:
        return break_even_share(reserved=span.reserved, on_demand=span.on_demand)
    except UnableToBreakEven:
        return None


def _adjusted(known: Facts, pool: PoolRow) -> Decimal | None:
    """Today's break-even with launches that fail, for somebody who may see prices; None where q or L is not known."""
    span = known.prices.price(pool_id=pool.id, shape=pool.instance_type)
    shortage = known.prices.shortage(pool_id=pool.id, shape=pool.instance_type)
    if span is None or shortage is None or not known.may_see_prices(pool.teams):
        return None
    try:
        return adjusted_share(span, shortage, gpus_per_node=pool.gpus_per_node)
    except UnableToBreakEven:
        return None


def _next_ends(known: Facts) -> dict[int, datetime]:
    ends: dict[int, datetime] = {}
    for one in known.held:
        end = one.usable_until or one.end_at
        if one.pool_id is None or end is None or one.state is State.SCHEDULED:
            continue
        ends[one.pool_id] = min(end, ends.get(one.pool_id, end))
    return ends


SORTS = ("pool", "owner", "reserved", "busy", "share", "trend", "end", "coverage")


def in_order(lines: Iterable[Line], sort: str) -> list[Line]:
    """By one of ``SORTS``, a minus before it turns it round; what is unknown comes last; blank: own pools first."""
    named = sorted(lines, key=lambda line: line.pool.name if line.pool else "")
    if not sort:
        return sorted(named, key=lambda line: not line.own)
    down, key = sort.startswith("-"), _KEYS[sort.removeprefix("-")]
    known = sorted((line for line in named if key(line) is not None), key=key, reverse=down)
    return [*known, *(line for line in named if key(line) is None)]


_KEYS = {
    "pool": lambda line: line.pool.name,
    "owner": lambda line: line.pool.owner,
    "reserved": lambda line: line.shown.reserved,
    "busy": lambda line: line.shown.busy,
    "share": lambda line: line.share,
    "trend": lambda line: line.trend,
    "end": lambda line: line.next_end,
    "coverage": lambda line: line.shown.coverage,
}


def signed(points: Decimal | None) -> str:
    """``+2.1``, ``−0.4``, ``0.0``."""
    if points is None:
        return notation.UNKNOWN
    text = notation.grouped(points, 1)
    return f"+{text}" if points > 0 and text != "0.0" else text
