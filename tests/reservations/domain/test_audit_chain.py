"""The chain by properties: whatever is done to one row of a trail, the walk stops at the first row it shows at."""

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.audit_chain import (
    FIRST_LINK,
    Event,
    Fault,
    Head,
    UnableToReadHead,
    canonical_bytes,
    event_hash,
    first_fault,
    read_head,
    sealed,
)
from reservations.domain.audit_state import state_text

START = datetime(2026, 3, 1, tzinfo=UTC)
TEXTS = (
    "act",
    "about",
    "ident",
    "by_name",
    "by_id",
    "acting_for",
    "via",
    "address",
    "request_id",
    "before",
    "after",
    "why",
)


def trail(count: int) -> list[Event]:
    rows: list[Event] = []
    for number in range(1, count + 1):
        told = {name: f"{name} {number}" for name in TEXTS}
        link = rows[-1].hash if rows else FIRST_LINK
        rows.append(sealed(Event(sequence=number, at=START + timedelta(seconds=number), previous_hash=link, **told)))
    return rows


def head_of(rows: list[Event]) -> Head:
    return Head(len(rows), rows[-1].hash) if rows else Head(0, FIRST_LINK)


def renumbered(rows: list[Event]) -> list[Event]:
    return [replace(row, sequence=number) for number, row in enumerate(rows, start=1)]


@given(st.integers(0, 12))
def test_an_untouched_trail_holds(count: int) -> None:
    rows = trail(count)
    assert first_fault(rows, head=head_of(rows), expected=[head_of(rows[:each]) for each in range(1, count)]) is None
    assert first_fault([], head=None) is None


@given(st.integers(1, 12), st.data())
def test_any_altered_field_is_named_with_its_row(count: int, data: st.DataObject) -> None:
    rows = trail(count)
    place = data.draw(st.integers(0, count - 1))
    field = data.draw(st.sampled_from([*TEXTS, "at"]))
    row = rows[place]
    rows[place] = replace(row, at=row.at + timedelta(microseconds=1)) if field == "at" else replace(row, **{field: "x"})
    found = first_fault(rows, head=head_of(rows))
    assert found is not None
    assert (found.sequence, found.fault) == (place + 1, Fault.ALTERED)


@given(st.integers(2, 12), st.data())
def test_a_row_that_was_taken_out_is_missing(count: int, data: st.DataObject) -> None:
    rows = trail(count)
    head = head_of(rows)
    place = data.draw(st.integers(0, count - 1))
    del rows[place]
    found = first_fault(rows, head=head)
    assert found is not None
    assert found.sequence == place + 1
    assert found.fault is (Fault.CUT_OFF if place == count - 1 else Fault.MISSING)


@given(st.integers(2, 12), st.data())
def test_rows_that_changed_places_are_said_to_have(count: int, data: st.DataObject) -> None:
    rows = trail(count)
    head = head_of(rows)
    one, other = sorted(data.draw(st.lists(st.integers(0, count - 1), min_size=2, max_size=2, unique=True)))
    rows[one], rows[other] = rows[other], rows[one]
    found = first_fault(renumbered(rows), head=head)
    assert found is not None
    assert (found.sequence, found.fault) == (one + 1, Fault.REORDERED)
    assert f"was written as row {other + 1}" in found.sentence


@given(st.integers(2, 12), st.data())
def test_a_row_taken_out_behind_which_all_moved_up_is_noticed_there(count: int, data: st.DataObject) -> None:
    rows = trail(count)
    place = data.draw(st.integers(0, count - 2))
    del rows[place]
    found = first_fault(renumbered(rows), head=head_of(rows))
    assert found is not None
    assert (found.sequence, found.fault) == (place + 1, Fault.REORDERED)


@given(st.integers(2, 12), st.data())
def test_a_row_that_was_written_anew_with_a_hash_of_its_own_is_found_by_the_next(
    count: int, data: st.DataObject
) -> None:
    rows = trail(count)
    head = head_of(rows)
    place = data.draw(st.integers(0, count - 1))
    rows[place] = sealed(replace(rows[place], why="another reason"))
    found = first_fault(rows, head=head)
    assert found is not None
    assert found.sequence == place + 1
    assert found.fault is (Fault.NOT_COUNTED if place == count - 1 else Fault.REPLACED)


