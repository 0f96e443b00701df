"""Mending which pool a reservation backed, against a reading of each instant by itself."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.membership_spans import Backing, mended

START = datetime(2026, 1, 1, tzinfo=UTC)


def at(day: int) -> datetime:
    return START + timedelta(days=day)


@st.composite
def span_rows(draw: st.DrawFn) -> tuple[Backing, ...]:
    edges = sorted(draw(st.sets(st.integers(0, 20), min_size=2, max_size=6)))
    spans = [
        Backing(draw(st.integers(1, 3)), at(first), at(last)) for first, last in pairwise(edges) if draw(st.booleans())
    ]
    if spans and draw(st.booleans()):
        spans[0] = Backing(spans[0].pool_id, None, spans[0].end)
    if spans and draw(st.booleans()):
        spans[-1] = Backing(spans[-1].pool_id, spans[-1].start, None)
    return tuple(spans)


def backed(spans: tuple[Backing, ...], instant: datetime) -> list[int]:
    return [
        span.pool_id
        for span in spans
        if (span.start is None or span.start <= instant) and (span.end is None or instant < span.end)
    ]


@given(span_rows(), st.none() | st.integers(1, 3), st.none() | st.integers(0, 10), st.none() | st.integers(11, 20))
def test_each_instant_backs_what_it_did_or_what_was_said(
    spans: tuple[Backing, ...], pool: int | None, first: int | None, last: int | None
) -> None:
    start, end = None if first is None else at(first), None if last is None else at(last)
    found = mended(spans, pool_id=pool, start=start, end=end)
    for half_days in range(-2, 44):
        instant = START + timedelta(hours=12 * half_days)
        within = (start is None or start <= instant) and (end is None or instant < end)
        expected = ([pool] if pool else []) if within else backed(spans, instant)
        assert backed(found, instant) == expected


@given(span_rows(), st.integers(1, 3))
def test_saying_the_same_twice_says_it_once(spans: tuple[Backing, ...], pool: int) -> None:
    once = mended(spans, pool_id=pool, start=at(3), end=at(9))
    assert mended(once, pool_id=pool, start=at(3), end=at(9)) == once
    assert all(before.pool_id != after.pool_id or before.end != after.start for before, after in pairwise(once))
