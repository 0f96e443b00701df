"""What a reason's sentence claims, read from its words and held against the grid cell by cell, without the product."""

import re
from typing import Any

import numpy as np

CLOCK = r"(\d+:\d\d(?::\d\d)?|step \d+)"
SPAN = rf"{CLOCK}–{CLOCK}"
NAMED = re.compile(rf"([^\s,(]+) \({SPAN}\)")


def step_of(words: str, minutes: float) -> int:
    """The step that a time names."""
    if words.startswith("step "):
        return int(words.removeprefix("step "))
    parts = [int(part) for part in words.split(":")] + [0]
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
    step = seconds / (minutes * 60)
    assert step == int(step), words
    return int(step)


def blocks(instance: Any, size: int) -> list[range]:
    """Every block of a size that the nodes and the kind of blocks allow, found by trying all."""
    nodes = instance.nodes or (instance.gpus,)
    owner = [node for node, gpus in enumerate(nodes) for _ in range(gpus)]
    found = []
    for first in range(instance.gpus - size + 1):
        block = range(first, first + size)
        touched = sorted({owner[gpu] for gpu in block})
        begin = sum(nodes[: touched[0]])
        if len(touched) == 1 and size <= nodes[touched[0]]:
            if instance.blocks == "contiguous" or (first - begin) % size == 0:
                found.append(block)
        elif (
            first == begin
            and len({nodes[node] for node in touched}) == 1
            and sum(nodes[node] for node in touched) == size
        ):
            found.append(block)
    return found


def choices(instance: Any, job: Any, before: int) -> list[tuple[int, range, int, Any]]:
    """(start, block, end within the horizon, mode) of everything the job could have had before a step."""
    found = []
    for mode in job.modes:
        for start in range(job.arrival, min(before, instance.steps)):
            if job.latest_end is None or start + mode.steps <= job.latest_end:
                end = min(start + mode.steps, instance.steps)
                found += [(start, block, end, mode) for block in blocks(instance, mode.gpus)]
    return found


def holders(instance: Any, grid: Any, at: int, choice: tuple[int, range, int, Any]) -> set[int]:
    """Which other jobs hold a cell of it."""
    start, block, end, _ = choice
    cells = {int(grid[gpu, step]) for gpu in block for step in range(start, end)}
    return cells - {-1, at}


def worth(instance: Any, job: Any, choice: tuple[int, range, int, Any]) -> float:
    """p · paid share · Σ 2^(−t ÷ half-life) over its cells."""
    start, block, end, mode = choice
    life = instance.objective.half_life_steps
    smallest = min(one.gpus * one.steps for one in job.modes)
    weight = sum(1.0 if life is None else 2.0 ** (-step / life) for step in range(start, end))
    return job.priority * smallest / (mode.gpus * mode.steps) * len(block) * weight


def check_batch(instance: Any, grid: Any, at: int, reason: Any) -> str:
    """Whether the sentence on a batch-like job is true of the grid; gives the kind of claim that was checked."""
    job, told, clock = instance.jobs[at], reason.sentence, instance.step_minutes
    steps = np.flatnonzero((grid == at).any(axis=0))
    start = int(steps[0]) if len(steps) else None
    if told == "Was running already and keeps its block.":
        assert job.running is not None
        assert start == 0
        return "inherited"
    assert job.running is None
    if told == "Starts as soon as it arrives.":
        assert start == job.arrival
        return "at once"
    sooner = choices(instance, job, instance.steps if start is None else start)
    if found := re.fullmatch(rf"Arrives at {CLOCK}, when the horizon is over\.", told):
        assert step_of(found[1], clock) == job.arrival >= instance.steps
        return "never here"
    if re.fullmatch(rf"Needs (\d+) steps? from its arrival at {CLOCK}, too long to end by {CLOCK}\.", told):
        assert start is None
        assert min(mode.steps for mode in job.modes) + job.arrival > job.latest_end
        return "too late"
    if told.startswith("No node, and no run of equal nodes, holds a block of"):
        assert not sooner
        return "no block"
    if told.startswith("Could not have started before"):
        assert not sooner
        return "not before"
    if told.startswith("A block of"):
        return check_left(instance, grid, at, start, sooner, told)
    return check_blocked(instance, grid, at, start, sooner, reason)


def check_left(instance: Any, grid: Any, at: int, start: int | None, sooner: list[Any], told: str) -> str:
    """A block was free: it was, of that size and then, and what is said of its worth is so."""
    job, clock = instance.jobs[at], instance.step_minutes
    found = re.match(rf"A block of (\d+) GPUs? stands free for it at {CLOCK}", told)
    assert found, told
    size, when = int(found[1]), step_of(found[2], clock)
    there = [one for one in sooner if one[0] == when and len(one[1]) == size]
    free = [one for one in there if not holders(instance, grid, at, one)]
    assert free
    best = max(worth(instance, job, one) for one in sooner if not holders(instance, grid, at, one))
    said = [float(number) for number in re.findall(r"earns?(?: the same)? (\d+(?:\.\d+)?(?:e-\d+)?)", told)]
    if start is None:
        assert told.endswith("this plan leaves it out.")
        assert abs(said[0] - best) <= 0.06 + 0.05 * best
        return "left out"
    gpus = int((grid[:, start] == at).sum())
    mode = next(mode for mode in job.modes if mode.gpus == gpus)
    now = worth(instance, job, (start, range(gpus), min(start + mode.steps, instance.steps), mode))
    if "earns the same" in told:
        assert abs(best - now) < 1e-6 * max(1.0, now)
    elif "but that would earn" in told:
        assert best < now
        assert said == sorted(said)
    else:
        assert best > now
        assert told.endswith("this plan does not use it.")
    return "left"


