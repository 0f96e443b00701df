"""The starts and the local search over orders, in steps that are decoded only from the first entry they change."""

from typing import NamedTuple

import numpy as np

from scheduler.domain.allocation.fast.blocks import Blocks, Words, copy_words
from scheduler.domain.allocation.fast.chance import drawn, seed_chance
from scheduler.domain.allocation.fast.compiling import compiled, inlined, linked
from scheduler.domain.allocation.fast.decode import (
    AROUND,
    MISSED,
    RELEASE,
    WORTH,
    Sequence,
    decode,
    place_elastic,
    worth_of,
)
from scheduler.domain.allocation.fast.elastic import free_counts
from scheduler.domain.allocation.fast.layers import Layers
from scheduler.domain.allocation.fast.moves import changed, front
from scheduler.domain.allocation.fast.prices import Market, find_gains, open_market
from scheduler.domain.allocation.fast.question import (
    ARRIVAL,
    LATEST_END,
    LENGTH,
    LEVEL,
    MODE_FROM,
    MODE_TO,
    Batch,
    Elastic,
    Floats,
    Ints,
)
from scheduler.domain.allocation.fast.sequences import copy_orders, copy_plan, copy_row, start_afresh
from scheduler.domain.allocation.fast.starts import find_keys, sort_by
from scheduler.domain.allocation.fast.window import earliest_start

SAME = 1e-12
"""Values that differ by less differ by rounding."""
NEAR = 1e-9
"""The same for sums in different orders."""


class Course(NamedTuple):
    """How to search: exponents of the starts' ``keys`` (S × 3), ``habits`` of change, ``warmth``; and room for it.

    ``hopes`` (5 × (B + 1)): the most each entry can add, alone, behind the real-time jobs and beside them; room; and
    what it gains per GPU at the prices of the ``market``, found in so many ``rounds``, if any.
    ``hindered``: the jobs that the real-time jobs cost most. ``turns``: how many plans the search goes on from.
    ``scale``: what the mean job can earn.
    """

    keys: Floats
    habits: Ints
    warmth: Floats
    hopes: Floats
    places: Ints
    slack: Ints
    hindered: Ints
    turns: Ints
    rounds: Ints
    market: Market
    state: Words
    scale: Floats


