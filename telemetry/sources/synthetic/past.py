"""The demo fleet's older months as ledger hours, without the samples nobody keeps that long.

Each hour is told from its middle: what held the GPUs then held them the whole hour, but for the exporters'
gaps, which are exact. All amounts are whole GPU-milliseconds and every identity of the ledger holds.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from reservations.domain.period import Period, epoch_ms
from telemetry.domain.ledger import LedgerHour, QueueHour
from telemetry.sources.synthetic.gaps import silences
from telemetry.sources.synthetic.nodes import Machine, Stock, stock
from telemetry.sources.synthetic.story import GPUS_PER_NODE, HOUR_MS, PoolStory, World, instant
from telemetry.sources.synthetic.work import IDLE_LEVEL, WORK_MS, Holding, work

SAVES_ONE_IN = 32


@dataclass(slots=True)
class _Amounts:
    """Sums of one hour; by queue, None for pods outside any."""

    known: int = 0
    held: int = 0
    sm: int = 0
    busy: dict[str | None, int] = field(default_factory=lambda: defaultdict(int))
    allocated: dict[str | None, int] = field(default_factory=lambda: defaultdict(int))


def past_hours(world: World, pool: PoolStory, period: Period) -> Iterator[LedgerHour]:
    """One final row for each hour of a period, also for those in which nothing was reserved."""
    for hour in period.hours():
        yield _past_hour(world, pool, epoch_ms(hour))


def _past_hour(world: World, pool: PoolStory, start: int) -> LedgerHour:
    middle = start + HOUR_MS // 2
    there = stock(world, pool, middle)
    reserved, paid = _promised(world, pool, start)
    joined = [machine for machine in there.machines if machine.joined]
    expected = len(joined) * GPUS_PER_NODE * HOUR_MS
    unused = reserved - len(there.machines) * GPUS_PER_NODE * HOUR_MS
    sums = _sums(world, pool, there, joined, start)
    busy = sum(sums.busy.values())
    queues = tuple(_queue_hours(pool, there, sums))
    return LedgerHour(
        hour=instant(start),
        reserved=reserved,
        paid=paid,
        ec2_unused=unused,
        expected=expected,
        not_joined=reserved - unused - expected,
        not_observed=0,
        known=sums.known,
        unknown=expected - sums.known,
        busy=busy,
        sm=sums.sm,
        idle=sums.known - busy,
        idle_held=sums.held - busy,
        idle_free=sums.known - sums.held,
        allocated=sum(sums.allocated.values()),
        owner_busy=sum(queue.owner_busy or 0 for queue in queues),
        borrower_busy=sum(queue.borrower_busy or 0 for queue in queues),
        unmanaged_busy=sum(queue.unmanaged_busy or 0 for queue in queues),
        unattributed_busy=0,
        queues=queues,
        final=True,
    )


def _promised(world: World, pool: PoolStory, start: int) -> tuple[int, int]:
    """GPU-milliseconds reserved and paid in an hour; older sizes only ever changed on the hour."""
    reserved = paid = 0
    for promise in world.promises_of(pool):
        begins = max(start, promise.start_ms)
        ends = min(start + HOUR_MS, promise.end_ms or start + HOUR_MS)
        usable = min(ends, promise.usable_until_ms or ends)
        gpus = promise.size_at(begins) * GPUS_PER_NODE
        reserved += gpus * max(0, usable - begins)
        paid += gpus * max(0, ends - begins)
    return reserved, paid


def _sums(world: World, pool: PoolStory, there: Stock, joined: list[Machine], start: int) -> _Amounts:
    sums = _Amounts()
    held = work(world, pool, there.size, (start + HOUR_MS // 2) // WORK_MS) if joined else ()
    for machine in joined:
        gaps = silences(world, pool, machine.seat, start, start + HOUR_MS)
        silent = sum(min(end, start + HOUR_MS) - max(begin, start) for begin, end in gaps)
        heard = max(0, HOUR_MS - silent)
        sums.known += heard * GPUS_PER_NODE
        for holding in held[machine.seat].holdings:
            sums.held += heard * holding.gpus
            sums.allocated[holding.queue] += HOUR_MS * holding.gpus
            busy = _busy(holding, heard)
            sums.busy[holding.queue] += busy
            sums.sm += int(busy * holding.level)
    return sums


def _busy(holding: Holding, heard: int) -> int:
    """GPU-milliseconds a pod was busy: all it was heard, less the time it takes to save."""
    if holding.level <= IDLE_LEVEL:
        return 0
    saving = heard // SAVES_ONE_IN if holding.saves else 0
    return (heard - saving) * holding.gpus


def _queue_hours(pool: PoolStory, there: Stock, sums: _Amounts) -> Iterator[QueueHour]:
    """Who used it: a queue borrows what it holds beyond its nominal quota."""
    shares = {queue.name: queue.nominal_share for queue in pool.queues}
    for name, allocated in sorted(sums.allocated.items(), key=lambda one: one[0] or ""):
        busy = sums.busy[name]
        if name is None:
            yield QueueHour("", allocated, unmanaged_busy=busy)
            continue
        usage = allocated // HOUR_MS
        nominal = round(there.size * GPUS_PER_NODE * shares[name])
        borrowed = busy * max(0, usage - nominal) // usage
        yield QueueHour(name, allocated, owner_busy=busy - borrowed, borrower_busy=borrowed)
