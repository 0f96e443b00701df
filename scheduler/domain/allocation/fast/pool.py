"""The starts that the search goes on from: the best of each kind, for a short time each, then those that came furthest.

Which start leads to the best plan can't be told from what it is worth at first. Half of what is far behind is lost
where a kind of plan (real-time jobs first, last, or after jobs that they would keep out) is never gone on from.
"""

from typing import NamedTuple

import numpy as np

from scheduler.domain.allocation.fast.compiling import inlined, linked
from scheduler.domain.allocation.fast.decode import CHOICE, MISSED, RELEASE, WORTH, Sequence
from scheduler.domain.allocation.fast.placing import SAME
from scheduler.domain.allocation.fast.question import Floats, Ints
from scheduler.domain.allocation.fast.sequences import copy_row

NEAR = 1e-9
"""The same as ``SAME`` for sums in different orders."""
IN_FRONT, BEHIND, FRONTED = 0, 1, 2
"""Kinds: the real-time jobs first; last; from here on, jobs that they hinder before them."""
KINDS = 8
FRESH, TRIED, DONE = 0, 1, 2
"""Of what is kept: not gone on from, gone on from for a short time, and for a long one."""
KIND, END, DURATION, NUMBER, ALL = 0, 1, 2, 3, 4
"""Entries of ``Pool.turn``: whose turn it is, when it ends, its steps, turns so far, and how many kinds there are."""


class Pool(NamedTuple):
    """An order of each of K kinds: ``orders`` (K × E), ``elastic`` (K × R), ``jobs`` (K × B × 2); see ``Sequence``.

    ``worth`` (K × 2): −∞ where there is none. ``state`` (K). ``turn`` (5). ``turns`` (2): short ones and long ones;
    ``short`` (1): the share of all steps that the short ones take together.
    """

    orders: Ints
    elastic: Ints
    jobs: Ints
    worth: Floats
    state: Ints
    turn: Ints
    turns: Ints
    short: Floats


def pool_for(entries: int, elastic: int, waiting: int, turns: tuple[int, int], short: float) -> Pool:
    """Room for an order of each kind."""
    return Pool(
        np.empty((KINDS, entries), np.int64), np.empty((KINDS, elastic), np.int64),
        np.empty((KINDS, waiting, 2), np.int64), np.full((KINDS, 2), -np.inf), np.zeros(KINDS, np.int64),
        np.zeros(5, np.int64), np.array(turns), np.array([short]),
    )  # fmt: skip


@linked
def keep(plan: Sequence, pool: Pool, kind: int) -> None:
    """Keeps the order of a decoded plan."""
    copy_row(plan.order, pool.orders[kind])
    copy_row(plan.elastic_order, pool.elastic[kind])
    for job in range(plan.jobs.shape[0]):
        pool.jobs[kind, job, 0], pool.jobs[kind, job, 1] = plan.jobs[job, RELEASE], plan.jobs[job, CHOICE]
    copy_row(plan.worth[plan.order.size], pool.worth[kind])


@linked
def open_turn(is_guaranteed: bool, pool: Pool, here: Sequence, trial: Sequence, step: int, iterations: int) -> None:
    """Keeps where a turn has come to, and writes the order of the next one to ``trial``."""
    turn = pool.turn
    if step == 0:
        turn[ALL] = _count_kinds(pool)
    else:
        keep(here, pool, turn[KIND])
    short = min(pool.turns[0], turn[ALL]) if turn[ALL] > 1 else 0
    if turn[NUMBER] < short:
        turn[KIND] = _most_promising(is_guaranteed, pool, TRIED)
        turn[DURATION] = max(1, int(iterations * pool.short[0]) // short)
    else:
        turn[KIND] = _most_promising(is_guaranteed, pool, DONE)
        left = short + min(pool.turns[1], turn[ALL]) - turn[NUMBER]
        turn[DURATION] = max(1, (iterations - step) // max(1, left))
    turn[END] = step + turn[DURATION]
    turn[NUMBER] += 1
    kind = turn[KIND]
    copy_row(pool.orders[kind], trial.order)
    copy_row(pool.elastic[kind], trial.elastic_order)
    for job in range(trial.jobs.shape[0]):
        trial.jobs[job, RELEASE], trial.jobs[job, CHOICE] = pool.jobs[kind, job, 0], pool.jobs[kind, job, 1]


@inlined
def _count_kinds(pool: Pool) -> int:
    """How many plans are kept that are worth something else than those before them; forgets the others."""
    number = 0
    for kind in range(KINDS):
        worth = pool.worth[kind, WORTH]
        for other in range(kind):
            if worth > -np.inf and abs(worth - pool.worth[other, WORTH]) <= NEAR:
                pool.worth[kind, WORTH] = -np.inf
        number += pool.worth[kind, WORTH] > -np.inf
    return number


@inlined
def _most_promising(is_guaranteed: bool, pool: Pool, state: int) -> int:
    """The best of those kept whose state is below ``state``, which it becomes; the last one again if there is none."""
    best = -1
    for kind in range(KINDS):
        is_open = pool.state[kind] < state and pool.worth[kind, WORTH] > -np.inf
        if is_open and (best < 0 or is_better(is_guaranteed, pool.worth[kind], pool.worth[best])):
            best = kind
    if best < 0:
        return int(pool.turn[KIND])
    pool.state[best] = state
    return best


@inlined
def is_better(is_guaranteed: bool, worth: Floats, other: Floats) -> bool:
    """Whether a value and shortfall are better: worth more, or first missing less where that comes first."""
    missed = worth[MISSED] - other[MISSED]
    if is_guaranteed and abs(missed) > SAME and other[WORTH] > -np.inf:
        return bool(missed < 0)
    return bool(worth[WORTH] > other[WORTH] + SAME)
