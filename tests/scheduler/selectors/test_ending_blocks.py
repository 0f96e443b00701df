from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from scheduler.domain.block_clock.states import JobState, Trouble
from scheduler.models import EndStep
from scheduler.selectors.ending_blocks import ending_blocks
from tests.scheduler.blocks_that_end import END, UNMEASURED, USABLE, block, job

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def test_blocks_come_with_their_deadlines_the_next_to_end_first(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    later = block("cr-later", end_at=END + timedelta(days=1), usable_until=USABLE + timedelta(days=1))
    soon = block("cr-soon")
    job(later, "waits")
    job(soon, "measured", measured=(60, 300, 120))
    job(soon, "unmeasured", expected_end_at=UNMEASURED)
    with django_assert_num_queries(3):
        first, second = ending_blocks(as_of=END - timedelta(hours=5))
    assert (first.held.external_id, second.held.external_id) == ("cr-soon", "cr-later")
    assert first.end.usable_until == USABLE
    assert [(one.id, one.deadline, one.finishes) for one in first.jobs] == [
        ("unmeasured", UNMEASURED, True),
        ("measured", USABLE - 15 * MINUTE, False),
    ]
    assert first.no_admit_after == UNMEASURED
    assert [one.id for one in first.will_not_finish] == ["measured"]


def test_a_block_without_jobs_admits_nothing_that_an_unmeasured_job_could_not_save() -> None:
    block()
    (alone,) = ending_blocks(as_of=END - timedelta(hours=5))
    assert (alone.jobs, alone.no_admit_after) == ((), UNMEASURED)


def test_the_newest_two_hundred_durations_decide() -> None:
    job(block(), measured=(60,) * 200 + (3600,) * 50)
    (one,) = ending_blocks(as_of=END - timedelta(hours=5))[0].jobs
    assert (one.checkpoint.takes, one.checkpoint.measured) == (MINUTE, 200)


def test_an_escalation_shows_although_no_controller_ran() -> None:
    job(block())
    (seen,) = ending_blocks(as_of=USABLE)
    assert [(one.id, one.standing.trouble, one.stored.state) for one in seen.escalated] == [
        ("run-1", Trouble.LATE, JobState.REGISTERED)
    ]


def test_steps_for_another_end_do_not_count_for_this_one() -> None:
    made = job(block())
    EndStep.objects.create(
        job=made, end_at=END - timedelta(days=1), step="request_stop", intended_at=END - timedelta(days=1), attempts=3
    )
    (one,) = ending_blocks(as_of=END - timedelta(hours=5))[0].jobs
    assert (one.standing.state, len(one.steps)) == (JobState.REGISTERED, 1)


def test_what_ended_stays_for_a_day_and_what_never_began_does_not_show() -> None:
    block("cr-over", state="ended")
    block("cr-failed", state="failed")
    job(block("cr-manual", kind="manual", ends_terminate_instances=False, usable_until=None))
    block("cr-on-demand", kind="on_demand", ends_terminate_instances=False)
    assert [one.held.external_id for one in ending_blocks(as_of=END + timedelta(hours=23))] == ["cr-manual", "cr-over"]
    assert ending_blocks(as_of=END + timedelta(hours=24)) == []


def test_one_block_can_be_asked_for_long_after_its_end() -> None:
    wanted = block()
    block("cr-other")
    job(wanted)
    (one,) = ending_blocks(as_of=END + timedelta(days=40), reservation_id=wanted.pk)
    assert (one.held.id, len(one.jobs)) == (wanted.pk, 1)
    endless = block("cr-endless", end_at=None, usable_until=None)
    assert ending_blocks(as_of=END, reservation_id=endless.pk) == []


@pytest.mark.parametrize(("shape", "minutes"), [("", 60), ("p6e-gb200.36xlarge", 60), ("p5.48xlarge", 30)])
def test_a_block_of_which_nobody_said_whether_it_is_an_ultraserver_is_what_its_type_says(
    shape: str, minutes: int
) -> None:
    block(usable_until=None, shape=shape)
    (one,) = ending_blocks(as_of=END - timedelta(hours=5))
    assert (one.end.usable_until, one.end.assumed) == (END - minutes * MINUTE, True)
