"""The demo fleet as a metrics engine would answer for it: samples at the scrape interval, with their gaps."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from telemetry.domain.sample import (
    DeviceSeries,
    HourUsage,
    NodeUsage,
    PendingSeries,
    PhaseSeries,
    Pod,
    PodQueueSeries,
    QueueSeries,
    RequestSeries,
    Samples,
    UsageQuestion,
)
from telemetry.sources.synthetic.gaps import counter_stuck, labels_lost, silences, within
from telemetry.sources.synthetic.nodes import Machine, stock
from telemetry.sources.synthetic.noise import NOISE_LENGTH, hex_name, wobble
from telemetry.sources.synthetic.story import GPUS_PER_NODE, MINUTE_MS, PoolStory, Span, World, pool_named, world_at
from telemetry.sources.synthetic.work import IDLE_LEVEL, WORK_MS, Holding, SeatWork, waiting_gpus, work

RESOURCE = "nvidia_com_gpu"
SAVES_EVERY = 32
SAVING_LEVEL = 0.02

LONGEST_ZERO_MS = 10 * MINUTE_MS
STUCK = "SM activity 0 for 10 minutes while it drew the power of a GPU at work"


@dataclass(slots=True)
class _Node:
    """What was seen of one machine: the scrapes it was there at, with who held its GPUs at each."""

    machine: Machine
    seen: list[tuple[int, SeatWork]] = field(default_factory=list)


def fetch(question: UsageQuestion, *, session: object | None = None) -> HourUsage:
    """One pool's hour of the world behind ``question.url``; UnableToFetch for a wrong address or an unknown pool."""
    world, pool = world_at(question.url), pool_named(question.pool)
    step = question.scrape_interval_seconds * 1000
    scrapes = _scrapes(world, question.period.start_ms, question.period.end_ms, step)
    nodes = _nodes(world, pool, scrapes, question.node_values)
    heard = any(not within(world.exporters_silent, at) for at in scrapes)
    counted = [at for at in scrapes if not within(world.quota_gap, at)]
    hour = (question.period.start_ms, question.period.end_ms)
    told = any(within(hour, at) for at in scrapes)
    return HourUsage(
        period=question.period,
        step_ms=step,
        state_step_ms=step,
        nodes=[_node_usage(world, pool, node, step) for node in nodes],
        sm_exported=heard,
        pod_labels_exported=heard,
        node_data=told,
        allocation_data=told,
        queue_labels=told,
        queue_metrics=bool(counted),
        queues=_queues(world, pool, nodes, counted),
        pod_queues=tuple(_pod_queues(nodes)),
        pending=_pending(world, pool, counted),
        suspects={uuid: STUCK for node in nodes for uuid in _stuck(world, pool, node, (hour, step))},
    )


