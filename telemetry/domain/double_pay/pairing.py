"""Which instance could have run in which free slot at one instant."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from telemetry.domain.double_pay.parties import Outside, Slots

Pair = tuple[Slots, Outside]


def pairs_at(free: Mapping[Slots, int], running: Sequence[Outside]) -> list[Pair]:
    """As many pairs as the fewer of free slots and instances, first those that fit each other.

    Of what fits, min(slots, instances) pairs are made for each zone, platform and tenancy; of the rest, which fits
    nothing that is left, again min(slots, instances): near misses. An instance that names a reservation goes to it
    first; else slots and instances meet in the order in which they are given.
    """
    slots = [one for one, count in free.items() for _ in range(count)]
    by_fit: dict[tuple[str, str, str], tuple[list[Slots], list[Outside]]] = defaultdict(lambda: ([], []))
    for one in slots:
        by_fit[one.fits][0].append(one)
    for instance in running:
        by_fit[instance.fits][1].append(instance)
    pairs: list[Pair] = []
    left_slots: list[Slots] = []
    left_running: list[Outside] = []
    for fit, (some, instances) in by_fit.items():
        if "" not in fit:
            pairs += _met(some, instances)
        left_slots += some
        left_running += instances
    return [*pairs, *_near(left_slots, left_running)]


def _met(slots: list[Slots], running: list[Outside]) -> Iterator[Pair]:
    """Pairs of what fits; both lists keep what is left."""
    for instance in list(running):
        named = next((one for one in slots if one.reservation == instance.target), None)
        if named is not None:
            slots.remove(named)
            running.remove(instance)
            yield named, instance
    for one, instance in list(zip(slots, running, strict=False)):
        slots.remove(one)
        running.remove(instance)
        yield one, instance


def _near(slots: list[Slots], running: Iterable[Outside]) -> Iterator[Pair]:
    """What is left side by side: each instance with the slot that differs least, the first of several."""
    for instance in running:
        if not slots:
            return
        nearest = min(slots, key=lambda one: sum(a != b for a, b in zip(one.fits, instance.fits, strict=True)))
        slots.remove(nearest)
        yield nearest, instance
