"""Making and copying the orders that the search decodes."""

import numpy as np

from scheduler.domain.allocation.fast.blocks import Blocks, Words, all_free, copy_words, take
from scheduler.domain.allocation.fast.compiling import inlined, linked
from scheduler.domain.allocation.fast.decode import (
    ANY,
    AROUND,
    CHOICE,
    MISSED,
    RELEASE,
    START,
    UNPLACED,
    WORTH,
    Sequence,
)
from scheduler.domain.allocation.fast.layers import PLACED
from scheduler.domain.allocation.fast.question import Ints, Question


def sequence_for(question: Question, snapshots: int, words: int, leases: int) -> Sequence:
    """Room for one order."""
    waiting, elastic = question.batch.jobs.shape[0], question.elastic.jobs.shape[0]
    entries, steps = waiting + min(elastic, 1), question.batch.weight_sums.size - 1
    return Sequence(
        order=np.empty(entries, np.int64),
        elastic_order=np.empty(elastic, np.int64),
        jobs=np.empty((waiting, 5), np.int64),
        worth=np.empty((entries + 1, 2)),
        free=np.empty((snapshots, steps * words), np.uint64),
        placed=np.empty((leases, 4), np.int64),
        numbers=np.zeros(4, np.int64),
    )


@inlined
def start_afresh(plan: Sequence) -> None:
    """Writes the order to begin with, the real-time jobs first and then the waiting ones as they come, not decoded."""
    waiting, entries = plan.jobs.shape[0], plan.order.size
    for at in range(entries):
        plan.order[at] = at - (entries - waiting)
    if entries > waiting:
        plan.order[0] = waiting
    for row in range(plan.elastic_order.size):
        plan.elastic_order[row] = row
    for job in range(waiting):
        plan.jobs[job, RELEASE], plan.jobs[job, CHOICE], plan.jobs[job, START] = AROUND, ANY, UNPLACED
    plan.worth[0, WORTH], plan.worth[0, MISSED] = 0.0, 0.0
    plan.worth[entries, WORTH], plan.worth[entries, MISSED] = -np.inf, 0.0


@inlined
def open_fleet(question: Question, blocks: Blocks, free: Words) -> None:
    """Writes what the running jobs leave to ``free``."""
    all_free(blocks, free)
    for at in range(question.held.shape[0]):
        take(blocks, free, question.held[at, 0], question.held[at, 1], 0, question.held[at, 2])


@linked
def copy_orders(source: Sequence, target: Sequence) -> None:
    """What ``target`` is to decode becomes that of ``source``."""
    copy_row(source.order, target.order)
    copy_row(source.elastic_order, target.elastic_order)
    for job in range(source.jobs.shape[0]):
        target.jobs[job, RELEASE], target.jobs[job, CHOICE] = source.jobs[job, RELEASE], source.jobs[job, CHOICE]


@inlined
def copy_placed(source: Sequence, target: Sequence) -> None:
    """The real-time jobs' leases become those of ``source``."""
    for lease in range(source.numbers[PLACED]):
        copy_row(source.placed[lease], target.placed[lease])
    copy_row(source.numbers, target.numbers)


@linked
def copy_plan(source: Sequence, target: Sequence, entry: int, until: int) -> None:
    """``target`` becomes ``source`` with all it was decoded to.

    What stands before ``entry`` is the same already, and so is what comes after ``until`` but for its worth.
    """
    entries, waiting = source.order.size, source.jobs.shape[0]
    gain = source.worth[entries, WORTH] - target.worth[entries, WORTH]
    more = source.worth[entries, MISSED] - target.worth[entries, MISSED]
    keeps = target.free.shape[0] > 2
    copy_row(source.elastic_order, target.elastic_order)
    for at in range(entry, until):
        item = source.order[at]
        target.order[at] = item
        copy_row(source.worth[at + 1], target.worth[at + 1])
        if item == waiting:
            copy_placed(source, target)
        else:
            copy_row(source.jobs[item], target.jobs[item])
        if keeps:
            copy_words(source.free[at + 1], target.free[at + 1])
    for at in range(until + 1, entries + 1):
        target.worth[at, WORTH] += gain
        target.worth[at, MISSED] += more


@inlined
def copy_row(source: Ints, target: Ints) -> None:
    """``target`` becomes ``source``, as long as it."""
    for at in range(source.size):
        target[at] = source[at]
