"""A real week of jobs and a real curve of demand, where the public traces are at hand."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

from scheduler.domain.allocation.bound import certified_bound
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.measured import Spread
from scheduler.domain.allocation.trace_weeks import TraceJob, week_instance
from scheduler.services.measure_allocator.judged import BASELINES, gained_share, gap_share, judged
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rows import MS, POINTS, SHARE, Tally
from scheduler.services.measure_allocator.timing import least_seconds, timed

JOBS, CURVE = "philly_2017_two_weeks_jobs.csv", "alibaba_genai_v2026_requests_10min.csv"
FLEETS = (448, 640, 1_024)
WEEKS = (0, 1)


class UnableToReadTraces(Exception):
    """The folder lacks a file, or a file lacks a column."""


def trace_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """Gaps to the certificate of FIFO, the priority calendar and fast, and fast's time, by fleet and week.

    Raises:
        UnableToReadTraces: no folder is named, or it lacks a file or column.
    """
    jobs, curve = _read(protocol.traces)
    tally = Tally.of("traces")
    for gpus in FLEETS:
        for week in WEEKS:
            _measure(tally, f"{gpus:,} GPUs, week {week + 1}", week_instance(jobs, curve, gpus=gpus, week=week))
            step()
    yield from tally.rows()


def trace_count(protocol: Protocol) -> int:
    """Steps of progress in it."""
    return len(FLEETS) * len(WEEKS)


def _measure(tally: Tally, case: str, instance: Instance) -> None:
    fast_grid(instance)
    bound, certified = timed(lambda: certified_bound(instance))
    fast = judged(instance, fast_grid(instance), by="fast")
    fifo = judged(instance, fifo_grid(instance), by="fifo")
    calendar = judged(instance, BASELINES["priority calendar"](instance), by="priority calendar")
    tally.add(case, "fast: gap to the certificate", SHARE, gap_share(bound.value, fast.value))
    tally.add(case, "fast: time", MS, 1000 * least_seconds(lambda: fast_grid(instance), 3))
    tally.add(case, "FIFO: gap to the certificate", SHARE, gap_share(bound.value, fifo.value))
    tally.add(case, "priority calendar: gap to the certificate", SHARE, gap_share(bound.value, calendar.value))
    tally.add(case, "certificate: time", MS, 1000 * certified)
    gained = gained_share(fast.value, fifo.value)
    if gained is not None:
        tally.add(case, "value over FIFO", SHARE, gained)
    tally.add(case, "utilization over FIFO", POINTS, 100 * (fast.utilization - fifo.utilization))


def _read(folder: Path | None) -> tuple[list[TraceJob], list[float]]:
    if folder is None:
        raise UnableToReadTraces("say where the public traces are: --traces FOLDER")
    try:
        with (folder / JOBS).open(newline="", encoding="utf-8") as file:
            jobs = [
                TraceJob(float(line["submit_s"]), int(line["gpus"]), float(line["duration_s"]))
                for line in csv.DictReader(file)
            ]
        with (folder / CURVE).open(newline="", encoding="utf-8") as file:
            curve = [float(line["busy_gpu_s"]) for line in csv.DictReader(file)]
    except OSError as error:
        raise UnableToReadTraces(f"{error.filename} cannot be read: {error.strerror}") from error
    except (KeyError, ValueError) as error:
        raise UnableToReadTraces(f"the traces in {folder} are not as expected: {error}") from error
    return jobs, curve
