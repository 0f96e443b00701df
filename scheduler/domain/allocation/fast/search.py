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
    worth_of,
)
from scheduler.domain.allocation.fast.elastic import free_counts
from scheduler.domain.allocation.fast.layers import Layers
from scheduler.domain.allocation.fast.moves import changed, front
from scheduler.domain.allocation.fast.placing import SAME, place_elastic
from scheduler.domain.allocation.fast.pool import DURATION, END, FRONTED, Pool, is_better, keep, open_turn
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
from scheduler.domain.allocation.fast.sequences import copy_orders, copy_placed, copy_plan, start_afresh
from scheduler.domain.allocation.fast.starts import write_by_key
from scheduler.domain.allocation.fast.window import earliest_start


class Course(NamedTuple):
    """How to search: exponents of the starts' ``keys`` (S × 3), ``habits`` of change, ``warmth``; and room for it.

    ``hopes`` (5 × (B + 1)): the most each entry can add, alone, behind the real-time jobs and beside them; room; and
    what it gains per GPU at the prices of the ``market``, found in so many ``rounds``, if any.
    ``hindered``: the jobs that the real-time jobs cost most. ``bases`` (2): the best keys with real-time jobs in front
    and behind. ``scale``: what the mean job can earn.
    """

    keys: Floats
    habits: Ints
    warmth: Floats
    hopes: Floats
    places: Ints
    slack: Ints
    hindered: Ints
    bases: Ints
    rounds: Ints
    market: Market
    state: Words
    scale: Floats


@compiled
def search(
    batch: Batch, elastic: Elastic, is_guaranteed: bool, blocks: Blocks, plans: tuple[Sequence, ...], layers: Layers,
    windows: Words, course: Course, pool: Pool, seed: int, iterations: int,
) -> None:  # fmt: skip
    """Leaves the best plan found from the starts and by the search in the last of ``plans``; worth −∞ if there is none.

    ``plans``: here, trial and best. The first row of ``free`` in the first says what is free.
    """
    here, trial, best = plans
    for plan in plans:
        start_afresh(plan)
    if not here.order.size or not _rooted(batch, elastic, blocks, here, layers, windows, course):
        return
    copy_placed(here, trial)
    entries, is_wide, course.scale[0] = here.order.size, blocks.width[0] > 1, _mean(course.hopes[0])
    orders, starts = _count_starts(course, entries > here.jobs.shape[0] and not is_wide, iterations)
    seed_chance(course.state, seed)
    for step in range(-starts, iterations if here.free.shape[0] > 2 else 0):
        kind, entry, until, bound, least = 0, 0, entries + 1, 3, -np.inf
        if step < 0:
            entry, kind = start_order(batch, elastic, course, trial, step + starts, orders)
        else:
            entry, until, bound, least = _next(
                batch, elastic, is_guaranteed, is_wide, here, trial, course, pool, step, iterations
            )
        upto = -1
        if until > entry:
            hopes = course.hopes[bound]
            upto = decode(batch, elastic, blocks, here, trial, layers, windows, entry, until, hopes, least)
        if step < 0:
            if upto >= 0:
                _note_start(is_guaranteed, trial, best, pool, course.bases, kind, step + starts)
        else:
            _go_on(is_guaranteed, trial, here, best, entry, upto, least)


@inlined
def _next(
    batch: Batch, elastic: Elastic, is_guaranteed: bool, is_wide: bool, here: Sequence, trial: Sequence,
    course: Course, pool: Pool, step: int, iterations: int,
) -> tuple[int, int, int, float]:  # fmt: skip
    """Writes the order of a step to ``trial``: a change, or what the next turn begins with.

    Gives the first entry to decode, the one after the last that differs, which hopes hold, and the least it may be
    worth.
    """
    entries = here.order.size
    entry, until, bound, least = 0, entries + 1, 3, -np.inf
    if step == pool.turn[END]:
        open_turn(is_guaranteed, pool, here, trial, step, iterations)
    else:
        entry, until = changed(
            batch, elastic, here, trial, course.hopes[0], course.slack, course.habits, course.state, is_wide
        )
        bound = _bound(trial)
        left = (pool.turn[END] - step) / pool.turn[DURATION]
        least = here.worth[entries, WORTH] - course.scale[0] * _warmth(course, left)
    return entry, until, bound, least


