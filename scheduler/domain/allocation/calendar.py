"""Which blocks are free at which step: a bit set for each block size and step, a bit for each first GPU."""

from collections.abc import Iterable

from scheduler.domain.allocation.instance import Instance, Mode


def starts_of(instance: Instance, size: int) -> int:
    """The first GPUs a block of ``size`` may have, as a bit set."""
    bits = bytearray(instance.gpus // 8 + 1)
    for first in instance.block_starts(size):
        bits[first >> 3] |= 1 << (first & 7)
    return int.from_bytes(bits, "little")


class Calendar:
    """The free blocks of every size that some job may take, at every step, as jobs are placed one after the other."""

    def __init__(self, instance: Instance, taken: list[int]) -> None:
        """Starts with the GPUs of ``taken``, one bit set a step, not free."""
        self.steps = instance.steps
        sizes = {mode.gpus for _, job in instance.batch if job.running is None for mode in job.modes}
        self._free = {size: [starts_of(instance, size)] * instance.steps for size in sorted(sizes)}
        everything = (1 << instance.gpus) - 1
        for step, gpus in enumerate(taken):
            free, length = everything & ~gpus, 1
            for size, by_step in self._free.items():
                while length < size:
                    free, length = free & free >> length, 2 * length
                by_step[step] &= free

    def blocks(self, size: int, start: int, steps: int) -> int:
        """First GPUs of the blocks free from ``start`` for ``steps``, or to the end of the horizon, as a bit set."""
        by_step = self._free[size]
        free = -1
        for step in range(min(start + steps, self.steps) - 1, start - 1, -1):
            free &= by_step[step]
            if not free:
                return 0
        return free

    def earliest(self, mode: Mode, arrival: int, latest_end: int | None) -> tuple[int, int] | None:
        """The earliest start of a block for ``mode``, and the lowest first GPU there; None where there is none."""
        by_step = self._free[mode.gpus]
        last = self.steps - 1 if latest_end is None else min(self.steps - 1, latest_end - mode.steps)
        start = arrival
        while start <= last:
            free = -1
            for step in range(min(start + mode.steps, self.steps) - 1, start - 1, -1):
                free &= by_step[step]
                if not free:
                    start = step + 1  # no window over this step can do
                    break
            else:
                return start, lowest(free)
        return None

    def take(self, first: int, size: int, steps: range) -> None:
        """Takes the block of ``size`` at ``first`` out of every block it is a part of."""
        for length, by_step in self._free.items():
            low = max(0, first - length + 1)
            touched = ((1 << (first + size - low)) - 1) << low
            for step in steps:
                by_step[step] ^= by_step[step] & touched


def lowest(bits: int) -> int:
    """The lowest bit set in ``bits``, which has one."""
    return (bits & -bits).bit_length() - 1


def bits_of(gpus: Iterable[int]) -> int:
    """The bit set of ``gpus``."""
    return sum(1 << gpu for gpu in set(gpus))
