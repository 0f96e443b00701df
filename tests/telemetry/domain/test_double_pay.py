"""The rule against a count minute by minute, and each cause by its own example."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.period import Period, epoch_ms
from telemetry.domain.double_pay.parties import NEAR, Cause, FreeRun, Outside, Slots
from telemetry.domain.double_pay.rule import paid_twice

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
START, MINUTE = epoch_ms(NOON), 60_000
MINUTES = 40
PERIOD = Period(NOON, NOON + timedelta(minutes=MINUTES))
WHOLE = [(START, START + MINUTES * MINUTE)]
ZONES, PLATFORMS = ("use1-az4", "use1-az6", ""), ("Linux/UNIX", "Windows")


def ms(minute: int) -> int:
    return START + minute * MINUTE


def slots(free: list[tuple[int, int, int]] | None = None, **said: Any) -> Slots:
    """An open reservation in which one slot is free all the time; it was taken until ten minutes before."""
    runs = [(0, MINUTES, 1)] if free is None else free
    fields = {
        "reservation": "cr-0a",
        "pool_id": 1,
        "zone_id": "use1-az4",
        "platform": "Linux/UNIX",
        "tenancy": "default",
        "matching": "open",
        "accounts": frozenset({"111122223333"}),
        "usable": WHOLE,
        "free": [FreeRun(ms(a), ms(b), count) for a, b, count in runs],
        "free_since": ms(-10),
    }
    return Slots(**{**fields, **said})


def instance(start: int = 0, end: int = MINUTES, **said: Any) -> Outside:
    """An instance that is willing and was launched an hour before."""
    fields = {
        "instance_id": "i-0a",
        "account_id": "111122223333",
        "zone_id": "use1-az4",
        "platform": "Linux/UNIX",
        "tenancy": "default",
        "preference": "open",
        "target": "",
        "launched": ms(-60),
        "start": ms(start),
        "end": ms(end),
    }
    return Outside(**{**fields, **said})


def minutes_by_cause(*found: Any, listed: Any = WHOLE) -> dict[Cause, float]:
    held = [one for one in found if isinstance(one, Slots)]
    running = [one for one in found if isinstance(one, Outside)]
    counted: Counter[Cause] = Counter()
    for row in paid_twice(held, running, listed, PERIOD).rows:
        counted[row.cause] += row.instance_ms
    return {cause: amount / MINUTE for cause, amount in counted.items()}


@pytest.mark.parametrize(
    ("held", "ran", "cause"),
    [
        ({}, {"preference": "none"}, Cause.OPTED_OUT),
        ({}, {"target": "cr-0other"}, Cause.NAMES_ANOTHER),
        ({}, {"target": "arn:aws:resource-groups:us-east-1:111122223333:group/a"}, Cause.NAMES_GROUP),
        ({"matching": "targeted"}, {}, Cause.NOT_NAMED),
        ({}, {"account_id": "444455556666"}, Cause.NOT_SHARED),
        ({}, {}, Cause.NOT_MOVED_BACK),
        ({}, {"launched": ms(-5)}, Cause.MISSED),
        ({"matching": "targeted"}, {"target": "cr-0a", "preference": "", "launched": ms(-5)}, Cause.MISSED),
        ({"free_since": None}, {}, Cause.UNKNOWN),
        ({}, {"launched": None}, Cause.UNKNOWN),
        ({}, {"preference": ""}, Cause.UNKNOWN),
        ({}, {"zone_id": "use1-az6"}, Cause.OTHER_ZONE),
        ({}, {"platform": "Windows"}, Cause.OTHER_PLATFORM),
        ({}, {"tenancy": "dedicated"}, Cause.OTHER_TENANCY),
        ({}, {"zone_id": ""}, Cause.NOT_PLACED),
        ({"zone_id": ""}, {"zone_id": ""}, Cause.NOT_PLACED),
    ],
)
def test_each_cause_is_told_apart(held: dict[str, Any], ran: dict[str, Any], cause: Cause) -> None:
    assert minutes_by_cause(slots(**held), instance(**ran)) == {cause: MINUTES}


def test_only_the_time_in_which_a_slot_was_free_and_an_instance_ran_counts() -> None:
    held = slots([(0, 10, 0), (10, 25, 2), (25, 40, 0)])
    assert minutes_by_cause(held, instance(5, 20, preference="none")) == {Cause.OPTED_OUT: 10}


def test_no_more_is_paid_twice_than_there_are_free_slots() -> None:
    three = [instance(instance_id=f"i-{number}", preference="none") for number in range(3)]
    assert minutes_by_cause(slots([(0, MINUTES, 2)]), *three) == {Cause.OPTED_OUT: 2 * MINUTES}


def test_an_instance_meets_the_reservation_that_it_names() -> None:
    first, second = slots(reservation="cr-0a"), slots(reservation="cr-0b")
    named = instance(target="cr-0b", preference="", launched=ms(-5))
    (row,) = paid_twice([first, second], [named], WHOLE, PERIOD).rows
    assert (row.reservation, row.cause) == ("cr-0b", Cause.MISSED)


def test_free_slots_have_been_free_since_the_first_of_an_unbroken_run() -> None:
    held = slots([(0, 10, 0), (10, 20, 1), (20, 40, 2)], free_since=None)
    assert minutes_by_cause(held, instance(launched=ms(15))) == {Cause.MISSED: 30}
    assert minutes_by_cause(held, instance(launched=ms(5))) == {Cause.NOT_MOVED_BACK: 30}


def test_a_row_ends_with_its_day() -> None:
    evening = datetime(2026, 5, 4, 23, 50, tzinfo=UTC)
    period = Period(evening, evening + timedelta(minutes=30))
    spans = [(period.start_ms, period.end_ms)]
    held = slots([(710, 740, 1)], usable=spans)
    running = instance(start=0, end=24 * 60, preference="none")
    found = paid_twice([held], [running], spans, period).rows
    assert [row.instance_ms // MINUTE for row in found] == [10, 20]


def test_without_a_listing_time_with_free_or_unseen_slots_is_unknown_and_time_without_any_is_not() -> None:
    held = slots([(0, 10, 0), (10, 20, 1)])
    found = paid_twice([held], [], [], PERIOD)
    assert found.rows == ()
    assert (found.usable_ms[held], found.unknown_ms[held]) == (MINUTES * MINUTE, 30 * MINUTE)


def test_unseen_slots_are_unknown_only_while_an_instance_runs_that_fits_them() -> None:
    held = slots([])
    found = paid_twice([held], [instance(0, 15), instance(0, 40, zone_id="use1-az6")], WHOLE, PERIOD)
    assert found.unknown_ms[held] == 15 * MINUTE


span = st.tuples(st.integers(0, MINUTES - 1), st.integers(1, MINUTES)).map(lambda one: (one[0], one[0] + one[1]))
counts = st.lists(st.sampled_from([None, 0, 1, 2]), min_size=4, max_size=4)
fit = st.tuples(st.sampled_from(ZONES), st.sampled_from(PLATFORMS))


def as_runs(of_tens: list[int | None]) -> list[tuple[int, int, int]]:
    return [(10 * n, 10 * n + 10, count) for n, count in enumerate(of_tens) if count is not None]


@given(
    held=st.lists(st.tuples(fit, counts, span), max_size=4),
    ran=st.lists(st.tuples(fit, span), max_size=5),
    looked=st.lists(st.booleans(), min_size=4, max_size=4),
)
def test_the_hours_are_those_of_a_count_minute_by_minute(held: list, ran: list, looked: list[bool]) -> None:
    some = [
        slots(
            as_runs(tens),
            reservation=f"cr-{number}",
            zone_id=zone,
            platform=platform,
            usable=[(ms(life[0]), ms(min(life[1], MINUTES)))],
        )
        for number, ((zone, platform), tens, life) in enumerate(held)
    ]
    running = [
        instance(start, end, instance_id=f"i-{number}", zone_id=zone, platform=platform)
        for number, ((zone, platform), (start, end)) in enumerate(ran)
    ]
    listed = [(ms(10 * n), ms(10 * n + 10)) for n, yes in enumerate(looked) if yes]
    found = paid_twice(some, running, listed, PERIOD)
    twice = sum(row.instance_ms for row in found.rows if row.cause not in NEAR)
    near = sum(row.instance_ms for row in found.rows if row.cause in NEAR)
    assert (twice, near) == tuple(MINUTE * amount for amount in counted(held, ran, looked))


def counted(held: list, ran: list, looked: list[bool]) -> tuple[int, int]:
    """Minutes paid twice and near misses, one minute after the other."""
    twice = near = 0
    for minute in range(MINUTES):
        if not looked[minute // 10]:
            continue
        free: Counter = Counter()
        for place, tens, (start, end) in held:
            if start <= minute < end:
                free[place] += tens[minute // 10] or 0
        runs = Counter(place for place, (start, end) in ran if start <= minute < end)
        here = sum(min(free[place], runs[place]) for place in runs if place[0])
        twice += here
        near += min(free.total(), runs.total()) - here
    return twice, near


@given(held=st.lists(st.tuples(fit, counts, span), max_size=3), ran=st.lists(st.tuples(fit, span), max_size=3))
def test_what_is_unknown_is_part_of_the_usable_time_and_each_instance_is_paid_twice_at_most_once(
    held: list, ran: list
) -> None:
    some = [slots(as_runs(tens), zone_id=zone, reservation=f"cr-{n}") for n, ((zone, _), tens, _) in enumerate(held)]
    running = [
        instance(start, end, instance_id=f"i-{n}", zone_id=zone) for n, ((zone, _), (start, end)) in enumerate(ran)
    ]
    found = paid_twice(some, running, WHOLE, PERIOD)
    assert all(0 <= found.unknown_ms.get(one, 0) <= found.usable_ms.get(one, 0) for one in some)
    ran_ms: Counter = Counter()
    for row in found.rows:
        ran_ms[row.instance_id] += row.instance_ms
    for n, (_, (start, end)) in enumerate(ran):
        assert ran_ms[f"i-{n}"] <= (min(end, MINUTES) - start) * MINUTE
