"""Where the demo fleet's telemetry has holes."""

from functools import lru_cache

from telemetry.sources.synthetic.noise import chance
from telemetry.sources.synthetic.story import GRID_MS, HOUR_MS, PoolStory, Span, World

QUIET_WINDOW_MS = 6 * HOUR_MS
QUIET_CHANCE = 0.10
LABELS_BLOCK = 64
LOST_LABELS_CHANCE = 0.025


def within(span: Span, scrape_ms: int) -> bool:
    """Whether a scrape, which tells of the time before it, tells of a time inside a half-open span."""
    return span[0] < scrape_ms <= span[1]


@lru_cache(maxsize=16_384)
def _hiccup(world: World, pool: PoolStory, seat: int, window: int) -> Span:
    """When one node's exporter was out of breath in one window of six hours; an empty span where it was not."""
    words = (world.seed, pool.name, seat, window)
    if chance("hiccup", *words) >= QUIET_CHANCE:
        return 0, 0
    start = window * QUIET_WINDOW_MS + int(chance("hiccup at", *words) * 60) * GRID_MS
    return start, start + (2 + int(chance("hiccup lasts", *words) * 10)) * GRID_MS


def silences(world: World, pool: PoolStory, seat: int, start: int, end: int) -> tuple[Span, ...]:
    """When the exporter of a seat's node gave nothing, of what touches the time from ``start`` to ``end``."""
    told_pool, told_seat, told = world.node_silent
    spans = [world.exporters_silent]
    if (pool, seat) == (told_pool, told_seat):
        spans.append(told)
    silent_pool, silent_seats, silent = world.nodes_silent_now
    if pool is silent_pool and seat in silent_seats:
        spans.append(silent)
    for window in range(start // QUIET_WINDOW_MS - 1, end // QUIET_WINDOW_MS + 1):
        spans.append(_hiccup(world, pool, seat, window))
    return tuple(span for span in spans if span[0] < end and start < span[1])


def counter_stuck(world: World, pool: PoolStory, seat: int, gpu: int) -> Span:
    """When the activity counter of a GPU stood at 0; an empty span where it never did."""
    for told_pool, told_seat, told_gpu, told in (world.counter_stuck, world.counter_stuck_now):
        if (pool, seat, gpu) == (told_pool, told_seat, told_gpu):
            return told
    return 0, 0


def labels_lost(world: World, machine: str, scrape: int) -> bool:
    """Whether the exporter could not ask the kubelet for pods at a scrape (counted from 1970): no pod label then."""
    block, place = divmod(scrape, LABELS_BLOCK)
    return place == _lost_place(world, machine, block)


@lru_cache(maxsize=16_384)
def _lost_place(world: World, machine: str, block: int) -> int | None:
    """At which scrape of a block of them a machine's labels were lost, if at any."""
    words = (world.seed, machine, block)
    lost = chance("labels", *words) < LOST_LABELS_CHANCE
    return int(chance("labels at", *words) * LABELS_BLOCK) if lost else None
