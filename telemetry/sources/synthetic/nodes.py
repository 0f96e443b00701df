"""Which machines exist: EC2's instances in the reservations, and of these the nodes that joined the cluster.

A *seat* is one place in a reservation, counted from 0; the machine in it is replaced when it breaks.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from telemetry.sources.synthetic.noise import chance, hex_name
from telemetry.sources.synthetic.story import (
    DAY_MS,
    GRID_MS,
    HOUR_MS,
    MINUTE_MS,
    WEEK_MS,
    PoolStory,
    Promise,
    World,
)

LAUNCH_MS = 10 * MINUTE_MS
BOOT_MS = 10 * MINUTE_MS
REPLACE_MS = 25 * MINUTE_MS
ALWAYS_UP, EVER_UP = 3, 5
WORKING_HOURS = range(7, 19)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A machine is out of the cluster from ``start``, and out of EC2 too from ``gone`` until ``end``."""

    start: int
    gone: int
    end: int


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine in a seat at one instant, and whether Kubernetes had it as a ready node."""

    seat: int
    name: str
    reservation: str
    joined: bool


@dataclass(frozen=True, slots=True, eq=False)
class Stock:
    """The promise that can be launched into, its size in instances, and the machines in it in order of seats."""

    promise: Promise | None
    size: int
    machines: tuple[Machine, ...]


def reservation_id(world: World, promise: Promise) -> str:
    """The provider's id of a promise."""
    return f"cr-0{hex_name(16, world.seed, 'reservation', promise.key)}"


def promise_at(world: World, pool: PoolStory, at_ms: int) -> Promise | None:
    """The promise that backs a pool at an instant and can be launched into."""
    for promise in world.promises_of(pool):
        if promise.size_at(at_ms) and (promise.usable_until_ms is None or at_ms < promise.usable_until_ms):
            return promise
    return None


@lru_cache(maxsize=65_536)
def _breakdowns(world: World, pool: PoolStory, seat: int, week: int) -> tuple[Breakdown, ...]:
    """What broke in one seat in one week (weeks counted from 1970)."""
    words = (world.seed, pool.name, seat, week)
    start = week * WEEK_MS + int(chance("when", *words) * 6 * 24 * 12) * GRID_MS
    for told_pool, told_seat, (out, back) in (world.node_failed, world.node_lost_now):
        if (pool, seat, week) == (told_pool, told_seat, out // WEEK_MS):
            return (Breakdown(out, back, back + REPLACE_MS),)
    kind = chance("breaks", *words)
    if kind < 0.04:
        return (Breakdown(start, start, start + REPLACE_MS),)
    if kind < 0.065:
        gone = start + (1 + int(chance("lasts", *words) * 5)) * HOUR_MS
        return (Breakdown(start, gone, gone + REPLACE_MS),)
    return ()


@lru_cache(maxsize=65_536)
def _replaced_before(world: World, pool: PoolStory, seat: int, week: int) -> int:
    """How many machines a seat had used up before a week began."""
    first = world.began_ms // WEEK_MS
    return sum(len(_breakdowns(world, pool, seat, past)) for past in range(first, week))


def _near(world: World, pool: PoolStory, seat: int, at_ms: int) -> Iterator[Breakdown]:
    week = at_ms // WEEK_MS
    yield from _breakdowns(world, pool, seat, week - 1)
    yield from _breakdowns(world, pool, seat, week)


def _wanted(pool: PoolStory, seat: int, at_ms: int) -> bool:
    """Whether anybody asks for a machine in this seat: notebooks leave most of their reservation empty."""
    if pool.habit == "forgotten":
        return False
    if pool.habit != "notebooks" or seat < ALWAYS_UP:
        return True
    weekday = (at_ms // DAY_MS + 3) % 7
    return seat < EVER_UP and weekday < 5 and at_ms % DAY_MS // HOUR_MS in WORKING_HOURS


def _launched(world: World, pool: PoolStory, seat: int, at_ms: int) -> Promise | None:
    """The promise in which a seat's machine runs at an instant of the five-minute grid."""
    promise = promise_at(world, pool, at_ms)
    if promise is None or promise.size_at(at_ms) <= seat or not _wanted(pool, seat, at_ms):
        return None
    since = next(since for since, count in promise.sizes if count > seat)
    if at_ms < since + LAUNCH_MS:
        return None
    gone = any(broken.gone <= at_ms < broken.end for broken in _near(world, pool, seat, at_ms))
    return None if gone else promise


def _name(world: World, pool: PoolStory, seat: int, at_ms: int, promise: Promise) -> str:
    week = at_ms // WEEK_MS
    used_up = _replaced_before(world, pool, seat, week)
    used_up += sum(broken.end <= at_ms for broken in _breakdowns(world, pool, seat, week))
    day = at_ms // DAY_MS if pool.habit == "notebooks" and seat >= ALWAYS_UP else 0
    digits = hex_name(6, world.seed, pool.name, seat, promise.key, used_up, day)
    parts = (int(digits[place : place + 2], 16) for place in (0, 2, 4))
    return "ip-10-" + "-".join(map(str, parts)) + ".ec2.internal"


def _machine(world: World, pool: PoolStory, seat: int, at_ms: int) -> Machine | None:
    promise = _launched(world, pool, seat, at_ms)
    if promise is None:
        return None
    booted = all(_launched(world, pool, seat, at_ms - back) for back in range(GRID_MS, BOOT_MS + 1, GRID_MS))
    broken = any(broken.start <= at_ms < broken.end for broken in _near(world, pool, seat, at_ms))
    name = _name(world, pool, seat, at_ms, promise)
    return Machine(seat, name, reservation_id(world, promise), booted and not broken)


def _promise_edges(promise: Promise) -> Iterator[int]:
    for since, _ in promise.sizes:
        yield from (since, since + LAUNCH_MS, since + LAUNCH_MS + BOOT_MS)
    yield from (edge for edge in (promise.usable_until_ms, promise.end_ms) if edge is not None)


@lru_cache(maxsize=1_024)
def _edges(world: World, pool: PoolStory, week: int) -> tuple[int, ...]:
    """The instants of a week at which anything about a pool's machines can change, its first one included."""
    start = week * WEEK_MS
    edges = {start, *(edge for promise in world.promises_of(pool) for edge in _promise_edges(promise))}
    seats = max(count for promise in world.promises_of(pool) for _, count in promise.sizes)
    for seat in range(seats):
        for broken in _near(world, pool, seat, start):
            edges |= {broken.start, broken.gone, broken.end, broken.end + BOOT_MS}
    if pool.habit == "notebooks":
        hours = (start + day * DAY_MS + hour * HOUR_MS for day in range(7) for hour in (0, 7, 19))
        edges |= {edge + boot for edge in hours for boot in (0, BOOT_MS)}
    return tuple(sorted(edge for edge in edges if start <= edge < start + WEEK_MS))


@lru_cache(maxsize=4_096)
def _stock_since(world: World, pool: PoolStory, edge: int) -> Stock:
    promise = promise_at(world, pool, edge)
    if promise is None:
        return Stock(None, 0, ())
    count = promise.size_at(edge)
    found = (_machine(world, pool, seat, edge) for seat in range(count))
    return Stock(promise, count, tuple(machine for machine in found if machine is not None))


def stock(world: World, pool: PoolStory, at_ms: int) -> Stock:
    """What a pool has at an instant: nothing changes between two edges, so that the last one tells."""
    edges = _edges(world, pool, at_ms // WEEK_MS)
    return _stock_since(world, pool, edges[bisect_right(edges, at_ms) - 1])
