"""What is written is what two independent readers read, whatever names hold."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.calendar.event import Dated, Event, EventKind, event_uid, events_of, plain_text
from scheduler.domain.calendar.ics import calendar_text, event_text, with_address
from scheduler.domain.calendar.month import weeks_of
from tests.scheduler.domain.calendar.reading import events

END = datetime(2027, 6, 13, 11, 30, tzinfo=UTC)
STAMP = datetime(2027, 4, 1, 9, 0, 30, 500, tzinfo=UTC)
HOSTILE = "a,b;c\\d\r\nEND:VEVENT\r\nBEGIN:VEVENT\nX-EVIL:1\x00\x1b\u2028“ü€😀”"


def block(**said: object) -> Dated:
    fields: dict[str, object] = {
        "arn": "arn:aws:ec2:us-east-1:111122223333:capacity-reservation/cr-0aaa",
        "external_id": "cr-0aaa",
        "kind": Kind.BLOCK,
        "state": State.ACTIVE,
        "owner": "serving",
        "pool": "serve-h100",
        "shape": "p5.48xlarge",
        "nodes": 16,
        "start_at": END - timedelta(days=90),
        "end_at": END,
        "usable_until": END - timedelta(minutes=30),
        "decide_on": date(2027, 5, 9),
        "lead_words": "14 days of procurement and 21 of the provider before it",
        "reservation_id": 7,
    }
    return Dated(**{**fields, **said})


def written(event: Event, **said: object) -> bytes:
    given_ = {"sequence": 0, "changed_at": STAMP, "cancelled": False, **said}
    return calendar_text("Moorage: serving", [event_text(event, **given_)]).encode()


def test_a_block_brings_its_start_its_windows_its_decision_and_its_ends() -> None:
    told = {event.kind: event for event in events_of([block()], UTC)}
    assert set(told) == set(EventKind)
    assert told[EventKind.START].at == END - timedelta(days=90)
    assert told[EventKind.EXTENSION_OPENS].at == END - timedelta(days=56)
    assert told[EventKind.EXTENSION_CLOSES].at == END - timedelta(hours=1)
    assert told[EventKind.USABLE_END].at == END - timedelta(minutes=30)
    assert told[EventKind.END].at == END
    assert (told[EventKind.DECISION].on, told[EventKind.DECISION].at) == (
        date(2027, 5, 9), datetime(2027, 5, 9, tzinfo=UTC)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ({"kind": Kind.ON_DEMAND, "usable_until": END, "decide_on": None}, {"end"}),
        ({"kind": Kind.ON_DEMAND, "end_at": None, "usable_until": None, "decide_on": None}, set()),
        ({"state": State.REQUESTED}, set()),
        ({"state": State.UNAVAILABLE, "decide_on": None}, {"start", "usable_end", "end"}),
        ({"start_at": END - timedelta(days=20), "decide_on": None}, {"start", "extension_closes", "usable_end", "end"}),
    ],
)
def test_what_there_is_not_brings_no_event(said: dict[str, object], kinds: set[str]) -> None:
    assert {event.kind.value for event in events_of([block(**said)], UTC)} == kinds


def test_an_identity_holds_for_one_reservation_and_kind_whatever_moves() -> None:
    before, after = events_of([block()], UTC), events_of([block(end_at=END + timedelta(days=14), pool="other")], UTC)
    assert {one.uid for one in before} == {one.uid for one in after}
    assert len({one.uid for one in before}) == len(before)
    assert event_uid("arn:a", EventKind.END) != event_uid("arn:b", EventKind.END)


@pytest.mark.parametrize("decided", ["", "let lapse"])
def test_a_decision_that_stands_is_told_in_place_of_the_question(decided: str) -> None:
    summary = next(one.summary for one in events_of([block(decided=decided)], UTC) if one.kind is EventKind.DECISION)
    asked = "Decide what follows 16 × p5.48xlarge of serve-h100"
    assert summary == ("serve-h100: decided, let lapse" if decided else asked)


@pytest.mark.parametrize(
    ("zone", "day", "begins", "hours"),
    [
        ("Europe/Berlin", date(2027, 3, 28), datetime(2027, 3, 27, 23, tzinfo=UTC), 23),
        ("Europe/Berlin", date(2027, 10, 31), datetime(2027, 10, 30, 22, tzinfo=UTC), 25),
        ("America/Santiago", date(2027, 9, 5), datetime(2027, 9, 5, 4, tzinfo=UTC), 23),
        ("Asia/Kolkata", date(2027, 5, 9), datetime(2027, 5, 8, 18, 30, tzinfo=UTC), 24),
    ],
)
def test_a_decision_takes_its_whole_local_day_also_where_a_clock_changes(
    zone: str, day: date, begins: datetime, hours: int
) -> None:
    told = [one for one in events_of([block(decide_on=day)], ZoneInfo(zone)) if one.kind is EventKind.DECISION]
    assert [(one.on, one.at) for one in told] == [(day, begins)]
    following = events_of([block(decide_on=day + timedelta(days=1))], ZoneInfo(zone))
    assert [one.at for one in following if one.kind is EventKind.DECISION] == [begins + timedelta(hours=hours)]
    read = events(written(told[0]))[0]
    assert read["DTSTART;VALUE=DATE"] == f"{day:%Y%m%d}"
    assert read["DTEND;VALUE=DATE"] == f"{day + timedelta(days=1):%Y%m%d}"


def test_an_instant_stands_in_utc_and_stamps_are_those_of_the_change() -> None:
    end = next(one for one in events_of([block()], ZoneInfo("Asia/Tokyo")) if one.kind is EventKind.END)
    read = events(written(end, sequence=3))[0]
    assert read["DTSTART"] == "20270613T113000Z"
    assert read["DTSTAMP"] == read["LAST-MODIFIED"] == "20270401T090030Z"
    assert (read["SEQUENCE"], read["STATUS"]) == ("3", "CONFIRMED")
    assert events(written(end, sequence=4, cancelled=True))[0]["STATUS"] == "CANCELLED"
    assert not [name for name in read if name.startswith("DTEND")]


def test_hostile_names_bring_no_line_of_their_own() -> None:
    told = events_of([block(pool=HOSTILE, owner=HOSTILE, shape=HOSTILE, external_id=HOSTILE)], UTC)
    data = calendar_text("x", [event_text(one, sequence=0, changed_at=STAMP, cancelled=False) for one in told]).encode()
    read = events(data)
    assert len(read) == len(told)
    assert not any(name.startswith("X-EVIL") for one in read for name in one)
    assert [one["SUMMARY"] for one in read] == [event.summary for event in told]
    assert [one["DESCRIPTION"] for one in read] == [event.description for event in told]


def test_a_hostile_name_of_a_calendar_stays_in_its_line() -> None:
    data = calendar_text(f"Moorage: {HOSTILE}{'x' * 400}", []).encode()
    (read,) = icalendar.Calendar.from_ical(data).walk("VCALENDAR")
    assert str(read["x-wr-calname"]).startswith("Moorage: a,b;c")
    assert len(str(read["x-wr-calname"])) == 300
    assert data.count(b"\r\nBEGIN:") == 0
    assert b"\r\nX-EVIL" not in data


@given(name=st.text(max_size=400), owner=st.text(max_size=120), url=st.integers(0, 400))
def test_two_readers_read_what_was_written(name: str, owner: str, url: int) -> None:
    told = events_of([block(pool=name, owner=owner)], ZoneInfo("Europe/Berlin"))
    address = f"https://moorage.example.com/{'r' * url}/"
    texts = [with_address(event_text(one, sequence=2, changed_at=STAMP, cancelled=False), address) for one in told]
    data = calendar_text("Moorage", texts).encode()
    read, library = events(data), icalendar.Calendar.from_ical(data).walk("VEVENT")
    assert len(read) == len(library) == len(told)
    for event, mine, theirs in zip(told, read, library, strict=True):
        assert mine["UID"] == str(theirs["uid"]) == event.uid
        assert mine["SUMMARY"] == str(theirs["summary"]) == event.summary
        assert mine["DESCRIPTION"] == str(theirs["description"]) == event.description
        assert mine["URL"] == str(theirs["url"]) == address
        start = theirs.decoded("dtstart")
        assert start == (event.on or event.at)
        if event.on:
            assert theirs.decoded("dtend") == event.on + timedelta(days=1)


@given(text=st.text(max_size=600), longest=st.integers(1, 300))
def test_a_plain_text_fits_and_holds_no_control(text: str, longest: int) -> None:
    kept = plain_text(text, longest)
    assert len(kept) <= longest
    assert not any(ord(character) < 32 or ord(character) in (0x7F, 0x2028, 0x2029) for character in kept)


def test_the_same_event_is_written_in_the_same_bytes() -> None:
    end = events_of([block()], UTC)[-1]
    assert written(end) == written(events_of([block()], UTC)[-1])
    assert end.content_hash != events_of([block(nodes=8)], UTC)[-1].content_hash


@given(day=st.dates(date(1971, 1, 1), date(2199, 12, 31)))
def test_the_weeks_of_a_month_hold_each_of_its_days_once(day: date) -> None:
    weeks = weeks_of(day)
    days = [one for week in weeks for one in week]
    assert all(week[0].weekday() == 0 and len(week) == 7 for week in weeks)
    assert days == [days[0] + timedelta(days=place) for place in range(len(days))]
    wanted = [one for one in days if (one.year, one.month) == (day.year, day.month)]
    assert len(wanted) == (((day.replace(day=28) + timedelta(days=4)).replace(day=1)) - timedelta(days=1)).day
    assert all(any(one.month == day.month for one in week) for week in weeks)
