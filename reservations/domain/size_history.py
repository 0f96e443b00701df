"""From what was seen of one reservation to how many instances it promised when (docs/inventory.md#size-history)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from reservations.domain.reservation_state import BILLED_NOT_USABLE, EC2_NOT_DELIVERED, State, ec2_state


class DatedBy(StrEnum):
    """Whose word the start of a size rests on."""

    PROVIDER = "provider"
    OBSERVED = "observed"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Seen:
    """One observation: ``present`` False when a complete list no longer named it; ``total`` None is unknown."""

    at: datetime
    present: bool = True
    state_raw: str = ""
    total: int | None = None


@dataclass(frozen=True, slots=True)
class DatedSpan:
    """``instances`` promised in ``[start, end)``; ``end`` None is open; not usable: still billed, but gone."""

    start: datetime
    end: datetime | None
    instances: int
    usable: bool
    dated_by: DatedBy


def size_history(*, seen: Iterable[Seen], start_at: datetime | None, end_at: datetime | None) -> tuple[DatedSpan, ...]:
    """The sizes of one reservation in time order, never overlapping.

    ``start_at`` and ``end_at`` are the provider's newest word. Neither the order nor the repetition of what
    was seen matters. The last size stays open unless something seen ends it or ``end_at`` lies before the
    last observation. Of every run of equal observations the first and the last are enough.
    """
    ordered = sorted(set(seen), key=lambda one: (one.at, one.present, one.state_raw, one.total or 0))
    history = _History(start_at)
    for one in ordered:
        history.take(one)
    last = ordered[-1].at if ordered else None
    clip = end_at if end_at is not None and last is not None and end_at <= last else None
    return tuple(span for span in (_clipped(span, clip) for span in history.spans) if span is not None)


class _History:
    def __init__(self, start_at: datetime | None) -> None:
        self.start_at = start_at
        self.spans: list[DatedSpan] = []
        self.shut_at: datetime | None = None  # the latest instant it was seen not to be held

    def take(self, seen: Seen) -> None:
        state = ec2_state(seen.state_raw)
        if not seen.present or state in {State.ENDED, State.FAILED}:
            self._shut(seen.at)
        elif state is State.ACTIVE:
            self._hold(seen, seen.total, usable=True)
        elif state in BILLED_NOT_USABLE:
            # A released reservation may list no instances and is still charged for those it had.
            self._hold(seen, seen.total or None, usable=False)
        elif seen.state_raw in EC2_NOT_DELIVERED and not self._held:
            self.shut_at = seen.at

    @property
    def _held(self) -> DatedSpan | None:
        return self.spans[-1] if self.spans and self.spans[-1].end is None else None

    def _shut(self, at: datetime) -> None:
        if self._held:
            self.spans[-1] = replace(self.spans[-1], end=at)
        self.shut_at = at

    def _hold(self, seen: Seen, instances: int | None, *, usable: bool) -> None:
        if instances is None:
            if not (held := self._held):
                return
            instances = held.instances
        if self._held:
            if (self._held.instances, self._held.usable) == (instances, usable):
                return
            self.spans[-1] = replace(self.spans[-1], end=seen.at)
            self.spans.append(DatedSpan(seen.at, None, instances, usable, DatedBy.OBSERVED))
            return
        start, dated_by = self._start(seen.at) if usable else (seen.at, DatedBy.OBSERVED)
        self.spans.append(DatedSpan(start, None, instances, usable, dated_by))

    def _start(self, at: datetime) -> tuple[datetime, DatedBy]:
        """The provider's start, unless it is still to come or something seen since contradicts it."""
        start = self.start_at
        if start is None or start > at or (self.shut_at is not None and self.shut_at >= start):
            return at, DatedBy.OBSERVED
        return start, DatedBy.PROVIDER


def _clipped(span: DatedSpan, end_at: datetime | None) -> DatedSpan | None:
    end = span.end if end_at is None else min(span.end or end_at, end_at)
    return None if end is not None and end <= span.start else replace(span, end=end)
