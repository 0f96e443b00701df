"""Sizes from sightings: the named cases one by one, then a minute-by-minute oracle that shares no code."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from reservations.domain.size_history import DatedBy, DatedSpan, Seen, size_history

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


def active(minute: int, total: int | None) -> Seen:
    return Seen(at(minute), True, "active", total)


def said(minute: int, state: str, total: int | None = 0) -> Seen:
    return Seen(at(minute), True, state, total)


def gone(minute: int) -> Seen:
    return Seen(at(minute), False)


def spans(*seen: Seen, start: int | None = None, end: int | None = None) -> list[tuple[int, int | None, int, bool]]:
    history = size_history(
        seen=seen, start_at=None if start is None else at(start), end_at=None if end is None else at(end)
    )
    return [(minutes(s.start), None if s.end is None else minutes(s.end), s.instances, s.usable) for s in history]


def minutes(instant: datetime) -> int:
    return int((instant - NOON).total_seconds() // 60)


def test_nothing_seen_is_no_size() -> None:
    assert spans() == []


def test_the_first_active_sighting_counts_from_the_providers_start() -> None:
    assert size_history(seen=[active(5, 4)], start_at=at(-60), end_at=None) == (
        DatedSpan(at(-60), None, 4, True, DatedBy.PROVIDER),
    )


def test_without_a_start_or_with_one_still_to_come_the_sighting_dates_it() -> None:
    assert size_history(seen=[active(5, 4)], start_at=None, end_at=None)[0].dated_by == DatedBy.OBSERVED
    assert spans(active(5, 4), start=30) == [(5, None, 4, True)]


def test_a_resize_counts_from_the_first_sighting_that_shows_it() -> None:
    assert spans(active(0, 4), active(5, 4), active(10, 6), active(15, 6), start=-10) == [
        (-10, 10, 4, True),
        (10, None, 6, True),
    ]


def test_states_before_the_start_open_nothing() -> None:
    seen = [said(0, state, 16) for state in ("payment-pending",)] + [said(5, "scheduled"), said(10, "assessing", 3)]
    assert spans(*seen, said(12, "pending", 4)) == []


def test_a_start_pushed_out_counts_from_the_new_start() -> None:
    assert spans(said(0, "scheduled"), said(20, "scheduled"), active(65, 8), start=60) == [(60, None, 8, True)]


def test_a_late_delivery_is_dated_by_the_sighting() -> None:
    assert spans(said(0, "scheduled"), said(70, "delayed"), active(90, 8), start=60) == [(90, None, 8, True)]
    assert spans(said(50, "delayed"), active(90, 8), start=60) == [(60, None, 8, True)]


def test_an_end_ends_at_the_providers_end_when_that_came_first() -> None:
    assert spans(active(0, 4), said(35, "expired"), start=0, end=30) == [(0, 30, 4, True)]
    assert spans(active(0, 4), gone(35), start=0, end=30) == [(0, 30, 4, True)]
    assert spans(active(0, 4), said(20, "cancelled"), start=0, end=30) == [(0, 20, 4, True)]
    assert spans(active(0, 4), said(20, "failed"), start=0) == [(0, 20, 4, True)]


def test_an_end_still_to_come_leaves_the_size_open() -> None:
    assert spans(active(0, 4), start=0, end=30) == [(0, None, 4, True)]


def test_an_extension_keeps_the_size() -> None:
    assert spans(active(0, 4), active(20, 4), active(40, 4), start=0, end=90) == [(0, None, 4, True)]


def test_a_list_that_no_longer_names_it_ends_it_and_its_return_opens_anew() -> None:
    assert spans(active(0, 4), gone(10), active(30, 4), start=-5) == [(-5, 10, 4, True), (30, None, 4, True)]


def test_winding_down_and_unavailable_are_billed_but_not_usable() -> None:
    assert spans(active(0, 4), said(10, "cancelling", 0), said(20, "cancelled"), start=0) == [
        (0, 10, 4, True),
        (10, 20, 4, False),
    ]
    assert spans(active(0, 4), said(10, "unavailable", 4), active(20, 4), start=0) == [
        (0, 10, 4, True),
        (10, 20, 4, False),
        (20, None, 4, True),
    ]


def test_unknown_states_and_unknown_counts_change_nothing() -> None:
    assert spans(active(0, 4), said(10, "some-new-state", 9), active(20, None), start=0) == [(0, None, 4, True)]
    assert spans(said(0, "some-new-state", 9), active(5, None)) == []


def test_an_active_reservation_may_hold_no_instances() -> None:
    assert spans(active(0, 4), active(10, 0), start=0) == [(0, 10, 4, True), (10, None, 0, True)]


STATES = ["active", "active", "active", "scheduled", "pending", "delayed", "cancelling", "unavailable", "expired"]
STATES += ["cancelled", "failed", "some-new-state", ""]


@st.composite
def sightings(draw: st.DrawFn) -> list[Seen]:
    when = draw(st.lists(st.integers(0, 60), unique=True, max_size=12))
    counts = st.one_of(st.none(), st.integers(0, 3))
    return [
        gone(minute) if draw(st.integers(0, 6)) == 0 else said(minute, draw(st.sampled_from(STATES)), draw(counts))
        for minute in sorted(when)
    ]


edges = st.one_of(st.none(), st.integers(-5, 65))


def by_the_minute(  # noqa: C901 (an oracle that says each case outright)
    seen: list[Seen], start: int | None, end: int | None
) -> dict[int, tuple[int, bool]]:
    """What is held in each minute from -5 to 65, walked from one sighting to the next."""
    held: dict[int, tuple[int, bool]] = {}
    current: tuple[int, bool] | None = None
    not_held_at: int | None = None
    by_minute = {minutes(one.at): one for one in seen}
    for minute in range(-5, 66):
        one = by_minute.get(minute)
        if one is not None:
            if not one.present or one.state_raw in ("expired", "cancelled", "failed"):
                current, not_held_at = None, minute
            elif one.state_raw == "delayed" and current is None:
                not_held_at = minute
            elif one.state_raw == "active":
                size = one.total if one.total is not None else (current[0] if current else None)
                if size is not None:
                    trusted = start is not None and start <= minute and (not_held_at is None or not_held_at < start)
                    if current is None and trusted:
                        held.update({earlier: (size, True) for earlier in range(start, minute)})
                    current = (size, True)
            elif one.state_raw in ("cancelling", "unavailable"):
                size = one.total if one.total else (current[0] if current else None)
                current = current if size is None else (size, False)
        if current is not None:
            held[minute] = current
    last = max(by_minute, default=None)
    if end is not None and last is not None and end <= last:
        held = {minute: what for minute, what in held.items() if minute < end}
    return held


@settings(max_examples=400, deadline=None)
@given(sightings(), edges, edges, st.randoms(use_true_random=False))
def test_the_history_is_what_a_walk_minute_by_minute_finds(seen, start, end, random) -> None:
    shuffled = seen * 2
    random.shuffle(shuffled)
    history = spans(*shuffled, start=start, end=end)
    assert all(one[1] is not None and one[1] <= other[0] for one, other in pairwise(history))
    found = {
        minute: (instances, usable)
        for begin, finish, instances, usable in history
        for minute in range(begin, 66 if finish is None else finish)
    }
    assert found == by_the_minute(seen, start, end)


@settings(max_examples=200, deadline=None)
@given(sightings(), edges, edges)
def test_the_first_and_last_of_every_run_are_enough(seen, start, end) -> None:
    stretched = [
        Seen(one.at + timedelta(seconds=s), one.present, one.state_raw, one.total) for one in seen for s in range(3)
    ]
    said_the_same = [(one.present, one.state_raw, one.total) for one in stretched]
    ends = [
        one
        for i, one in enumerate(stretched)
        if i in (0, len(stretched) - 1) or not said_the_same[i - 1] == said_the_same[i] == said_the_same[i + 1]
    ]
    assert spans(*ends, start=start, end=end) == spans(*stretched, start=start, end=end)
