"""A week of a public trace as an instance: recorded jobs, a recorded curve, and what no trace has drawn by seed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from scheduler.domain.allocation.instance import BatchJob, Instance, Mode, Objective, RealtimeJob

STEP_S = 900
WEEK_STEPS = 7 * 24 * 4
DAY_BINS = 24 * 6
APPS = (0.35, 0.25, 0.2, 0.12, 0.08)
"""Shares of the real-time demand by application."""
BEHIND_HOURS = (0, 2, 5, 8, 12)
"""Hours by which each application follows the recorded curve later, as if its users lived further west."""
FIRST_DAY = 9
"""Day of the curve with which its first week begins: the service was hardly used before."""
REALTIME_SHARE = 0.19
"""Mean real-time demand ÷ 448 GPUs, kept in GPUs whatever the fleet, as the jobs are."""
SMALLEST_FLEET = 448


@dataclass(frozen=True, slots=True)
class TraceJob:
    """One recorded job: seconds after the trace's start at which it was handed in, GPUs, seconds it ran."""

    submit_s: float
    gpus: int
    duration_s: float


def week_instance(
    jobs: Sequence[TraceJob], busy_gpu_s: Sequence[float], *, gpus: int, week: int, seed: int = 0
) -> Instance:
    """The jobs handed in during ``week`` (from 0) in steps of a quarter of an hour, and five real-time applications.

    ``busy_gpu_s``: GPU-seconds per ten minutes, whose hourly means the applications follow. Priorities 1 to 5 and swap
    caps of an eighth to a half of the peak are drawn by ``seed``, since the traces have neither.
    """
    rng = Random(f"trace week:{week}:{seed}")  # noqa: S311 an instance to measure on, no secret # nosec B311
    begins = week * WEEK_STEPS * STEP_S
    of_week = [job for job in jobs if begins <= job.submit_s < begins + WEEK_STEPS * STEP_S]
    batch = [_batch(rng, at, job, begins) for at, job in enumerate(of_week)]
    curves = [_curve(busy_gpu_s, (FIRST_DAY + 7 * week) * DAY_BINS - 6 * hours) for hours in BEHIND_HOURS]
    wanted = REALTIME_SHARE * SMALLEST_FLEET
    realtime = [_realtime(rng, app, curve, wanted * APPS[app]) for app, curve in enumerate(curves)]
    return Instance(
        gpus, WEEK_STEPS, (*batch, *realtime), Objective(half_life_steps=WEEK_STEPS / 2), step_minutes=STEP_S / 60
    )


def _batch(rng: Random, at: int, job: TraceJob, begins: float) -> BatchJob:
    steps = min(WEEK_STEPS, max(1, math.ceil(job.duration_s / STEP_S)))
    arrival = math.ceil((job.submit_s - begins) / STEP_S)
    return BatchJob(f"j{at}", "training", rng.randint(1, 5), arrival, (Mode(job.gpus, steps),))


def _curve(busy_gpu_s: Sequence[float], first: int) -> list[float]:
    """One value a quarter of an hour: the mean of the six ten-minute bins around it."""
    middles = [first + int((step + 0.5) * STEP_S // 600) for step in range(WEEK_STEPS)]
    return [sum(busy_gpu_s[at - 3 : at + 3]) / 6 for at in middles]


def _realtime(rng: Random, app: int, curve: list[float], mean: float) -> RealtimeJob:
    level = sum(curve) / len(curve)
    demand = tuple(round(mean * value / level) if level else 0 for value in curve)
    peak = max(demand)
    cap = max(1, rng.randint(math.ceil(peak / 8), max(1, math.ceil(peak / 2))))
    return RealtimeJob(f"app{app}", rng.choice((3, 4, 5)), demand, cap, (0,) * WEEK_STEPS)
