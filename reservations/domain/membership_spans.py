"""Which pool a reservation backed when, mended for some time."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Backing:
    """One pool backed in ``[start, end)``; None is an open end."""

    pool_id: int
    start: datetime | None
    end: datetime | None


def mended(
    spans: Iterable[Backing], *, pool_id: int | None, start: datetime | None, end: datetime | None
) -> tuple[Backing, ...]:
    """The spans with ``[start, end)`` given to one pool, or to none; touching spans of one pool become one."""
    begins, ends = start or FIRST, end or LAST
    parts = [piece for span in spans for piece in _without(span, begins, ends)]
    if pool_id is not None:
        parts.append(Backing(pool_id, start, end))
    return _joined(sorted(parts, key=lambda span: span.start or FIRST))


def _without(span: Backing, begins: datetime, ends: datetime) -> list[Backing]:
    lower, upper = span.start or FIRST, span.end or LAST
    if upper <= begins or ends <= lower:
        return [span]
    before = [replace(span, end=begins)] if lower < begins else []
    after = [replace(span, start=ends)] if ends < upper else []
    return [*before, *after]


def _joined(spans: Iterable[Backing]) -> tuple[Backing, ...]:
    whole: list[Backing] = []
    for span in spans:
        if whole and whole[-1].pool_id == span.pool_id and whole[-1].end == span.start and span.start is not None:
            whole[-1] = replace(whole[-1], end=span.end)
        else:
            whole.append(span)
    return tuple(whole)
