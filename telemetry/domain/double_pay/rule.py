"""Double-paid instance time: min(free slots, on-demand instances of one fit), integrated over all that was seen."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reservations.domain.period import Period
from telemetry.domain.double_pay.pairing import pairs_at
from telemetry.domain.double_pay.parties import Cause, FreeRun, Outside, Slots, Span, cause_of

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class PaidTwice:
    """One instance beside one reservation, for one cause, on one UTC day (its first millisecond).

    ``instance_ms`` is within ``[first, last)``, which may have gaps.
    """

    pool_id: int
    reservation: str
    instance_id: str
    account_id: str
    cause: Cause
    day: int
    instance_ms: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class DoublePay:
    """What was paid twice, and near misses; ``unknown_ms`` of the ``usable_ms`` of each reservation can't be told."""

    rows: tuple[PaidTwice, ...]
    usable_ms: Mapping[Slots, int]
    unknown_ms: Mapping[Slots, int]


def paid_twice(slots: Sequence[Slots], running: Sequence[Outside], listed: Sequence[Span], period: Period) -> DoublePay:
    """The rule for one shape in one region; ``listed``: when all accounts' instances of the shape were observed.

    A reservation's time is unknown while instances are not listed and its slots are not known to be taken, and
    while its slots are not observed and an instance runs that fits it. All else is exact, to the millisecond.
    """
    sums: dict[tuple[Slots, Outside, Cause, int], list[int]] = {}
    usable: dict[Slots, int] = defaultdict(int)
    unknown: dict[Slots, int] = defaultdict(int)
    for state in _states(slots, running, listed, period):
        length = state.end - state.start
        for one in state.open:
            usable[one] += length
            if state.is_unknown(one):
                unknown[one] += length
        if not state.listed:
            continue
        for one, instance in pairs_at(state.free, state.running):
            cause = cause_of(one, instance, state.since.get(one))
            key = (one, instance, cause, state.start // DAY_MS * DAY_MS)
            held = sums.setdefault(key, [0, state.start, state.end])
            held[0] += length
            held[2] = state.end
    return DoublePay(tuple(_rows(sums)), usable, unknown)


@dataclass(frozen=True, slots=True)
class _State:
    """Everything in a stretch in which nothing changes; ``free`` has only what is observed and above 0."""

    start: int
    end: int
    listed: bool
    open: Sequence[Slots]
    free: Mapping[Slots, int]
    observed: frozenset[Slots]
    since: Mapping[Slots, int | None]
    running: Sequence[Outside]

    def is_unknown(self, one: Slots) -> bool:
        if not self.listed:
            return one not in self.observed or one in self.free
        return one not in self.observed and any(instance.fits == one.fits for instance in self.running)


def _states(
    slots: Sequence[Slots], running: Sequence[Outside], listed: Sequence[Span], period: Period
) -> Iterator[_State]:
    """The period cut wherever anything changes, and at each midnight UTC."""
    since = {one: _since(one) for one in slots}
    changes = [period.start_ms, period.end_ms]
    changes += range(period.start_ms // DAY_MS * DAY_MS, period.end_ms, DAY_MS)
    for span in (*listed, *(span for one in slots for span in one.usable)):
        changes += span
    stretches: list[Outside | FreeRun] = [*running, *(run for one in slots for run in one.free)]
    for stretch in stretches:
        changes += (stretch.start, stretch.end)
    cursors = _Cursors(slots, running, listed)
    for start, end in pairwise(sorted({at for at in changes if period.start_ms <= at <= period.end_ms})):
        opened = [one for one in slots if cursors.usable(one, start)]
        counts = {one: count for one in opened if (count := cursors.free(one, start)) is not None}
        yield _State(
            start=start,
            end=end,
            listed=cursors.listed(start),
            open=opened,
            free={one: count for one, count in counts.items() if count},
            observed=frozenset(counts),
            since={one: since[one].get(cursors.run_start(one)) for one in counts},
            running=cursors.running(start),
        )


class _Cursors:
    """Where time has come to in each list of spans; instants are asked for in order."""

    def __init__(self, slots: Sequence[Slots], running: Sequence[Outside], listed: Sequence[Span]) -> None:
        self._usable = {one: list(one.usable)[::-1] for one in slots}
        self._free = {one: list(one.free)[::-1] for one in slots}
        self._listed = list(listed)[::-1]
        self._to_come = sorted(running, key=lambda one: (one.start, one.instance_id), reverse=True)
        self._running: list[Outside] = []

    def usable(self, one: Slots, at: int) -> bool:
        return _covers(self._usable[one], at)

    def listed(self, at: int) -> bool:
        return _covers(self._listed, at)

    def free(self, one: Slots, at: int) -> int | None:
        runs = self._free[one]
        while runs and runs[-1].end <= at:
            runs.pop()
        return runs[-1].count if runs and runs[-1].start <= at else None

    def run_start(self, one: Slots) -> int:
        return self._free[one][-1].start

    def running(self, at: int) -> list[Outside]:
        while self._to_come and self._to_come[-1].start <= at:
            self._running.append(self._to_come.pop())
        self._running = [one for one in self._running if one.end > at]
        return self._running


def _covers(spans: list[Span], at: int) -> bool:
    while spans and spans[-1][1] <= at:
        spans.pop()
    return bool(spans) and spans[-1][0] <= at


def _since(one: Slots) -> dict[int, int | None]:
    """By the start of each run of free slots, since when some were free without a break that was seen."""
    found: dict[int, int | None] = {}
    ended: int | None = None
    since: int | None = None
    for number, run in enumerate(one.free):
        if not run.count:
            ended = None
            continue
        if ended != run.start:
            since = one.free_since if number == 0 else run.start
        found[run.start], ended = since, run.end
    return found


def _rows(sums: Mapping[tuple[Slots, Outside, Cause, int], list[int]]) -> Iterable[PaidTwice]:
    """The same instance seen in several spans is one row a day."""
    merged: dict[tuple[int, str, str, str, Cause, int], list[int]] = {}
    for (one, instance, cause, day), (length, first, last) in sums.items():
        key = (one.pool_id, one.reservation, instance.instance_id, instance.account_id, cause, day)
        held = merged.setdefault(key, [0, first, last])
        held[0] += length
        held[1], held[2] = min(held[1], first), max(held[2], last)
    return (PaidTwice(*key, *amounts) for key, amounts in sorted(merged.items(), key=lambda item: item[0]))
