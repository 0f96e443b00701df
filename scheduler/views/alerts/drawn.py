"""The picture beside an alert: a pool's hours, or a reservation's free slots, around when it began."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Any

from reservations.domain import notation
from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period
from reservations.selectors.pools import UnableToFindPool, pool_named
from reservations.selectors.reservation_detail import observations
from scheduler.charts.alerts import FreeSlotsDrawn, free_slots, pool_hours
from scheduler.selectors.alerts import EpisodeRow
from telemetry.charts import stacked_hours
from telemetry.selectors.ledger import ledger_hours
from telemetry.tables.summaries import hours_summary
from telemetry.views.addresses import hour_template

BEFORE = timedelta(days=2)
AFTER = timedelta(days=5)
"""A week in all: what was usual before, and what came of it."""

SWEEPS = 288
"""A day of sweeps every five minutes."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One picture: either a pool's hours as a figure with its key, or a reservation's free slots."""

    title: str
    summary: str
    figure: dict[str, Any] | None = None
    key: tuple[tuple[str, str], ...] = ()
    slots: FreeSlotsDrawn | None = None


def drawn_around(row: EpisodeRow, person: Person, *, as_of: datetime, zone: tzinfo) -> Drawn | None:
    """What can be drawn of it; None where nothing was seen or its subject is neither a pool nor a reservation."""
    if row.reservation_id is not None and (slots := _slots(row, as_of, zone)) is not None:
        return slots
    return _hours(row, person, as_of=as_of, zone=zone) if row.pool else None


def _slots(row: EpisodeRow, as_of: datetime, zone: tzinfo) -> Drawn | None:
    assert row.reservation_id is not None  # nosec B101
    until = min(as_of, row.since + timedelta(hours=12))
    seen = observations(pk=row.reservation_id, before=until, limit=SWEEPS)
    if not any(one.available for one in seen):
        return None
    slots = free_slots([(one.at, one.total, one.available) for one in reversed(seen)], row.since)
    if slots is None:
        return None
    free = [one.available for one in seen if one.available is not None]
    span = str(free[0]) if min(free) == max(free) else f"{min(free)} to {max(free)}"
    words = f"{notation.instant(slots.start, zone)} to {notation.instant(slots.end, zone)}"
    return Drawn("Free slots around its beginning", f"{words}: {span} of {slots.most} instances free.", slots=slots)


def _hours(row: EpisodeRow, person: Person, *, as_of: datetime, zone: tzinfo) -> Drawn | None:
    try:
        pool = pool_named(row.pool)
    except UnableToFindPool:
        return None
    if not may(person, Action.SEE_POOL, pool.teams):
        return None
    start = _whole_hour(row.since - BEFORE)
    period = Period(start, max(_whole_hour(min(as_of, row.since + AFTER)), start + timedelta(days=1)))
    rows = ledger_hours(pool_id=pool.id, period=period, with_queues=False)
    if not rows:
        return None
    figure = pool_hours(rows, period, period.end, zone, began_at=row.since, leads=hour_template(pool.name))
    due = int((min(period.end, as_of) - period.start) / timedelta(hours=1))
    missing = max(0, due - len(rows))
    return Drawn(
        title=f"Hours of {pool.name} around its beginning",
        summary=hours_summary(rows, missing, zone),
        figure=figure,
        key=tuple(stacked_hours.key(figure)),
    )


def _whole_hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)
