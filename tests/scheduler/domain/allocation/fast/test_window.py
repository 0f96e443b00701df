"""Where a job is put among the blocks that are free: beside what is taken, so that long gaps stay whole."""

import numpy as np
import pytest

from scheduler.domain.allocation.fast.blocks import Blocks, Words, blocks_for, find_blocks
from scheduler.domain.allocation.fast.question import question_of
from scheduler.domain.allocation.fast.sequences import open_fleet
from scheduler.domain.allocation.fast.window import earliest_start, snug_block
from scheduler.domain.allocation.instance import BatchJob, Held, Instance, Mode, Objective

pytestmark = pytest.mark.timeout(900)  # whoever comes first compiles the kernels

STEPS = 10


def running_until(ends: dict[int, int], gpus: int) -> tuple[Blocks, Words]:
    """A fleet whose GPUs each run a job till ``ends`` says, if it does, and for good otherwise."""
    jobs = tuple(
        BatchJob(
            f"r{gpu}", "training", 1, 0, (Mode(1, ends.get(gpu, STEPS)),), running=Held(gpu, 1, ends.get(gpu, STEPS))
        )
        for gpu in range(gpus)
        if ends.get(gpu, STEPS)
    )
    question, _ = question_of(Instance(gpus, STEPS, jobs, Objective(half_life_steps=None)))
    blocks = blocks_for(gpus)
    find_blocks(question, blocks)
    free = np.empty(STEPS * int(blocks.width[0]), np.uint64)
    open_fleet(question, blocks, free)
    return blocks, free


def taken(ends: dict[int, int], *, start: int, end: int, gpus: int = 80) -> int:
    """The GPU that a job of one GPU gets from ``start`` to ``end``."""
    blocks, free = running_until(ends, gpus)
    windows = np.empty((4, int(blocks.width[0])), np.uint64)
    reserve = np.zeros(STEPS, np.int64)
    assert earliest_start(blocks, free, reserve, 0, end - start, start, start, windows[0]) == start
    return int(snug_block(blocks, free, 0, start, end, windows))


def test_the_gpu_that_was_idle_for_the_shortest_time_is_taken() -> None:
    assert taken({65: 2, 70: 5, 75: 4}, start=5, end=STEPS) == 70


def test_of_equally_short_gaps_the_lowest_gpu_is_taken() -> None:
    assert taken({65: 2, 70: 4, 75: 4}, start=5, end=STEPS) == 70


def test_half_of_a_larger_block_that_is_free_is_left_whole_while_there_is_another_gpu() -> None:
    assert taken({66: 5, 67: 5, 75: 1}, start=5, end=STEPS) == 75


def test_where_only_larger_blocks_are_free_the_lowest_part_of_the_tightest_is_taken() -> None:
    assert taken({66: 2, 67: 2, 70: 4, 71: 4, 74: 3, 75: 4}, start=5, end=STEPS) == 70


def test_where_nothing_ends_near_by_the_lowest_gpu_is_taken() -> None:
    assert taken({70: 0, 75: 0}, start=0, end=STEPS) == 70
