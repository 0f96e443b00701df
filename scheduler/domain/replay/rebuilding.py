"""From what pods held hour by hour to jobs with a start, a size and a duration, and to what serving needed."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from reservations.domain.period import HOUR_MS
from scheduler.domain.replay.work import SERVING, TRAINING, ReplayJob, ReplayWork
from telemetry.domain.recorded import Recorded, RecordedHour, RecordedPod

GIVEN_NAME = re.compile(r"(-\d{1,5}|-[a-z0-9]{5})$")
"""What a controller puts behind the name of the pods it makes: a number, or five letters and digits."""

WhoHeld = tuple[str, str, str, str, str]
"""Namespace, pod, uid, cluster queue, workload."""


@dataclass(frozen=True, slots=True)
class Stay:
    """One pod, or a gang of pods, over hours without a gap: steps ``[began, ended)``; ``peak`` in GPU-ms an hour."""

    name: str
    stem: str
    workload: str
    began: int
    ended: int
    peak: int
    total: int


def known_hours(recorded: Recorded, least_coverage: Decimal) -> tuple[RecordedHour, ...]:
    """The hours whose pods are known: they account for all that was allocated, and enough of the devices was seen.

    An hour whose pods were let go, one from a file and one nobody told about is not among them.
    """
    held: defaultdict[datetime, int] = defaultdict(int)
    for pod in recorded.pods:
        held[pod.hour] += pod.allocated
    return tuple(
        hour
        for hour in recorded.hours
        if hour.allocated is not None and held[hour.hour] == hour.allocated and _is_seen(hour, least_coverage)
    )


def rebuilt(recorded: Recorded, least_coverage: Decimal) -> ReplayWork:
    """Jobs and real-time demand of the known hours; in the others the clock stands still.

    A pod in consecutive known hours is one job: its GPUs are the most it held over an hour, rounded up to whole ones;
    its duration the GPU-hours it held ÷ these, to the nearest hour. Training pods of one controller that begin and end
    in the same hours are one gang. Where work is known to have waited, jobs arrive sooner than they began.
    """
    known = known_hours(recorded, least_coverage)
    steps = {hour.hour: step for step, hour in enumerate(known)}
    pods = [pod for pod in recorded.pods if pod.hour in steps]
    jobs = [_job(stay) for stay in _gangs(_stays(pods, steps))]
    jobs.sort(key=lambda job: (job.began, job.id))
    queued = [hour.queued for hour in known]
    arrived = _arrived([replace(job, id=f"{at + 1} {job.id}") for at, job in enumerate(jobs)], queued)
    in_order = tuple(sorted(arrived, key=lambda job: (job.arrival, job.began)))
    return ReplayWork(tuple(steps), _realtime(pods, steps, queued), in_order)


def block_size(gpus: int) -> int:
    """The smallest power of two that is no less."""
    return 1 << max(0, gpus - 1).bit_length()


def _is_seen(hour: RecordedHour, least: Decimal) -> bool:
    if not hour.expected:
        return hour.expected == 0
    return hour.known is not None and hour.known >= least * hour.expected


def _stays(pods: Iterable[RecordedPod], steps: Mapping[datetime, int]) -> Iterator[Stay]:
    held: defaultdict[WhoHeld, dict[int, int]] = defaultdict(dict)
    for pod in pods:
        if pod.workload != SERVING:
            of_pod = held[(pod.namespace, pod.pod, pod.uid, pod.cluster_queue, pod.workload)]
            step = steps[pod.hour]
            of_pod[step] = of_pod.get(step, 0) + pod.allocated
    for (namespace, name, _, queue, workload), amounts in sorted(held.items()):
        stem = f"{namespace}/{GIVEN_NAME.sub('', GIVEN_NAME.sub('', name))} {queue}"
        for run in _runs(sorted(amounts)):
            parts = [amounts[step] for step in run]
            yield Stay(f"{namespace}/{name}", stem, workload, run[0], run[-1] + 1, max(parts), sum(parts))


def _runs(steps: Sequence[int]) -> Iterator[list[int]]:
    """Ascending steps, cut where one is left out."""
    run: list[int] = []
    for step in steps:
        if run and step != run[-1] + 1:
            yield run
            run = []
        run.append(step)
    if run:
        yield run


def _gangs(stays: Iterable[Stay]) -> Iterator[Stay]:
    """Training by controller and time, everything else as it is: only training waits for all of its pods."""
    gangs: dict[tuple[str, int, int], Stay] = {}
    for stay in stays:
        if stay.workload != TRAINING:
            yield stay
            continue
        key = (stay.stem, stay.began, stay.ended)
        first = gangs.get(key)
        gangs[key] = stay if first is None else _together(first, stay)
    yield from gangs.values()


def _together(gang: Stay, stay: Stay) -> Stay:
    """A gang with one more pod; each pod's GPUs are whole by themselves."""
    return replace(gang, peak=_whole(gang.peak) * HOUR_MS + _whole(stay.peak) * HOUR_MS, total=gang.total + stay.total)


def _job(stay: Stay) -> ReplayJob:
    used = _whole(stay.peak)
    steps = max(1, (2 * stay.total + used * HOUR_MS) // (2 * used * HOUR_MS))
    return ReplayJob(
        id=stay.name,
        workload=stay.workload,
        gpus=block_size(used),
        used=used,
        steps=steps,
        began=stay.began,
        arrival=stay.began,
        recorded=stay.total,
    )


def _whole(gpu_ms: int) -> int:
    return -(-gpu_ms // HOUR_MS)


def _arrived(jobs: Sequence[ReplayJob], queued: Sequence[Mapping[str, int] | None]) -> list[ReplayJob]:
    """Each job as early as what waited of its workload has room for it, hour by hour back from when it began.

    Who began first is counted first. Where it is unknown what waited, nothing is known to have waited.
    """
    left = [dict(told or {}) for told in queued]
    moved = []
    for job in jobs:
        arrival, needs = job.began, job.used * HOUR_MS
        while arrival > 0 and left[arrival - 1].get(job.workload, 0) >= needs:
            arrival -= 1
            left[arrival][job.workload] -= needs
        moved.append(replace(job, arrival=arrival))
    return moved


def _realtime(
    pods: Iterable[RecordedPod], steps: Mapping[datetime, int], queued: Sequence[Mapping[str, int] | None]
) -> tuple[int, ...]:
    """Whole GPUs that serving held and, where that is known, waited for."""
    asked = [(told or {}).get(SERVING, 0) for told in queued]
    for pod in pods:
        if pod.workload == SERVING:
            asked[steps[pod.hour]] += pod.allocated
    return tuple(_whole(amount) for amount in asked)