@compiled
def search(
    batch: Batch, elastic: Elastic, is_guaranteed: bool, blocks: Blocks, plans: tuple[Sequence, ...], layers: Layers,
    windows: Words, course: Course, seed: int, iterations: int,
) -> None:  # fmt: skip
    """Leaves the best plan found from the starts and by the search in the last of ``plans``; worth −∞ if there is none.

    ``plans``: here, trial, second and best. The first row of ``free`` in the first says what is free. With two turns
    the search goes on from the best start, then for as many steps from the second best that is worth something else.
    """
    here, trial, second, best = plans
    for plan in plans:
        start_afresh(plan)
    if not here.order.size or not _rooted(batch, elastic, blocks, here, layers, windows, course):
        return
    entries, is_wide, course.scale[0] = here.order.size, blocks.width[0] > 1, _mean(course.hopes[0])
    orders, starts = _count_starts(course, entries > here.jobs.shape[0] and not is_wide, iterations)
    seed_chance(course.state, seed)
    for step in range(-starts, iterations if here.free.shape[0] > 2 else 0):
        if step < 0:
            entry = start_order(batch, elastic, course, trial, (step + starts) % orders, (step + starts) // orders)
            until, bound, least = entries + 1, 3, -np.inf
        else:
            entry, until, bound, least = _next(batch, elastic, is_wide, here, trial, second, course, step, iterations)
        upto = -1
        if until > entry:
            hopes = course.hopes[bound]
            upto = decode(batch, elastic, blocks, here, trial, layers, windows, entry, until, hopes, least)
        if upto >= 0 and is_welcome(is_guaranteed, trial, here, second, step < 0, least):
            copy_plan(trial, here, entry, upto)
            if is_better(is_guaranteed, here, best):
                copy_plan(here, best, 0, entries)
        else:
            copy_orders(here, trial)


@inlined
def _next(
    batch: Batch, elastic: Elastic, is_wide: bool, here: Sequence, trial: Sequence, second: Sequence, course: Course,
    step: int, iterations: int,
) -> tuple[int, int, int, float]:  # fmt: skip
    """Writes the order of a step to ``trial``: a change, or where another turn begins the second start, if any.

    Gives the first entry to decode, the one after the last that differs, which hopes hold, and the least it may be
    worth.
    """
    entries, part = here.order.size, max(1, iterations // course.turns[0])
    entry, until, bound, least = 0, entries + 1, 3, -np.inf
    if step > 0 and step % part == 0 and second.worth[entries, WORTH] > -np.inf:
        copy_orders(second, trial)
        second.worth[entries, WORTH] = -np.inf
    else:
        entry, until = changed(
            batch, elastic, here, trial, course.hopes[0], course.slack, course.habits, course.state, is_wide
        )
        bound = _bound(trial)
        least = here.worth[entries, WORTH] - course.scale[0] * _warmth(course, 1.0 - step % part / part)
    return entry, until, bound, least


@inlined
def is_welcome(
    is_guaranteed: bool, plan: Sequence, here: Sequence, second: Sequence, is_start: bool, least: float
) -> bool:
    """Whether the search goes on from a plan that isn't worth too little: a start has to be better than the best.

    Notes the order of the ``second`` best start by value.
    """
    last = plan.order.size
    if not is_start:
        is_free = not is_guaranteed or least == -np.inf
        return is_free or plan.worth[last, MISSED] <= here.worth[last, MISSED] + SAME
    is_best = is_better(is_guaranteed, plan, here)
    is_other = abs(plan.worth[last, WORTH] - here.worth[last, WORTH]) > NEAR
    if is_other and (is_best or is_better(is_guaranteed, plan, second)):
        other = here if is_best else plan
        copy_orders(other, second)
        copy_row(other.worth[last], second.worth[last])
    return is_best


@inlined
def _bound(plan: Sequence) -> int:
    """Which hopes hold: those beside the real-time jobs where they come first, or are left the GPUs they want."""
    at, waiting = 0, plan.jobs.shape[0]
    if plan.order.size == waiting or plan.order[0] == waiting:
        return 1
    while plan.order[at] != waiting and plan.jobs[plan.order[at], RELEASE] == AROUND:
        at += 1
    return 2 if plan.order[at] == waiting else 0


@inlined
def _warmth(course: Course, left: float) -> float:
    """How much of the mean job's worth a change may lose, with ``left`` of the search to come."""
    return course.warmth[0] * left * drawn(course.state, 1024) / 1024.0 + SAME


@inlined
def _mean(hopes: Floats) -> float:
    total = 0.0
    for job in range(hopes.size - 1):
        total += hopes[job]
    return total / max(1, hopes.size - 1)


@inlined
def _rooted(
    batch: Batch, elastic: Elastic, blocks: Blocks, here: Sequence, layers: Layers, windows: Words, course: Course
) -> bool:
    """Places the real-time jobs alone, if any, as the first entry of ``here``, and finds what may be hoped for then."""
    first, missed = min(1, elastic.jobs.shape[0]), 0.0
    if first:
        copy_words(here.free[0], here.free[1])
        missed = place_elastic(
            elastic, blocks, layers, here.free[1], here.elastic_order, here.placed, here.numbers, np.inf
        )
        here.worth[1, WORTH], here.worth[1, MISSED] = -missed, missed
        for step in range(layers.room.size):
            for row in range(elastic.jobs.shape[0]):
                layers.reserve[1, step] += layers.counts[row, step]
    if course.rounds[0]:
        open_market(batch, course.market, course.places)
        free_counts(blocks, here.free[0], course.market.room)
        find_gains(batch, elastic, course.market, course.rounds[0], course.hopes[4])
    if here.free.shape[0] > 2:
        find_hopes(batch, blocks, windows, here.free[0], layers.reserve[0], course.hopes[0])
        find_hopes(batch, blocks, windows, here.free[first], layers.reserve[0], course.hopes[1])
        find_hopes(batch, blocks, windows, here.free[0], layers.reserve[1], course.hopes[2])
        free_counts(blocks, here.free[first], course.slack)
    return missed >= 0


@inlined
def _count_starts(course: Course, has_both: bool, iterations: int) -> tuple[int, int]:
    """How many orders there are, twice as many with real-time jobs in front and behind, and how many starts of them."""
    orders = course.keys.shape[0] + 1
    if not has_both:
        return orders, orders
    hindered = _find_hindered(course.hopes, course.hindered) if iterations else 0
    return 2 * orders, 2 * orders * (1 + hindered)


@inlined
def _find_hindered(hopes: Floats, hindered: Ints) -> int:
    """Writes the jobs that lose most of what they would earn alone, if they lose any, and gives their number."""
    for place in range(hindered.size):
        most, found = SAME, -1
        for job in range(hopes.shape[1] - 1):
            loss = hopes[0, job] - hopes[1, job]
            if loss > most and (place == 0 or job != hindered[0]):
                most, found = loss, job
        if found < 0:
            return place
        hindered[place] = found
    return int(hindered.size)


@inlined
def start_order(batch: Batch, elastic: Elastic, course: Course, plan: Sequence, at: int, fronted: int) -> int:
    """Writes the order of start ``at`` and gives its first entry to decode.

    By the keys and last by arrival, first with the real-time jobs in front, then behind; where ``fronted`` isn't 0 with
    a job that they hinder in front of all.
    """
    waiting, key = batch.jobs.shape[0], at % (course.keys.shape[0] + 1)
    order, first, is_behind = plan.order, plan.order.size - waiting, at > course.keys.shape[0]
    jobs = order[:waiting] if is_behind else order[first:]
    if is_behind:
        order[waiting] = waiting
    elif first:
        order[0] = waiting
    if key < course.keys.shape[0]:
        keys = course.hopes[3, :waiting]
        for place in range(waiting):
            jobs[place] = place
        find_keys(batch, course.hopes[4], course.keys[key], keys)
        sort_by(keys, course.places, jobs)
        keys[:] = 0.0
    else:
        for place in range(waiting):
            jobs[place] = batch.by_arrival[place]
    if fronted:
        front(batch, elastic, plan, course.slack, course.hindered[fronted - 1])
    return 0 if is_behind or fronted or waiting == 0 else first


@linked
def find_hopes(batch: Batch, blocks: Blocks, windows: Words, free: Words, reserve: Ints, hopes: Floats) -> None:
    """Writes the most each waiting job can earn in what is free, and nothing for the real-time jobs."""
    for job in range(batch.jobs.shape[0]):
        hopes[job], begin = 0.0, batch.jobs[job, ARRIVAL]
        for mode in range(batch.jobs[job, MODE_FROM], batch.jobs[job, MODE_TO]):
            level, length = batch.modes[mode, LEVEL], batch.modes[mode, LENGTH]
            last = min(reserve.size - 1, batch.jobs[job, LATEST_END] - length)
            start = earliest_start(blocks, free, reserve, level, length, begin, last, windows[0])
            if start >= 0:
                hopes[job] = max(hopes[job], worth_of(batch, mode, start))
    hopes[batch.jobs.shape[0]] = 0.0


@inlined
def is_better(is_guaranteed: bool, plan: Sequence, other: Sequence) -> bool:
    """Whether a decoded plan is worth more, or first misses less where that comes first."""
    last = plan.order.size
    missed = plan.worth[last, MISSED] - other.worth[last, MISSED]
    if is_guaranteed and abs(missed) > SAME and other.worth[last, WORTH] > -np.inf:
        return missed < 0
    return plan.worth[last, WORTH] > other.worth[last, WORTH] + SAME