def _scrapes(world: World, start: int, end: int, step: int) -> list[int]:
    """The scrape times from 1.5 steps before the hour to 1.5 after it at which the engine stored anything."""
    first = -(-(start - step * 3 // 2) // step) * step
    return [at for at in range(first, end + step * 3 // 2 + 1, step) if not within(world.source_dark, at)]


def _nodes(world: World, pool: PoolStory, scrapes: Sequence[int], reservations: Sequence[str]) -> list[_Node]:
    """Every machine that was a node at some scrape; a scrape tells of the millisecond before it."""
    nodes: dict[str, _Node] = {}
    for at in scrapes:
        there = stock(world, pool, at - 1)
        if there.promise is None:
            continue
        held = work(world, pool, there.size, (at - 1) // WORK_MS)
        for machine in there.machines:
            if machine.joined and (not reservations or machine.reservation in reservations):
                nodes.setdefault(machine.name, _Node(machine)).seen.append((at, held[machine.seat]))
    return list(nodes.values())


@lru_cache(maxsize=16_384)
def _pod_on(machine: str, pod: Pod) -> Pod:
    """The pod as it is called on one machine: its successor on the next machine has an identity of its own."""
    digits = hex_name(32, machine, pod.uid)
    uid = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    return Pod(pod.namespace, f"{pod.name}-{digits[:4]}", uid)


@lru_cache(maxsize=4_096)
def _uuid(seed: int, machine: str, gpu: int) -> str:
    digits = hex_name(32, seed, machine, gpu)
    return "GPU-" + "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _node_usage(world: World, pool: PoolStory, node: _Node, step: int) -> NodeUsage:
    name = node.machine.name
    held: dict[tuple[Pod, int], list[int]] = defaultdict(list)
    for at, there in node.seen:
        for holding in there.holdings:
            held[_pod_on(name, holding.pod), holding.gpus].append(at)
    return NodeUsage(
        node=name,
        match_value=node.machine.reservation,
        presence=tuple((at, 1.0) for at, _ in node.seen),
        capacity=tuple((at, float(GPUS_PER_NODE)) for at, _ in node.seen),
        devices=tuple(_devices(world, pool, node, step)),
        requests=tuple(
            RequestSeries(pod, "main", RESOURCE, tuple((at, float(gpus)) for at in times))
            for (pod, gpus), times in held.items()
        ),
        phases=tuple(PhaseSeries(pod, tuple((at, 1.0) for at in times)) for (pod, _), times in held.items()),
        physical_label=GPUS_PER_NODE,
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """Scrapes in a row of one node through which nothing changed; ``labels`` False: none carried a pod label."""

    times: tuple[int, ...]
    by_gpu: tuple[Holding | None, ...]
    labels: bool


def _runs(world: World, pool: PoolStory, node: _Node, step: int) -> list[_Run]:
    """What a node's exporter said, in runs."""
    first, last = node.seen[0][0], node.seen[-1][0]
    quiet = silences(world, pool, node.machine.seat, first - step, last)
    heard = [seen for seen in node.seen if not any(within(span, seen[0]) for span in quiet)]
    keyed = groupby(heard, lambda seen: (seen[1], not labels_lost(world, node.machine.name, seen[0] // step)))
    return [_Run(tuple(at for at, _ in seen), there.by_gpu, labels) for (there, labels), seen in keyed]


def _devices(world: World, pool: PoolStory, node: _Node, step: int) -> Iterator[DeviceSeries]:
    """One series per GPU and pod label it carried; a lost label makes a series without pod."""
    name = node.machine.name
    runs = _runs(world, pool, node, step)
    for gpu in range(GPUS_PER_NODE):
        uuid = _uuid(world.seed, name, gpu)
        stuck = counter_stuck(world, pool, node.machine.seat, gpu)
        series: dict[Pod | None, list[tuple[int, float]]] = {}
        for run in runs:
            holding = run.by_gpu[gpu]
            pod = _pod_on(name, holding.pod) if holding is not None and run.labels else None
            series.setdefault(pod, []).extend(
                (at, 0.0 if within(stuck, at) else level)
                for at, level in _activity(world, uuid, holding, run.times, step)
            )
        for pod, samples in series.items():
            yield DeviceSeries(uuid, tuple(samples), model=pool.model, pod=pod)


def _stuck(world: World, pool: PoolStory, node: _Node, when: tuple[Span, int]) -> Iterator[str]:
    """The GPUs of a node that worked for ten minutes of an hour while their counters stood at 0."""
    hour, step = when
    for gpu in range(GPUS_PER_NODE):
        stuck = counter_stuck(world, pool, node.machine.seat, gpu)
        silent = [there for at, there in node.seen if within(stuck, at) and within(hour, at)]
        at_work = [there for there in silent if _works(there.by_gpu[gpu])]
        if len(at_work) * step >= LONGEST_ZERO_MS:
            yield _uuid(world.seed, node.machine.name, gpu)


def _works(holding: Holding | None) -> bool:
    return holding is not None and holding.level > IDLE_LEVEL


def _activity(
    world: World, uuid: str, holding: Holding | None, times: Sequence[int], step: int
) -> Iterator[tuple[int, float]]:
    """SM activity of one GPU: nothing without a pod, else its level with noise, and a dip where it saves."""
    if holding is None or holding.level <= IDLE_LEVEL:
        level = 0.0 if holding is None else holding.level
        yield from ((at, level) for at in times)
        return
    for at in times:
        block, place = divmod(at // step, NOISE_LENGTH)
        saving = holding.saves and place % SAVES_EVERY == 0
        yield at, SAVING_LEVEL if saving else holding.level + wobble(world.seed, uuid, block)[place]


def _queues(world: World, pool: PoolStory, nodes: Sequence[_Node], counted: Sequence[int]) -> tuple[QueueSeries, ...]:
    """Kueue's quota and its use, which it counts where pods hold GPUs."""
    used: dict[tuple[str | None, int], int] = defaultdict(int)
    for node in nodes:
        for at, there in node.seen:
            for holding in there.holdings:
                used[holding.queue, at] += holding.gpus
    return tuple(
        QueueSeries(
            cluster_queue=queue.name,
            cohort=pool.flavor,
            flavor=pool.flavor,
            usage=tuple((at, float(used[queue.name, at])) for at in counted),
            nominal=tuple((at, float(nominal_gpus(world, pool, queue.nominal_share, at - 1))) for at in counted),
        )
        for queue in pool.queues
    )


def _pending(world: World, pool: PoolStory, counted: Sequence[int]) -> tuple[PendingSeries, ...]:
    """What waits in each queue, while Kueue's controller is there to say so."""
    waiting = {at: waiting_gpus(world, pool, stock(world, pool, at - 1).size, _step_ms(at)) for at in counted}
    return tuple(
        PendingSeries(queue.name, tuple((at, float(waiting[at][queue.name])) for at in counted))
        for queue in pool.queues
    )


def _step_ms(at: int) -> int:
    """The start of the step of work that a scrape tells of."""
    return (at - 1) // WORK_MS * WORK_MS


def nominal_gpus(world: World, pool: PoolStory, share: float, at_ms: int) -> int:
    """A queue's nominal quota at an instant: its share of the GPUs reserved then."""
    return round(stock(world, pool, at_ms).size * GPUS_PER_NODE * share)


def _pod_queues(nodes: Sequence[_Node]) -> Iterator[PodQueueSeries]:
    """The queue label of every pod, blank for the ones outside Kueue."""
    seen: dict[tuple[Pod, str], list[tuple[int, float]]] = defaultdict(list)
    for node in nodes:
        for at, there in node.seen:
            for holding in there.holdings:
                seen[_pod_on(node.machine.name, holding.pod), holding.queue or ""].append((at, 1.0))
    for (pod, queue), samples in seen.items():
        answer: Samples = tuple(samples)
        yield PodQueueSeries(pod, queue, answer)
