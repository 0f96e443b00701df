"""A month of 64 GPUs and 2,000 jobs, from what pods held to figures, on eleven sizes."""

import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import cos, pi
from time import perf_counter, process_time

import pytest

from reservations.domain.period import HOUR_MS
from scheduler.domain.allocation.fast import fast_grid, warm_up
from scheduler.domain.policy import DEFAULT_REPLAY
from scheduler.domain.replay.answer import MonthAsked, month_replayed
from telemetry.domain.recorded import Recorded, RecordedHour, RecordedPod

HOURS, JOBS = 744, 2_000
START = datetime(2026, 10, 1, tzinfo=UTC)
SECONDS = 30.0


def month(mean_hours: float) -> Recorded:
    """Serving by the hour of the day, and jobs of 1 to 16 GPUs with durations around a mean."""
    chance = random.Random(3)
    pods = [
        RecordedPod(START + timedelta(hours=hour), "serving", f"chat-{place}", "", "cq-serve", "serving", HOUR_MS)
        for hour in range(HOURS)
        for place in range(round(14 - 8 * cos(2 * pi * (hour - 4) / 24) + 2 * chance.random()))
    ]
    for number in range(JOBS):
        gpus, hours = chance.choice([1, 1, 1, 2, 2, 4, 4, 8, 16]), max(1, round(chance.expovariate(1 / mean_hours)))
        first, workload = chance.randrange(HOURS), chance.choice(["training", "batch"])
        who = ("team", f"run{number:06}", str(number), f"cq-{workload}", workload, gpus * HOUR_MS)
        pods += [RecordedPod(START + timedelta(hours=hour), *who) for hour in range(first, min(HOURS, first + hours))]
    held: dict[datetime, int] = {}
    for pod in pods:
        held[pod.hour] = held.get(pod.hour, 0) + pod.allocated
    hours_told = (RecordedHour(at, held[at], 64 * HOUR_MS, 64 * HOUR_MS) for at in sorted(held))
    return Recorded(tuple(hours_told), tuple(pods))


@pytest.mark.benchmark
@pytest.mark.parametrize("mean_hours", [3.2, 5.0], ids=["as much as 64 GPUs hold", "more than they hold"])
def test_a_month_of_two_thousand_jobs_is_replayed_on_eleven_sizes_in_half_a_minute(mean_hours: float) -> None:
    recorded = month(mean_hours)
    asked = MonthAsked(HOURS, 8, Decimal(8))
    iterations = DEFAULT_REPLAY.iterations
    warm_up()
    began, wall = process_time(), perf_counter()
    told = month_replayed(recorded, asked, lambda part: fast_grid(part, iterations=iterations))
    processor, wall = process_time() - began, perf_counter() - wall
    work = (sum(told.work.realtime) + told.rounding.replayed) / (64 * HOURS)
    print(
        f"{len(told.work.jobs)} jobs, {work:.0%} of 64 GPUs, {len(told.sizes)} sizes: {processor:.1f} s of processor,"
        f" {wall:.1f} s wall; packed {told.packed}"
    )
    assert (len(told.work.jobs), len(told.sizes)) == (JOBS, 11)
    assert processor < SECONDS
