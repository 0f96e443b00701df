"""Who works on the machines: which pod holds which GPUs, for which queue and how hard.

Work is cut into steps of an hour; within one nothing starts or stops.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi

from telemetry.domain.sample import Pod
from telemetry.sources.synthetic.nodes import EVER_UP
from telemetry.sources.synthetic.noise import chance, hex_name
from telemetry.sources.synthetic.story import DAY_MS, GPUS_PER_NODE, HOUR_MS, MINUTE_MS, PoolStory, World

WORK_MS = 60 * MINUTE_MS
HALF_NODE = GPUS_PER_NODE // 2
QUIETEST_HOUR = 6.0
IDLE_LEVEL = 0.01
BUSY_SHARE = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Holding:
    """One pod on the GPUs ``first`` to ``first + gpus`` of a seat; ``queue`` None: outside Kueue.

    ``level`` is the SM activity it works with; ``saves`` that it stops now and then to write a checkpoint.
    """

    seat: int
    first: int
    gpus: int
    pod: Pod
    queue: str | None
    level: float
    saves: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SeatWork:
    """All that holds GPUs of one seat, and the same by GPU."""

    holdings: tuple[Holding, ...]
    by_gpu: tuple[Holding | None, ...]


def _seat_work(holdings: list[Holding]) -> SeatWork:
    owners: list[Holding | None] = [None] * GPUS_PER_NODE
    for holding in holdings:
        owners[holding.first : holding.first + holding.gpus] = [holding] * holding.gpus
    return SeatWork(tuple(holdings), tuple(owners))


@lru_cache(maxsize=16_384)
def _pod(namespace: str, name: str, *words: object) -> Pod:
    digits = hex_name(32, "pod", namespace, name, *words)
    uid = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    return Pod(namespace, f"{name}-{digits[:5]}", uid)


def traffic_share(world: World, at_ms: int) -> float:
    """How much of its machines the serving team's traffic asks for: low at night, lower at week-ends."""
    hour = at_ms % DAY_MS / HOUR_MS
    day = at_ms // DAY_MS
    weekend = (day + 3) % 7 >= 5
    wave = 0.61 - 0.31 * cos(2 * pi * (hour - QUIETEST_HOUR) / 24)
    drift = 0.08 * (chance(world.seed, "day", day) - 0.5) + 0.06 * (chance(world.seed, "step", at_ms // WORK_MS) - 0.5)
    return min(0.97, max(0.25, (wave + drift) * (0.82 if weekend else 1.0)))


def _window(at_ms: int, hours: int, *words: object) -> int:
    """The number of the window of that many hours an instant lies in, shifted by chance per place."""
    return (at_ms + int(chance("shift", *words) * hours) * HOUR_MS) // (hours * HOUR_MS)


def _serving(world: World, pool: PoolStory, seats: int, at_ms: int) -> list[Holding]:
    """Replicas of half a node from the first seat up; batch work fills from the last seat down at night."""
    share = traffic_share(world, at_ms)
    places = seats * 2
    replicas = round(share * places)
    rollout = (at_ms - 4 * HOUR_MS) // DAY_MS
    night = share < 0.6
    holdings = []
    for place in range(places):
        words = (world.seed, pool.name, place)
        spot = (place // 2, place % 2 * HALF_NODE, HALF_NODE)
        if place < replicas:
            standby = chance("standby", rollout, *words) < 0.05
            level = IDLE_LEVEL if standby else 0.3 + 0.45 * share + 0.1 * chance("level", *words)
            holdings.append(Holding(*spot, _pod("serving", "chat", rollout, *words), "serving", level))
            continue
        hours = 2 + int(chance("hours", *words) * 4)
        window = _window(at_ms, hours, *words)
        drawn = chance("batch", window, *words)
        if place > replicas and drawn < (0.75 if night else 0.25):
            pod = _pod("research", "embed", window, *words)
            holdings.append(Holding(*spot, pod, "research-batch", 0.55 + 0.35 * chance("level", window, *words)))
        elif drawn > 0.96:
            pod = _pod("platform", "burn-in", window, *words)
            holdings.append(Holding(*spot, pod, None, 0.9))
    return holdings


def waiting_gpus(world: World, pool: PoolStory, seats: int, at_ms: int) -> dict[str, int]:
    """GPUs that each queue's work waits for: batch work behind the serving team's traffic by day, nothing else."""
    waiting = {queue.name: 0 for queue in pool.queues}
    share = traffic_share(world, at_ms)
    if pool.habit != "serving" or share < BUSY_SHARE:
        return waiting
    for place in range(round(share * seats * 2)):
        words = (world.seed, pool.name, place)
        window = _window(at_ms, 2 + int(chance("hours", *words) * 4), *words)
        waiting["research-batch"] += HALF_NODE * (chance("batch", window, *words) < 0.25)
    return waiting


def _training(world: World, pool: PoolStory, seats: int, at_ms: int) -> list[Holding]:
    """Long jobs on whole nodes, most of them pre-training, with pauses between the jobs."""
    pretrain, evals = pool.queues
    own_seats = round(seats * GPUS_PER_NODE * pretrain.nominal_share) // GPUS_PER_NODE
    holdings = []
    for seat in range(seats):
        own = seat < own_seats
        team = seat // 3 if own else seat
        hours = (54 if own else 9) + int(chance("hours", world.seed, pool.name, team) * 8)
        window = _window(at_ms, hours, world.seed, pool.name, team)
        words = (world.seed, pool.name, team, window)
        into = (at_ms + int(chance("shift", world.seed, pool.name, team) * hours) * HOUR_MS) % (hours * HOUR_MS)
        if into < (1 + int(chance("pause", *words) * (3 if own else 4))) * HOUR_MS:
            continue
        guest = not own and chance("guest", *words) < 0.35
        queue = pretrain if own or guest else evals
        level = 0.8 + 0.11 * chance("level", *words) if queue is pretrain else 0.4 + 0.3 * chance("level", *words)
        pod = _pod(queue.team, queue.name, seat, *words)
        holdings.append(Holding(seat, 0, GPUS_PER_NODE, pod, queue.name, level, saves=queue is pretrain))
    return holdings


def _sprint(world: World, pool: PoolStory, seats: int, at_ms: int) -> list[Holding]:
    """One run on the whole block, restarted every two days or so; a shake-down first."""
    window = _window(at_ms, 44, world.seed, pool.name)
    words = (world.seed, pool.name, window)
    into = (at_ms + int(chance("shift", world.seed, pool.name) * 44) * HOUR_MS) % (44 * HOUR_MS)
    if into < (1 + int(chance("pause", *words) * 5)) * HOUR_MS:
        return []
    queue = pool.queues[0]
    level = 0.8 + 0.11 * chance("level", *words)
    return [
        Holding(seat, 0, GPUS_PER_NODE, _pod(queue.team, "sprint", seat, *words), queue.name, level, saves=True)
        for seat in range(seats)
    ]


def _notebooks(world: World, pool: PoolStory, seats: int, at_ms: int) -> list[Holding]:
    """Pairs of GPUs held by notebooks for days, and seldom used; one in six was started outside Kueue."""
    working = (at_ms // DAY_MS + 3) % 7 < 5 and 8 <= at_ms % DAY_MS // HOUR_MS < 18
    holdings = []
    for place in range(min(seats, EVER_UP) * 4):
        words = (world.seed, pool.name, place)
        window = _window(at_ms, 60, *words)
        if chance("held", window, *words) > 0.8:
            continue
        used = chance("used", at_ms // WORK_MS, *words) < (0.3 if working else 0.08)
        level = 0.25 + 0.4 * chance("level", window, *words) if used else IDLE_LEVEL
        outside = chance("outside", window, *words) < 1 / 6
        pod = _pod("platform", "notebook", window, *words)
        queue = None if outside else pool.queues[0].name
        holdings.append(Holding(place // 4, place % 4 * 2, 2, pod, queue, level))
    return holdings


HABITS = {"serving": _serving, "training": _training, "sprint": _sprint, "notebooks": _notebooks}


@lru_cache(maxsize=4_096)
def work(world: World, pool: PoolStory, seats: int, step: int) -> tuple[SeatWork, ...]:
    """For each of so many seats what holds its GPUs in one step of an hour (counted from 1970)."""
    by_seat: list[list[Holding]] = [[] for _ in range(seats)]
    for holding in HABITS[pool.habit](world, pool, seats, step * WORK_MS):
        by_seat[holding.seat].append(holding)
    return tuple(map(_seat_work, by_seat))
