"""Running instances as complete listings showed them: spans that never depend on the order listings come in.

A listing is complete for the shapes it asked for. Between two listings of a shape that show an instance alike nothing
is claimed beyond what each of them speaks for (docs/double-pay.md#what-is-seen).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum


class Lifecycle(StrEnum):
    """How an instance is paid for."""

    ON_DEMAND = "on_demand"
    SPOT = "spot"
    CAPACITY_BLOCK = "capacity_block"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class RunningInstance:
    """One running instance; blank is unknown, but a blank ``reservation_id`` is none.

    ``preference`` is the provider's word on which reservations it may use, ``target`` the one, or the group, it names.
    """

    instance_id: str
    shape: str
    zone_id: str = ""
    platform: str = ""
    tenancy: str = ""
    lifecycle: Lifecycle = Lifecycle.ON_DEMAND
    reservation_id: str = ""
    preference: str = ""
    target: str = ""
    launched_at: datetime | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What listings know it by: a changed shape is another row."""
        return self.instance_id, self.shape


@dataclass(frozen=True, slots=True)
class InstanceSpan:
    """An instance that every listing of its shape from ``seen_from`` to ``seen_until`` (both included) showed alike."""

    instance: RunningInstance
    seen_from: datetime
    seen_until: datetime


def spans_with(
    spans: Iterable[InstanceSpan],
    *,
    said: RunningInstance | None,
    at: datetime,
    before: datetime | None,
    after: datetime | None,
) -> tuple[InstanceSpan, ...]:
    """One instance's spans, in order, once a listing at ``at`` said this of it (None: it does not run).

    ``before`` and ``after`` are the neighbouring listings of its shape; any order of listings leads to the same spans.
    """
    cut = [part for span in spans for part in _cut(span, said, at, before, after)]
    if said is None or any(span.seen_from <= at <= span.seen_until for span in cut):
        return tuple(cut)
    first = last = at
    rest = []
    for span in cut:
        if span.instance == said and span.seen_until == before:
            first = span.seen_from
        elif span.instance == said and span.seen_from == after:
            last = span.seen_until
        else:
            rest.append(span)
    return tuple(sorted([*rest, InstanceSpan(said, first, last)], key=lambda span: span.seen_from))


def _cut(
    span: InstanceSpan, said: RunningInstance | None, at: datetime, before: datetime | None, after: datetime | None
) -> list[InstanceSpan]:
    """A span in two where a listing within it contradicts it."""
    if not span.seen_from < at < span.seen_until or span.instance == said or before is None or after is None:
        return [span]
    return [replace(span, seen_until=before), replace(span, seen_from=after)]
