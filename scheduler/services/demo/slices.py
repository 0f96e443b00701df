"""The demo's ledger hours, cut into slices that several processes fill side by side."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing import get_context

import django

from reservations.domain.period import HOUR, Period
from telemetry.services.collection import collect_hours
from telemetry.services.ledger import store_hours
from telemetry.sources.synthetic.past import past_hours
from telemetry.sources.synthetic.story import pool_named, world_at

LONGEST_SAMPLED = timedelta(hours=72)
LONGEST_PAST = timedelta(days=60)

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Slice:
    """Some hours of one pool; ``sampled``: through collection, else as hours straight into the ledger."""

    pool_id: int
    pool: str
    source: str
    world_url: str
    period: Period
    as_of: datetime
    sampled: bool

    @property
    def hours(self) -> int:
        """How many hours it has."""
        return (self.period.end - self.period.start) // HOUR


def cut(period: Period, sampled_from: datetime) -> Iterator[tuple[Period, bool]]:
    """A stretch of hours in slices, each with whether it is collected from samples."""
    start = period.start
    while start < period.end:
        sampled = start >= sampled_from
        longest = start + (LONGEST_SAMPLED if sampled else LONGEST_PAST)
        end = min(longest, period.end if sampled else max(min(period.end, sampled_from), start + HOUR))
        yield Period(start, end), sampled
        start = end


def fill(slices: Sequence[Slice], *, workers: int, advance: Advance) -> None:
    """Fill every slice; ``workers`` 0 does it here, one after the other. What fails in one is raised here."""
    if not slices:
        return
    if not workers:
        for one in slices:
            advance(fill_slice(one))
        return
    with ProcessPoolExecutor(min(workers, len(slices)), get_context("spawn"), initializer=django.setup) as crew:
        for done in as_completed([crew.submit(fill_slice, one) for one in slices]):
            advance(done.result())


def fill_slice(one: Slice) -> int:
    """Fill one slice and say how many hours that was; safe to repeat."""
    if one.sampled:
        collect_hours(pool_ids=[one.pool_id], period=one.period, as_of=one.as_of)
    else:
        rows = list(past_hours(world_at(one.world_url), pool_named(one.pool), one.period))
        store_hours(pool_id=one.pool_id, source=one.source, hours=rows, read_at=one.as_of)
    return one.hours


def workers_here() -> int:
    """As many processes as this machine has processors, two at most: the load is short."""
    return min(2, os.cpu_count() or 1)