@inlined
def _note_start(
    is_guaranteed: bool, plan: Sequence, best: Sequence, pool: Pool, bases: Ints, kind: int, at: int
) -> None:
    """Keeps a start that is the best of its kind."""
    worth = plan.worth[plan.order.size]
    if not is_better(is_guaranteed, worth, pool.worth[kind]):
        return
    keep(plan, pool, kind)
    if kind < FRONTED:
        bases[kind] = at
    if is_better(is_guaranteed, worth, best.worth[plan.order.size]):
        copy_plan(plan, best, 0, plan.order.size)


@inlined
def _go_on(
    is_guaranteed: bool, plan: Sequence, here: Sequence, best: Sequence, entry: int, upto: int, least: float
) -> None:
    """Goes on from a plan, decoded from ``entry`` to ``upto``, unless it is worth too little or misses more."""
    last = here.order.size
    is_free = not is_guaranteed or least == -np.inf
    if upto < 0 or not (is_free or plan.worth[last, MISSED] <= here.worth[last, MISSED] + SAME):
        copy_orders(here, plan)
        return
    copy_plan(plan, here, entry, upto)
    if is_better(is_guaranteed, here.worth[last], best.worth[last]):
        copy_plan(here, best, 0, last)


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
    """How many orders there are by keys, twice as many with real-time jobs in front and behind, and how many starts.

    Further ones put a hindered job, or two of them, in front of the best order of either kind.
    """
    orders = course.keys.shape[0] + 1
    if not has_both:
        return orders, orders
    hindered = _find_hindered(course.hopes, course.hindered) if iterations else 0
    return 2 * orders, 2 * (orders + hindered * (hindered + 1) // 2)


@inlined
def _find_hindered(hopes: Floats, hindered: Ints) -> int:
    """Writes the jobs that lose most of what they would earn alone, if they lose any, and gives their number."""
    for place in range(hindered.size):
        most, found = SAME, -1
        for job in range(hopes.shape[1] - 1):
            loss = hopes[0, job] - hopes[1, job]
            is_new = True
            for other in range(place):
                is_new = is_new and job != hindered[other]
            if is_new and loss > most:
                most, found = loss, job
        if found < 0:
            return place
        hindered[place] = found
    return int(hindered.size)


@inlined
def start_order(
    batch: Batch, elastic: Elastic, course: Course, plan: Sequence, at: int, orders: int
) -> tuple[int, int]:
    """Writes the order of start ``at`` and gives its first entry to decode, and its kind.

    By the keys and last by arrival, first with the real-time jobs in front, then behind; after ``orders`` of them the
    best of both, with one job that real-time jobs hinder in front of all, or two.
    """
    waiting, keys = batch.jobs.shape[0], course.keys.shape[0]
    for job in range(waiting):
        plan.jobs[job, RELEASE] = AROUND
    fronted = (at - orders) // 2
    base = at if at < orders else course.bases[at & 1]
    order, first, is_behind = plan.order, plan.order.size - waiting, base > keys
    jobs = order[:waiting] if is_behind else order[first:]
    if is_behind:
        order[waiting] = waiting
    elif first:
        order[0] = waiting
    write_by_key(batch, course.hopes[4], course.keys, base % (keys + 1), course.hopes[3, :waiting], course.places, jobs)
    if at < orders:
        return (0 if is_behind or waiting == 0 else first), (int(is_behind) if first else at & 1)
    one, other = 0, 0
    for _ in range(fronted):
        one += 1
        if one > other:
            one, other = 0, other + 1
    front(batch, elastic, plan, course.slack, course.hindered[one], course.hindered[other])
    return 0, FRONTED + fronted


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