@given(st.integers(1, 12), st.data())
def test_a_trail_written_anew_to_its_end_is_found_by_a_head_noted_outside_alone(
    count: int, data: st.DataObject
) -> None:
    rows = trail(count)
    outside = head_of(rows)
    place = data.draw(st.integers(0, count - 1))
    rows[place] = sealed(replace(rows[place], why="another reason"))
    for number in range(place + 1, count):
        rows[number] = sealed(replace(rows[number], previous_hash=rows[number - 1].hash))
    assert first_fault(rows, head=head_of(rows)) is None
    found = first_fault(rows, head=head_of(rows), expected=[outside])
    assert found is not None
    assert (found.sequence, found.fault) == (count, Fault.NOT_EXPECTED)


def test_a_trail_cut_off_with_its_head_is_found_by_a_head_noted_outside_alone() -> None:
    rows = trail(5)
    outside = head_of(rows)
    assert first_fault(rows[:3], head=head_of(rows[:3])) is None
    found = first_fault(rows[:3], head=head_of(rows[:3]), expected=[outside])
    assert found is not None
    assert (found.sequence, found.fault) == (4, Fault.CUT_OFF)
    emptied = first_fault([], head=None, expected=[outside])
    assert emptied is not None
    assert (emptied.sequence, emptied.fault) == (1, Fault.CUT_OFF)


def test_a_count_beyond_all_bounds_delays_no_answer() -> None:
    rows = trail(3)
    endless = Head(9 * 10**18, rows[-1].hash)
    found = first_fault([rows[0], replace(rows[1], why="x"), rows[2]], head=endless)
    assert found is not None
    assert (found.sequence, found.fault) == (2, Fault.ALTERED)
    short = first_fault(rows, head=endless)
    assert short is not None
    assert (short.sequence, short.fault) == (4, Fault.CUT_OFF)


@pytest.mark.parametrize("swapped", [False, True])
def test_every_head_that_was_noted_counts_though_another_of_its_number_holds(swapped: bool) -> None:
    rows = trail(3)
    noted = [Head(2, "0" * 64), Head(2, rows[1].hash)]
    found = first_fault(rows, head=head_of(rows), expected=noted[::-1] if swapped else noted)
    assert found is not None
    assert (found.sequence, found.fault) == (2, Fault.NOT_EXPECTED)


def test_a_trail_without_its_count_is_no_trail() -> None:
    found = first_fault(trail(3), head=None)
    assert found is not None
    assert found.fault is Fault.NOT_COUNTED


def test_the_hash_is_of_a_form_that_others_can_compute() -> None:
    row = trail(2)[1]
    told = {name: getattr(row, name) for name in (*TEXTS, "previous_hash")}
    told |= {"sequence": 2, "at": "2026-03-01T00:00:02.000000+00:00"}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"))
    assert canonical_bytes(row) == text.encode()
    assert row.hash == event_hash(row) == hashlib.sha256(text.encode()).hexdigest()


def test_the_zone_in_which_an_instant_is_told_changes_no_hash() -> None:
    row = trail(1)[0]
    assert event_hash(replace(row, at=row.at.astimezone(timezone(timedelta(hours=5, minutes=30))))) == row.hash


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals(allow_nan=False) | st.text() | st.datetimes() | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=5), st.randoms())
def test_one_state_has_one_text_in_whatever_order_it_was_put_together(state: dict[str, object], luck: object) -> None:
    names = list(state)
    luck.shuffle(names)  # type: ignore[attr-defined]
    text = state_text({name: state[name] for name in names})
    assert text == state_text(state)
    assert "\x00" not in text
    text.encode()
    json.loads(text)


def test_a_state_keeps_what_is_missing_apart_from_zero_and_the_digits_of_money() -> None:
    state = {"cost": Decimal("12.50"), "until": None, "at": START, "on": START.date(), "teams": {"b", "a"}, "n": 0}
    assert json.loads(state_text(state)) == {
        "cost": "12.50",
        "until": None,
        "at": "2026-03-01T00:00:00+00:00",
        "on": "2026-03-01",
        "teams": ["a", "b"],
        "n": 0,
    }
    assert state_text(None) == ""
    assert state_text({}) == "{}"
    with pytest.raises(TypeError, match="no form"):
        state_text({"thing": object()})


def test_a_head_is_read_as_it_is_printed_and_nothing_else_is() -> None:
    head = head_of(trail(3))
    assert read_head(f" {head}\n") == head
    for text in (
        "",
        "3",
        "3:",
        f":{head.hash}",
        f"3:{head.hash}0",
        f"-3:{head.hash}",
        f"٣:{head.hash}",
        "3:" + "g" * 64,
    ):
        with pytest.raises(UnableToReadHead):
            read_head(text)
