"""What a pool's reservations promised, billed and left unlaunched in one hour (docs/ledger.md#quantities)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

from reservations.domain.held import OBSERVATION_HOLDS, Held
from reservations.domain.period import Period, epoch_ms

_HOLDS_MS = OBSERVATION_HOLDS // timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class ReservedHour:
    """GPU-milliseconds; ``ec2_unused`` None unless every reservation was observed throughout."""

    reserved: int
    paid: int
    ec2_unused: int | None


def reserved_hour(held: Iterable[Held], period: Period, gpus_per_node: Decimal) -> ReservedHour:
    """Σ over reservations of instances × GPUs × time, in whole GPU-milliseconds.

    reserved is clipped to the usable life, paid to the billed life; an observation of the free slots holds
    until the next one, for ``OBSERVATION_HOLDS`` at most.
    """
    reserved = paid = unused = 0
    observed = True
    for one in held:
        member = _clip(period, one.member_from, one.member_until)
        if member is None:
            continue
        paid += sum((b - a) * n for a, b, n in _promised(one, member, one.end_at, usable_only=False))
        usable = list(_promised(one, member, one.usable_until or one.end_at, usable_only=True))
        reserved += sum((b - a) * n for a, b, n in usable)
        free, covered = _free_slots(one, usable)
        unused += free
        observed = observed and covered == sum(b - a for a, b, _ in usable)
    return ReservedHour(
        _gpu_ms(reserved, gpus_per_node),
        _gpu_ms(paid, gpus_per_node),
        _gpu_ms(unused, gpus_per_node) if observed else None,
    )


def _gpu_ms(instance_ms: int, gpus_per_node: Decimal) -> int:
    return int((instance_ms * gpus_per_node).to_integral_value(ROUND_HALF_EVEN))


def _clip(period: Period, start: datetime | None, end: datetime | None) -> tuple[int, int] | None:
    a = max(period.start_ms, epoch_ms(start)) if start else period.start_ms
    b = min(period.end_ms, epoch_ms(end)) if end else period.end_ms
    return (a, b) if a < b else None


def _promised(
    one: Held, member: tuple[int, int], until: datetime | None, *, usable_only: bool
) -> Iterator[tuple[int, int, int]]:
    """``(start_ms, end_ms, instances)`` of a reservation's sizes within its membership and its life."""
    lower = max(member[0], epoch_ms(one.start_at)) if one.start_at else member[0]
    upper = min(member[1], epoch_ms(until)) if until else member[1]
    for size in one.sizes:
        if usable_only and not size.usable:
            continue
        a = max(lower, epoch_ms(size.start))
        b = min(upper, epoch_ms(size.end)) if size.end else upper
        if a < b:
            yield a, b, size.instances


def _free_slots(one: Held, usable: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """``(free instance-ms, covered ms)`` of the usable time by the observations."""
    free = covered = 0
    seen = [(epoch_ms(observation.at), observation.available) for observation in one.observations]
    for i, (at, available) in enumerate(seen):
        holds_until = at + _HOLDS_MS
        if i + 1 < len(seen):
            holds_until = min(holds_until, seen[i + 1][0])
        if available is None:
            continue
        for a, b, _ in usable:
            overlap = min(b, holds_until) - max(a, at)
            if overlap > 0:
                covered += overlap
                free += overlap * available
    return free, covered


def latest_usable_ms(held: Sequence[Held]) -> int | None:
    """When the last of a pool's reservations stops working, in ms since 1970; None: never, or none is held."""
    ends = [one.usable_until or one.end_at for one in held]
    if not ends or any(end is None for end in ends):
        return None
    return max(epoch_ms(end) for end in ends if end is not None)
