from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from scheduler.domain.alert.facts import Launches, Outside, ReservationFact
from scheduler.domain.alert.unused_cause import WHEN, UnusedCause, unused_cause
from tests.scheduler.alerts.world import HOUR, NOW, asked, block, facts, free, reservation


def beside(count: int = 4, **told: Any) -> Outside:
    fields = {"zone_id": "use1-az4", "platform": "Linux/UNIX", "tenancy": "default", "preference": "open"}
    return Outside(count, **fields | told)


def unused(*outside: Outside, slots: int = 3, **told: Any) -> ReservationFact:
    named = sum(row.count for row in outside if row.targets)
    return reservation(slots=free(slots, NOW - HOUR), launches=Launches(outside, named), **told)


TARGETED = {"matching": "targeted"}

CASES = {
    UnusedCause.DRAINING: block(4 * HOUR, slots=free(4, NOW - HOUR, used_first=9)),
    UnusedCause.OPTED_OUT: unused(beside(preference="none"), beside(zone_id="use1-az6")),
    UnusedCause.NOT_NAMED: unused(beside(), **TARGETED),
    UnusedCause.OTHER_PLATFORM: unused(beside(platform="Windows")),
    UnusedCause.OTHER_TENANCY: unused(beside(tenancy="dedicated")),
    UnusedCause.OTHER_ZONE: unused(beside(zone_id="use1-az6"), **TARGETED),
    UnusedCause.NOBODY_NAMES_IT: unused(slots=10, **TARGETED),
    UnusedCause.FAR_FROM_DATA: unused(data_zone_id="use1-az1"),
    UnusedCause.NO_CAPACITY: reservation(
        slots=free(3, NOW - HOUR), launches=Launches(None, None, 9, 7, date(2026, 6, 9))
    ),
    UnusedCause.MISSED: unused(beside()),
}


def test_there_is_a_case_of_every_cause() -> None:
    assert list(CASES) == list(UnusedCause) == list(WHEN)


@pytest.mark.parametrize("cause", UnusedCause)
def test_each_cause_is_told_apart_and_said_in_a_sentence(cause: UnusedCause) -> None:
    told = unused_cause(CASES[cause], as_of=NOW)

    assert told.cause is cause
    assert told.sentence.endswith(".")


def test_nothing_is_claimed_where_nothing_shows_it() -> None:
    assert unused_cause(unused(), as_of=NOW).cause is None
    assert unused_cause(reservation(slots=free(3, NOW - HOUR)), as_of=NOW).sentence == ""


def test_a_targeted_reservation_that_something_names_or_runs_in_is_not_said_to_be_named_by_nobody() -> None:
    named = unused(beside(targets=True, zone_id="use1-az6"), slots=10, **TARGETED)
    assert unused_cause(named, as_of=NOW).cause is UnusedCause.OTHER_ZONE
    assert unused_cause(unused(slots=9, **TARGETED), as_of=NOW).cause is None


def test_what_is_unknown_of_an_instance_is_no_mismatch() -> None:
    vague = unused(beside(platform="", tenancy="", zone_id=""))

    assert unused_cause(vague, as_of=NOW).cause is None


def test_slots_that_get_free_long_before_the_end_are_not_draining() -> None:
    held = block(5 * HOUR, slots=free(4, NOW - HOUR, used_first=9))
    assert unused_cause(held, as_of=NOW).cause is not UnusedCause.DRAINING
    late = replace(held, usable_until=NOW + 4 * HOUR + timedelta(microseconds=1))
    assert unused_cause(late, as_of=NOW).cause is not UnusedCause.DRAINING


def test_the_figures_of_unused_slots_say_what_was_not_looked_at() -> None:
    for told, said in ((reservation(slots=free(3, NOW - HOUR)), "not listed"), (unused(), "compared")):
        (finding,) = asked("reserved_unused", facts(told)).findings
        numbers = dict(finding.numbers)
        assert (numbers["instances beside it"], numbers["launch templates, quotas"]) == (said, "not read")
