"""What changes within an episode: its steps, how much it presses and its cause."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.facts import BlockJobFact, BreakEvenLines
from scheduler.domain.alert.finding import Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.block_clock.states import JobState
from tests.scheduler.alerts.cases import begun, decide
from tests.scheduler.alerts.pool_cases import idle, joined, used
from tests.scheduler.alerts.world import (
    DAY,
    DUE,
    HOUR,
    MINUTE,
    NOW,
    USE,
    asked,
    block,
    ending,
    facts,
    found,
    free,
    pool,
    reservation,
    source,
)

A_MOMENT = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("left", "step", "severity"),
    [
        (24 * HOUR, "24 h", "warning"),
        (4 * HOUR + A_MOMENT, "24 h", "warning"),
        (4 * HOUR, "4 h", "warning"),
        (90 * MINUTE + A_MOMENT, "4 h", "warning"),
        (90 * MINUTE, "90 min", "critical"),
        (40 * MINUTE, "40 min", "critical"),
        (timedelta(0), "40 min", "critical"),
        (-29 * MINUTE, "40 min", "critical"),
    ],
)
def test_a_block_that_ends_has_four_steps_and_only_the_latest_due_is_told(
    left: timedelta, step: str, severity: str
) -> None:
    finding = found("block_ending", facts(ending(left, JobState.REGISTERED)))

    assert (finding.step, finding.severity.value) == (step, severity)
    assert finding.since == NOW + left - DAY


def test_a_job_in_trouble_makes_its_block_critical_and_is_named_first() -> None:
    finding = found("block_ending", facts(ending(20 * HOUR, JobState.REGISTERED, JobState.ESCALATED)))

    assert finding.severity is Severity.CRITICAL
    assert finding.summary == "Works 20 h more; 2 jobs on it, 2 won't finish by itself, 1 in trouble"
    assert finding.cause.startswith("run-1: It is escalated.")


def test_each_job_in_trouble_is_a_step_of_its_own_and_the_steps_by_time_stay() -> None:
    quiet, escalated = JobState.REGISTERED, JobState.ESCALATED
    told = [
        found("block_ending", facts(ending(HOUR, *states)))
        for states in ((quiet, quiet), (quiet, escalated), (escalated, escalated))
    ]

    assert [one.also for one in told] == [(), ("trouble run-1",), ("trouble run-0", "trouble run-1")]
    assert {one.step for one in told} == {"90 min"}


def test_jobs_with_long_names_are_told_from_each_other_in_forty_characters() -> None:
    jobs = [BlockJobFact("j" * 127 + end, NOW, JobState.ESCALATED, "It is so.", finishes=False) for end in "ab"]
    steps = found("block_ending", facts(ending(HOUR, jobs=tuple(jobs)))).also

    assert len(set(steps)) == 2
    assert {len(step) for step in steps} == {40}


def test_an_end_that_moves_is_another_occurrence_and_the_steps_of_one_are_not() -> None:
    first, second = (found("block_ending", facts(ending(left))) for left in (HOUR, 2 * HOUR))
    assert first.object != second.object

    at_end = NOW + DAY
    one = ending(DAY, end_at=at_end)
    assert found("block_ending", facts(one)).object == found("block_ending", facts(replace(one, jobs=()))).object
    assert found("block_ending", facts(one)).object == f"reservation:1@{at_end.isoformat()}"


@pytest.mark.parametrize(
    ("days", "step", "severity"),
    [(14, "14 d", "notice"), (4, "14 d", "notice"), (3, "3 d", "warning"), (1, "3 d", "warning"), (0, "due", "warning"),
     (-30, "due", "warning")],
)  # fmt: skip
def test_a_decision_is_asked_for_again_as_its_day_comes(days: int, step: str, severity: str) -> None:
    finding = found("decision_due", decide(days))

    assert (finding.step, finding.severity.value) == (step, severity)


def test_an_end_without_a_decision_is_critical_where_it_takes_the_machines_within_two_days() -> None:
    assert found("end_date_surprise", facts(block(48 * HOUR))).severity is Severity.CRITICAL
    assert found("end_date_surprise", facts(block(48 * HOUR + A_MOMENT))).severity is Severity.WARNING
    assert found("end_date_surprise", facts(reservation(end_at=NOW + DAY))).severity is Severity.WARNING


@pytest.mark.parametrize(
    ("left", "decided", "step", "severity"),
    [
        (36 * HOUR, "", "36 h", "warning"),
        (12 * HOUR, "", "12 h", "warning"),
        (12 * HOUR, "renew", "12 h", "critical"),
        (3 * HOUR, "renew", "3 h", "critical"),
        (HOUR + A_MOMENT, "renew", "3 h", "critical"),
    ],
)
def test_the_window_of_an_extension_closes_in_steps(left: timedelta, decided: str, step: str, severity: str) -> None:
    finding = found("extension_closing", facts(block(left, decided=decided)))

    assert (finding.step, finding.severity.value) == (step, severity)


def test_an_extension_that_is_not_wanted_is_not_told_of_but_where_it_waits_for_its_payment() -> None:
    for told in ({"decided": "resize"}, {"decided": "renew", "executed": True}, {"decided": "lapse"}):
        for left in (36 * HOUR, 12 * HOUR, HOUR + A_MOMENT):
            assert asked("extension_closing", facts(block(left, **told))).findings == (), told
        waits = facts(block(12 * HOUR, extension_pending=True, **told))
        assert found("extension_closing", waits).step == "unpaid"


def test_an_unpaid_extension_is_critical_once_its_payment_may_come_too_late() -> None:
    early = found("extension_closing", facts(block(20 * DAY, extension_pending=True)))
    late = found("extension_closing", facts(block(12 * HOUR, extension_pending=True)))

    assert (early.step, early.severity) == ("unpaid", Severity.WARNING)
    assert (late.step, late.severity) == ("unpaid", Severity.CRITICAL)


def test_an_empty_block_becomes_critical_after_an_hour() -> None:
    assert found("block_starting_unused", begun(60 * MINUTE)).severity is Severity.CRITICAL
    assert found("block_starting_unused", begun(60 * MINUTE - A_MOMENT)).severity is Severity.WARNING


def test_slots_that_get_free_while_a_block_drains_are_only_worth_knowing() -> None:
    slots = free(4, NOW - 2 * HOUR, used_first=9)
    finding = found("reserved_unused", facts(block(3 * HOUR, slots=slots)))

    assert finding.severity is Severity.NOTICE
    assert finding.cause.startswith("It is draining")


def test_a_region_that_is_silent_for_two_hours_is_critical_and_an_engine_is_not() -> None:
    assert found("source_stale", facts(source(2 * HOUR, inventory=True))).severity is Severity.WARNING
    assert found("source_stale", facts(source(2 * HOUR + A_MOMENT, inventory=True))).severity is Severity.CRITICAL
    assert found("source_stale", facts(source(DAY))).severity is Severity.WARNING


def test_idle_allocations_are_named_where_they_decide_that_it_does_not_pay() -> None:
    said = found("below_break_even", used("0.3"))
    assert said.cause.startswith("What pods hold would be enough")

    other = replace(pool(), use=replace(USE, busy=0, allocated_share=Decimal(0)))
    assert found("below_break_even", facts(other)).cause == ""


def test_the_line_with_launches_that_fail_goes_before_that_of_the_prices() -> None:
    lines = BreakEvenLines(Decimal("0.5"), Decimal("0.9"))

    told = found("below_break_even", facts(pool(lines=lines)))
    assert dict(told.numbers)["held against"] == "the line with launches that fail"
    assert dict(told.numbers)["with launches that fail"].startswith("90.0")
    assert not any(figure in told.summary for figure in ("50", "90")), "the line is a ratio of prices"


def test_nodes_are_missing_since_the_first_hour_of_the_unbroken_run() -> None:
    assert found("pool_short", joined("1", hours=5)).since == DUE - 5 * HOUR
    assert found("pool_short", joined("1", hours=24)).since == DUE - 24 * HOUR


def test_what_pods_held_idle_names_who_held_most() -> None:
    held = replace(idle("0.5").pools[0], holder="Most by a/b: 3 GPU-hours.")

    assert found("allocated_not_busy", facts(held)).cause == "Most by a/b: 3 GPU-hours."


def test_one_observation_without_a_running_node_holds_what_goes_on_on_demand_and_three_resolve_it() -> None:
    for observed, held in ((None, True), (1, True), (2, True), (3, False)):
        empty = free(10, NOW - HOUR, unused=observed)
        verdicts = asked("becoming_on_demand", facts(reservation(end_at=NOW + DAY, slots=empty)))
        assert (verdicts.findings, bool(verdicts.held)) == ((), held)


@pytest.mark.parametrize(("inventory", "minutes"), [(True, 9), (False, 81)])
def test_a_source_is_resolved_well_below_what_opens_it(inventory: bool, minutes: int) -> None:
    fresh, stale = (source(minutes * MINUTE + more, inventory=inventory) for more in (timedelta(0), A_MOMENT))

    assert asked("source_stale", facts(fresh)) == Verdicts()
    assert asked("source_stale", facts(stale)) == Verdicts(held=frozenset({"source:prod"}))


@pytest.mark.parametrize("name", ["decision_due", "end_date_surprise"])
@pytest.mark.parametrize("kind", Kind)
def test_a_decision_is_asked_for_only_where_a_renewal_is_proposed(name: str, kind: Kind) -> None:
    for state in State:
        ends = block(DAY, kind=kind, state=state, decide_on=NOW.date())
        asks = bool(asked(name, facts(ends)).findings)
        lives = state in (State.ACTIVE, State.SCHEDULED, State.UNAVAILABLE, State.UNKNOWN)
        assert asks == (lives and kind.value != "interruptible"), (kind, state)


def test_a_future_dated_reservation_goes_on_on_demand_too() -> None:
    told = facts(reservation(kind=Kind.FUTURE, end_at=NOW + DAY, slots=free(4, NOW)))

    assert found("becoming_on_demand", told).summary == "In 1 d 6 running nodes go on at the on-demand price"
