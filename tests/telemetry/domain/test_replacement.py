"""When an hour is due, when it is final, and what may take its place."""

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.domain.ledger import LedgerHour
from telemetry.domain.replacement import Standing, Verdict, canonical_row, is_due, is_final, verdict

HOUR = datetime(2026, 5, 4, 10, tzinfo=UTC)
END = HOUR + timedelta(hours=1)
MINUTES = st.integers(0, 60 * 80)
ROW = LedgerHour(hour=HOUR, reserved=10, paid=10, expected=10, known=9, unknown=1)


def after(minutes: float) -> datetime:
    return END + timedelta(minutes=minutes)


def due(at: float, read: float | None = None, *, final: bool = False) -> bool:
    read_at = None if read is None else after(read)
    return is_due(hour=HOUR, as_of=after(at), read_at=read_at, final=final)


@pytest.mark.parametrize(
    ("at", "read", "wanted"),
    [
        (4.99, None, False),
        (5, None, True),
        (6, 5, False),
        (59.99, 5, False),
        (60, 5, True),
        (65, 60, False),
        (1439, 60, False),
        (1440, 60, True),
        (1440, 5, True),
        (1500, 1440, True),  # read after a day and still not final: the answer was partial
        (2879, 1440, True),
        (2880, 1440, False),
        (2880, 1439, True),  # never read after a day: made up however late
        (9999, 60, True),
        (9999, None, True),
    ],
)
def test_an_hour_is_due_five_minutes_an_hour_and_a_day_after_its_end(
    at: float, read: float | None, wanted: bool
) -> None:
    assert due(at, read) is wanted
    assert due(at, read, final=True) is False


@settings(deadline=None)
@given(ticks=st.lists(MINUTES, min_size=1, max_size=60), partial_until=MINUTES)
def test_whatever_beats_are_missed_the_hour_is_read_once_in_each_of_its_three_times(
    ticks: list[int], partial_until: int
) -> None:
    """A day of ticks at any minutes: at most one reading per time, and one wherever a tick fell into it."""
    reads: list[int] = []
    final = False
    for tick in sorted(set(ticks)):
        if not due(tick, reads[-1] if reads else None, final=final):
            continue
        reads.append(tick)
        final = is_final(hour=HOUR, read_at=after(tick), complete=tick >= partial_until)
    first = [tick for tick in ticks if 5 <= tick < 60]
    second = [tick for tick in ticks if 60 <= tick < 1440]
    whole = [tick for tick in ticks if tick >= max(1440, partial_until)]
    assert [read for read in reads if read < 60] == sorted(first)[:1]
    assert [read for read in reads if 60 <= read < 1440] == sorted(second)[:1]
    partial = sorted({tick for tick in ticks if 1440 <= tick < min(partial_until, 2880)})
    late = [read for read in reads if read >= 1440]
    assert late[: len(partial)] == partial
    if whole and min(whole) < 2880:
        assert (final, late[-1]) == (True, min(whole))
    assert final is bool(late and late[-1] >= partial_until)


def test_an_hour_is_final_when_it_was_read_whole_a_day_after_its_end() -> None:
    assert not is_final(hour=HOUR, read_at=after(1439.99), complete=True)
    assert is_final(hour=HOUR, read_at=after(1440), complete=True)
    assert not is_final(hour=HOUR, read_at=after(1440), complete=False)


def judged(row: LedgerHour, before: LedgerHour, *, source: str = "a", of: str = "a", at: int = 1, force: bool) -> str:
    return verdict(Standing(of, after(1), before), source=source, read_at=after(at), row=row, force=force).value


@pytest.mark.parametrize("force", [False, True])
def test_the_first_reading_of_an_hour_is_stored(force: bool) -> None:
    assert verdict(None, source="a", read_at=after(1), row=ROW, force=force) is Verdict.STORE


def test_an_older_reading_is_refused_even_by_force_and_one_of_the_same_instant_is_not() -> None:
    assert judged(ROW, ROW, at=0, force=False) == judged(ROW, ROW, at=0, force=True) == "older"
    assert judged(ROW, ROW, at=1, force=False) == "store"


def test_a_second_source_needs_force_and_one_after_none_does_not() -> None:
    assert judged(ROW, ROW, source="b", force=False) == "second_source"
    assert judged(ROW, ROW, source="b", at=0, force=False) == "second_source"
    assert judged(ROW, ROW, source="", force=False) == "second_source"
    assert judged(ROW, ROW, source="b", force=True) == "store"
    assert judged(ROW, ROW, source="b", of="", force=False) == "store"


KNOWLEDGE = [
    LedgerHour(hour=HOUR, reserved=10, paid=10),
    LedgerHour(hour=HOUR, reserved=10, paid=10, expected=0, known=0, unknown=0),
    LedgerHour(hour=HOUR, reserved=10, paid=10, expected=10, known=0, unknown=10),
    LedgerHour(hour=HOUR, reserved=10, paid=10, expected=3, known=2, unknown=1),
    ROW,
    LedgerHour(hour=HOUR, reserved=10, paid=10, expected=4, known=4, unknown=0),
]
"""Ever more of an hour is known: no nodes, none there, no sample, two thirds, nine tenths, all."""


@pytest.mark.parametrize("new", range(len(KNOWLEDGE)))
@pytest.mark.parametrize("old", range(len(KNOWLEDGE)))
def test_a_final_hour_never_comes_to_know_less_without_force(old: int, new: int) -> None:
    before = dataclasses.replace(KNOWLEDGE[old], final=True)
    assert judged(KNOWLEDGE[new], before, force=False) == ("store" if new >= old else "lower_coverage")
    assert judged(KNOWLEDGE[new], KNOWLEDGE[old], force=False) == "store"
    assert judged(KNOWLEDGE[new], before, force=True) == "store"


def test_a_partial_answer_never_replaces_a_final_hour_without_force() -> None:
    before, partial = dataclasses.replace(ROW, final=True), dataclasses.replace(KNOWLEDGE[-1], complete=False)
    assert judged(partial, before, force=False) == "partial"
    assert judged(partial, before, force=True) == "store"
    assert judged(partial, ROW, force=False) == "store"


@given(
    flags=st.lists(st.sampled_from("abc")),
    notes=st.dictionaries(st.sampled_from("abc"), st.text(max_size=3)),
    turns=st.randoms(use_true_random=False),
)
def test_equal_rows_have_one_canonical_form(flags: list[str], notes: dict[str, str], turns: object) -> None:
    row = dataclasses.replace(ROW, flags=tuple(flags), notes=tuple(notes.items()))
    turns.shuffle(flags)  # type: ignore[attr-defined]
    turned = dataclasses.replace(ROW, flags=(*flags, *flags), notes=tuple(notes.items())[::-1])
    assert canonical_row(row) == canonical_row(turned) == canonical_row(canonical_row(row))
