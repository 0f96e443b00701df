"""Fast mode from an instance to a grid: FIFO's plan, the starts, the search, and the best of them drawn."""

import numpy as np

from scheduler.domain.allocation.fast.bits import WORD
from scheduler.domain.allocation.fast.blocks import Blocks, Words, blocks_for, copy_words, find_blocks
from scheduler.domain.allocation.fast.compiling import compiled, inlined
from scheduler.domain.allocation.fast.decode import GPU, MODE, START, Sequence
from scheduler.domain.allocation.fast.elastic import find_least
from scheduler.domain.allocation.fast.first_in import decode_fifo
from scheduler.domain.allocation.fast.layers import PLACED, Layers, layers_for, lease_limit
from scheduler.domain.allocation.fast.pool import pool_for
from scheduler.domain.allocation.fast.prices import market_for
from scheduler.domain.allocation.fast.question import (
    GPUS,
    IS_GUARANTEED,
    LENGTH,
    LEVEL,
    MODE_FROM,
    Floats,
    Ints,
    Names,
    Question,
    question_of,
)
from scheduler.domain.allocation.fast.search import Course, search
from scheduler.domain.allocation.fast.sequences import open_fleet, sequence_for, start_afresh
from scheduler.domain.allocation.fast.starts import KEYS, KEYS_ABOVE
from scheduler.domain.allocation.grid import FREE, Grid
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode, Objective, RealtimeJob

SNAPSHOT_BYTES = 4_000_000
"""Room that may be taken to keep what is free before each job; where it doesn't suffice there is no search."""
ROUNDING = 1e-9
"""The share by which a plan has to beat FIFO's to be sure to be better."""
ITERATIONS, ITERATIONS_CONTENDED, ITERATIONS_ABOVE = 650, 4_000, 400
"""Steps of search; for a question of more than LARGE jobs × steps that asks for much of the fleet; above 64 GPUs."""
LARGE = 512
CONTENDED_FROM = 0.75
"""Share of the fleet's steps that is asked for from which on jobs are taken to be in each other's way."""
TURNS, TURNS_LARGE, SHORT = (4, 2), (0, 1), 0.4
"""Starts that the search goes on from for a short time and for a long one, also where a question is large, and the
share of all steps that the short turns take."""
WARMTH, WARMTH_CONTENDED = 0.1, 0.2
"""What a change may lose at first, in shares of the mean job's worth."""
PRICINGS, PRICINGS_SMALL = 20, 12
"""Rounds in which prices are found, above 64 GPUs and up to there."""
HINDERED = 3
"""Jobs that starts put in front of the real-time jobs, one or two at a time."""
HABITS = np.array([266, 408, 586, 639, 887, 930, 944])
HABITS_CONTENDED = np.array([360, 682, 794, 847, 921, 946, 963])
"""Of the kinds of change where much is asked: above all jobs moved forwards and elsewhere."""


def planned_grid(instance: Instance, *, seed: int = 0, iterations: int | None = None) -> Grid:
    """The grid of ``fast_grid``."""
    question, names = question_of(instance)
    if iterations is None:
        iterations = iterations_for(question)
    habits, warmth = (HABITS_CONTENDED, WARMTH_CONTENDED) if is_contended(question) else (HABITS, WARMTH)
    return grid_for(question, names, seed, iterations, habits, warmth)


def iterations_for(question: Question) -> int:
    """Steps of search that take about a millisecond at 8 GPUs, three at 64, and fifteen where much is asked."""
    if question.shape[GPUS] > WORD:
        return ITERATIONS_ABOVE
    return ITERATIONS_CONTENDED if is_contended(question) else ITERATIONS


def is_contended(question: Question) -> bool:
    """Whether a question that is large, but not beyond a word of GPUs, asks for much of the fleet."""
    gpus, steps = int(question.shape[GPUS]), question.batch.weight_sums.size - 1
    if gpus > WORD or (question.batch.jobs.shape[0] + 1) * steps <= LARGE:
        return False
    modes, sizes = question.batch.modes, question.batch.jobs[:, MODE_FROM]
    cells = np.sum((1 << modes[sizes, LEVEL]) * modes[sizes, LENGTH]) + np.sum(question.elastic.demand)
    return bool(gpus <= WORD and (len(sizes) + 1) * steps > LARGE and cells > CONTENDED_FROM * gpus * steps)


