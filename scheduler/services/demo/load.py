"""Loading the demo fleet: its configuration, log-ins and reservations, then fourteen months of hours."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from reservations.domain.period import Period, ceil_hour
from reservations.selectors.pools import pool_rows
from reservations.selectors.syncs import region_syncs
from reservations.services.memberships import assign_reservations
from reservations.services.passwords import give_passwords
from reservations.services.sweeps import record_sweeps
from scheduler.domain.recommendation.decision import Action
from scheduler.selectors.replays import latest_replay
from scheduler.services.alerts import check_alerts
from scheduler.services.demo.configuration import ACCOUNT, SOURCE, configure
from scheduler.services.demo.ending_block import load_ending_block
from scheduler.services.demo.exceptions import load_exceptions
from scheduler.services.demo.lab import load_lab
from scheduler.services.demo.logins import LOGINS
from scheduler.services.demo.renewals import load_renewals
from scheduler.services.demo.slices import Slice, cut, fill
from scheduler.services.recommendations import Made, recommend
from scheduler.services.replay import request_month_replay
from telemetry.domain.rollup import due_until
from telemetry.selectors.missing import missing_hours
from telemetry.selectors.worlds import world_urls
from telemetry.sources.synthetic.capacity import EVERY, sweep
from telemetry.sources.synthetic.story import POOLS, World, instant, world_at

SEED = 7
SAMPLED_DAYS = 60
SWEEPS_AT_ONCE = 2_880
NOT_DELIVERED = "pilot-l40s"
"""A pool that is configured and has no reservation, no telemetry and so no hour."""

Progress = Callable[[str, int, int], None]
"""Told of each step: what it is, how many more of it were done, and how many there are in all."""


class UnableToLoadDemo(Exception):
    """The database holds somebody's own pools; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one run did: nothing at all where everything stood already."""

    sweeps: int
    pool_hours: int


@dataclass(frozen=True, slots=True)
class _Span:
    """Which time is loaded: daily sweeps and told hours from ``began``, all of it from ``sampled_from`` on."""

    began: datetime
    sampled_from: datetime
    as_of: datetime


def load_demo(
    *,
    as_of: datetime,
    ec2_port: int,
    force: bool = False,
    sampled_days: int = SAMPLED_DAYS,
    past_days: int | None = None,
    workers: int = 0,
    progress: Progress = lambda step, done, total: None,
) -> Load:
    """Load the demo fleet up to an instant, or continue it from where the last run stopped.

    ``past_days`` bounds the older months (None: all fourteen). UnableToLoadDemo, with nothing written,
    where other pools than the demo's are configured and ``force`` is not given.
    """
    if not force:
        _refuse_others()
    world = _world(as_of)
    configure(world=world, ec2_port=ec2_port, as_of=as_of)
    give_passwords(passwords={login.name: login.password for login in LOGINS})
    span = _span(world, as_of, sampled_days, past_days)
    swept = _sweep(world, span, progress)
    assign_reservations(as_of=as_of)
    slices = list(_slices(world, span))
    hours = sum(one.hours for one in slices)
    fill(slices, workers=workers, advance=lambda done: progress("hours", done, hours))
    if swept or hours:
        _ask_for_replays(recommend(as_of=as_of, made_at=as_of), as_of)
    load_ending_block(as_of=as_of, ec2_port=ec2_port)
    if swept or hours:
        load_lab(as_of=as_of)
    load_exceptions(as_of=as_of)
    if swept or hours:
        check_alerts(as_of=as_of, made_at=as_of)
    load_renewals(as_of=as_of)
    return Load(swept, hours)


def _ask_for_replays(made: Sequence[Made], as_of: datetime) -> None:
    """Queue the months behind what should be resized: the demo's worker replays them once it runs."""
    for one in made:
        month, resized = one.advice.case.month, one.advice.decided.action in (Action.GROW, Action.SHRINK)
        if resized and latest_replay(pool_id=one.pool.id, month=month, as_of=as_of) is None:
            request_month_replay(pool=one.pool, month=month, user_id=None, user_name="", as_of=as_of)


def _refuse_others() -> None:
    ours = {pool.name for pool in POOLS} | {NOT_DELIVERED}
    others = sorted(row.name for row in pool_rows() if row.name not in ours)
    if others:
        raise UnableToLoadDemo(
            f"this database already has the pool “{others[0]}”: load the demo into another, or use --force"
        )


def _world(as_of: datetime) -> World:
    """The world that was loaded before, so that a later run continues it; else one anchored today."""
    urls = world_urls()
    return world_at(urls[0] if urls else f"synthetic://{SEED}/{as_of.date().isoformat()}")


def _span(world: World, as_of: datetime, sampled_days: int, past_days: int | None) -> _Span:
    sampled_from = instant(world.day_ms(-sampled_days))
    began = instant(world.began_ms) if past_days is None else sampled_from - timedelta(days=past_days)
    return _Span(began, sampled_from, as_of)


def _sweep(world: World, span: _Span, progress: Progress) -> int:
    """Record what EC2 would have answered since the last complete sweep."""
    last = max(
        (sync.last_complete_at for sync in region_syncs() if sync.last_complete_at and sync.account == ACCOUNT),
        default=None,
    )
    times = list(_sweep_times(span, last))
    for at in range(0, len(times), SWEEPS_AT_ONCE):
        batch = times[at : at + SWEEPS_AT_ONCE]
        record_sweeps(sweeps=[sweep(world, ACCOUNT, time) for time in batch])
        progress("sweeps", len(batch), len(times))
    return len(times)


def _sweep_times(span: _Span, last: datetime | None) -> Iterator[datetime]:
    """Once a day in the older months, where only sizes matter, and every five minutes from then on."""
    at = span.began
    while at <= span.as_of:
        if last is None or at > last:
            yield at
        at += timedelta(days=1) if at < span.sampled_from else EVERY


def _slices(world: World, span: _Span) -> Iterator[Slice]:
    """Every hour that has ended and is not in the ledger."""
    began, end = ceil_hour(span.began), due_until(span.as_of)
    ours = {pool.name for pool in POOLS} if began < end else set()
    for row in pool_rows():
        if row.name not in ours:
            continue
        for stretch in missing_hours(pool_id=row.id, period=Period(began, end)):
            for period, sampled in cut(stretch, span.sampled_from):
                yield Slice(row.id, row.name, SOURCE, world.url, period, span.as_of, sampled)
