"""The calendar knows every free block, told by looking at each cell."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.allocation.calendar import Calendar, bits_of, lowest, starts_of
from scheduler.domain.allocation.instance import Instance, Mode
from tests.scheduler.domain.allocation import brute
from tests.scheduler.domain.allocation.strategies import instances


def places(bits: int) -> list[int]:
    return [at for at in range(bits.bit_length()) if bits >> at & 1]


@given(instances(gpus=20))
def test_the_places_of_a_block_are_those_that_the_rules_allow(instance: Instance) -> None:
    for size in (1, 2, 4, 8, 16):
        allowed = [first for first in range(instance.gpus) if brute.block_is_allowed(instance, first, size)]
        assert places(starts_of(instance, size)) == allowed
        assert list(instance.block_starts(size)) == allowed


@given(instances(gpus=20, realtime=0), st.data())
def test_a_block_is_free_where_all_its_cells_are(instance: Instance, data: st.DataObject) -> None:
    gpus, steps = st.integers(0, instance.gpus - 1), st.integers(0, instance.steps - 1)
    free = set(product(range(instance.gpus), range(instance.steps)))
    taken = data.draw(st.lists(st.sets(gpus), min_size=instance.steps, max_size=instance.steps))
    free -= {(gpu, step) for step, held in enumerate(taken) for gpu in held}
    calendar = Calendar(instance, [bits_of(held) for held in taken])
    for _ in range(data.draw(st.integers(0, 3))):
        first, last = sorted([data.draw(steps), data.draw(steps)])
        gpu = data.draw(gpus)
        size = data.draw(st.sampled_from([size for size in (1, 2, 4, 8, 16) if gpu + size <= instance.gpus]))
        calendar.take(gpu, size, range(first, last + 1))
        free -= set(product(range(gpu, gpu + size), range(first, last + 1)))
    for mode in {mode for _, job in instance.batch if job.running is None for mode in job.modes}:
        starts = {
            start: [
                first
                for first in range(instance.gpus)
                if brute.block_is_allowed(instance, first, mode.gpus)
                and brute.cells_of(start, min(mode.steps, instance.steps - start), first, mode.gpus) <= free
            ]
            for start in range(instance.steps)
        }
        assert {start: places(calendar.blocks(mode.gpus, start, mode.steps)) for start in starts} == starts
        assert_earliest(calendar, mode, starts, data.draw(steps), data.draw(st.none() | st.integers(0, 12)))


def assert_earliest(
    calendar: Calendar, mode: Mode, starts: dict[int, list[int]], arrival: int, latest_end: int | None
) -> None:
    can = [
        (start, blocks[0])
        for start, blocks in starts.items()
        if blocks and start >= arrival and (latest_end is None or start + mode.steps <= latest_end)
    ]
    assert calendar.earliest(mode, arrival, latest_end) == min(can, default=None)


@given(st.sets(st.integers(0, 200), min_size=1))
def test_bit_sets_hold_their_gpus(gpus: set[int]) -> None:
    assert places(bits_of(gpus)) == sorted(gpus)
    assert lowest(bits_of(gpus)) == min(gpus)