def grid_for(
    question: Question,
    names: Names,
    seed: int,
    iterations: int,
    habits: Ints = HABITS,
    warmth: float = WARMTH,
    keys: Floats | None = None,
) -> Grid:
    """Makes room, plans, and gives the grid."""
    gpus, steps = int(question.shape[GPUS]), question.batch.weight_sums.size - 1
    waiting, blocks = question.batch.jobs.shape[0], blocks_for(gpus)
    find_blocks(question, blocks)
    words, leases = int(blocks.width[0]), lease_limit(question.elastic)
    layers = layers_for(question.elastic, gpus, leases, words)
    entries = waiting + min(1, question.elastic.jobs.shape[0])
    snapshots = entries + 1 if iterations and 8 * words * steps * (entries + 1) <= SNAPSHOT_BYTES else 2
    here = sequence_for(question, snapshots, words, leases)
    trial = sequence_for(question, snapshots, words, leases)
    best, fifo = [sequence_for(question, 1, words, leases) for _ in range(2)]
    if keys is None:
        keys = KEYS if gpus <= WORD else KEYS_ABOVE
    course = Course(
        keys, habits, np.array([warmth]), np.zeros((5, waiting + 1)),
        np.empty((2, question.batch.rates.size), np.int64), np.zeros(steps, np.int64), np.empty(HINDERED, np.int64),
        np.zeros(2, np.int64),
        np.array([PRICINGS if gpus > WORD else PRICINGS_SMALL]), market_for(question.batch), np.empty(1, np.uint64),
        np.empty(1),
    )  # fmt: skip
    batch, elastic, is_guaranteed = question.batch, question.elastic, bool(question.shape[IS_GUARANTEED])
    windows = np.empty((4, words), np.uint64)
    open_with_fifo(question, blocks, here, fifo, layers, windows)
    plans = (here, trial, best)
    turns = TURNS if entries * steps <= LARGE else TURNS_LARGE
    pool = pool_for(entries, question.elastic.jobs.shape[0], waiting, turns, SHORT)
    search(batch, elastic, is_guaranteed, blocks, plans, layers, windows, course, pool, seed, iterations)
    grid = np.full((gpus, steps), FREE, np.int32)
    draw(question, best if beats(is_guaranteed, best, fifo) else fifo, names, grid)
    return grid


def beats(is_guaranteed: bool, plan: Sequence, other: Sequence) -> bool:
    """Whether there is a ``plan``, and it is better than ``other`` beyond rounding or there is no other."""
    (worth, missed), (least, most) = plan.worth[-1].tolist(), other.worth[-1].tolist()
    if least == -np.inf or worth == -np.inf:
        return bool(worth > least)
    if is_guaranteed and abs(missed - most) > ROUNDING * max(1.0, most):
        return bool(missed < most)
    return bool(worth > least + ROUNDING * max(1.0, abs(least)))


@compiled
def open_with_fifo(
    question: Question, blocks: Blocks, here: Sequence, fifo: Sequence, layers: Layers, windows: Words
) -> None:
    """Writes what is free at first to ``here``, and FIFO's plan to ``fifo``, worth −∞ where it isn't legal."""
    find_least(question.elastic, layers.least)
    open_fleet(question, blocks, here.free[0])
    copy_words(here.free[0], fifo.free[0])
    start_afresh(fifo)
    decode_fifo(question.batch, question.elastic, blocks, fifo, layers, windows)


@compiled
def draw(question: Question, plan: Sequence, names: Names, grid: Grid) -> None:
    """Writes the cells of a plan, with the places of its jobs in the instance, into an empty grid."""
    batch, steps = question.batch, question.batch.weight_sums.size - 1
    for at in range(names.running.size):
        held = question.held[at]
        fill(grid, names.running[at], held[0], held[1], 0, held[2])
    for job in range(names.waiting.size):
        start, mode = plan.jobs[job, START], plan.jobs[job, MODE]
        if start >= 0:
            end = min(start + batch.modes[mode, LENGTH], steps)
            fill(grid, names.waiting[job], plan.jobs[job, GPU], 1 << batch.modes[mode, LEVEL], start, end)
    for at in range(plan.numbers[PLACED]):
        lease = plan.placed[at]
        fill(grid, names.realtime[lease[0]], lease[1], 1, lease[2], lease[3])


@inlined
def fill(grid: Grid, job: int, gpu: int, gpus: int, start: int, end: int) -> None:
    """Writes a job into a rectangle of cells."""
    for at in range(gpu, gpu + gpus):
        for step in range(start, end):
            grid[at, step] = job


def compile_ahead() -> None:
    """Plans tiny instances, so that every kernel is compiled or loaded."""
    jobs = (
        BatchJob("batch", "training", 1.0, 0, (Mode(1, 1),)),
        RealtimeJob("realtime", 1.0, (1, 0), 1, (0, 0)),
    )
    planned_grid(Instance(2, 2, jobs, Objective(half_life_steps=1.0)), iterations=10)