def check_blocked(instance: Any, grid: Any, at: int, start: int | None, sooner: list[Any], reason: Any) -> str:
    """Every earlier choice has a cell of a named job within its named steps, and no named job is to spare."""
    job, clock, told = instance.jobs[at], instance.step_minutes, reason.sentence
    sizes = r"[\d, or]+"
    head = re.match(rf"(From|Before) {CLOCK}(?: on)? no block of ({sizes}) GPUs? stays free long enough: ", told)
    assert head, told
    assert sorted({mode.gpus for mode in job.modes}) == [int(size) for size in re.findall(r"\d+", head[3])]
    when = step_of(head[2], clock)
    assert (when == start) if head[1] == "Before" else (start is None and when == min(one[0] for one in sooner))
    named = [(name, step_of(low, clock), step_of(high, clock)) for name, low, high in NAMED.findall(told)]
    others = re.search(r" and (\d+) others? are in the way", told)
    assert len(named) + (int(others[1]) if others else 0) == len(reason.blockers)
    assert named == [(one.id, one.start, one.end) for one in reason.blockers][: len(named)]
    ids = {one.id: place for place, one in enumerate(instance.jobs)}
    windows = {ids[one.id]: (one.start, one.end) for one in reason.blockers}
    for name, low, high in named:
        held = (grid == ids[name]).any(axis=0)
        assert held[low]
        assert held[high - 1]
    assert sooner
    in_the_way = [obstructing(grid, windows, choice) for choice in sooner]
    assert all(in_the_way)
    for blocker in windows:
        assert {blocker} in in_the_way, f"{blocker} could be left out"
    return "blocked"


def obstructing(grid: Any, windows: dict[int, tuple[int, int]], choice: tuple[int, range, int, Any]) -> set[int]:
    """The named jobs that hold a cell of a choice within their named steps."""
    start, block, end, _ = choice
    cells = {(int(grid[gpu, step]), step) for gpu in block for step in range(start, end)}
    return {job for job, step in cells if job in windows and windows[job][0] <= step < windows[job][1]}


def check_realtime(instance: Any, grid: Any, at: int, reason: Any) -> str:
    """Whether the sentence on a real-time job is true: how much it lacks, and at every step why."""
    job, told, clock = instance.jobs[at], reason.sentence, instance.step_minutes
    held = [set(np.flatnonzero(grid[:, step] == at).tolist()) for step in range(instance.steps)]
    short = {step: job.demand[step] - len(held[step]) for step in range(instance.steps)}
    short = {step: count for step, count in short.items() if count > 0}
    if not short:
        assert told in ("Has all the GPUs it wants at every step.", "Wants no GPU at any step.")
        assert any(job.demand) == told.startswith("Has")
        return "served"
    found = re.match(r"Lacks (\d+) GPU-steps? of what it wants: (.*)\.$", told)
    assert found, told
    assert int(found[1]) == sum(short.values())
    seen: list[int] = []
    for cause in found[2].split("; "):
        steps = claimed_steps(cause, clock, set(short))
        seen += steps
        for step in steps:
            check_cause(instance, grid, at, held, step, cause)
    parts = {step for part in reason.lacking for step in part.steps}
    assert parts == set(short)
    assert set(seen) == set(short)
    return "short"


def claimed_steps(cause: str, clock: float, short: set[int]) -> list[int]:
    """The steps a cause names; where it only counts them, those short ones that no other cause can have."""
    if counted := re.match(rf"at (\d+) steps between {CLOCK} and {CLOCK} ", cause):
        low, high = step_of(counted[2], clock), step_of(counted[3], clock)
        inside = [step for step in short if low <= step < high]
        assert len(inside) >= int(counted[1])
        return inside if len(inside) == int(counted[1]) else []
    head = cause.split(" no GPU")[0].split(" one more")[0].split(" it has all")[0].split(" a GPU stands")[0]
    spans = re.findall(SPAN, head)
    assert spans, cause
    return [step for low, high in spans for step in range(step_of(low, clock), step_of(high, clock))]


def check_cause(instance: Any, grid: Any, at: int, held: list[set[int]], step: int, cause: str) -> None:
    """One cause at one step."""
    job = instance.jobs[at]
    free = {gpu for gpu in range(instance.gpus) if grid[gpu, step] == -1}
    neighbours = [held[step + 1]] if step + 1 < instance.steps else []
    if step > 0:
        neighbours.append(held[step - 1])
    elif job.inherited is not None:
        neighbours.append(set(job.inherited))
    could = [gpu for gpu in free if all(len((held[step] | {gpu}) ^ beside) <= job.swap_cap for beside in neighbours)]
    if "no GPU is free, the others are held by" in cause:
        assert not free
        rest = {instance.jobs[int(one)].id for one in np.unique(grid[:, step]) if one not in (-1, at)}
        named = re.findall(r"[^\s,]+", cause.split("held by ")[1].replace(" and ", ", "))
        if "other" not in cause.split("held by ")[1]:
            assert rest <= {name.rstrip(",") for name in named}
    elif "swap cap" in cause:
        assert free
        assert not could
        assert f"swap cap of {job.swap_cap} GPU" in cause
    elif "it has all" in cause:
        assert held[step] == set(range(instance.gpus))
    else:
        assert "a GPU stands free that it could have" in cause
        assert could
