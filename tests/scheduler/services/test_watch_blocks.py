from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db.models.functions import Now

from reservations.models import Reservation
from scheduler.domain.block_clock.states import JobState, Step, Trouble
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY
from scheduler.models import EndingJob, EndStep
from scheduler.services.block_clock import Passed, watch_blocks
from tests.fixtures.prometheus import free_port
from tests.fixtures.trainer import BUCKET, Trainer
from tests.scheduler.blocks_that_end import END, UNMEASURED, USABLE, block, job, stands

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def passed(at: datetime) -> Passed:
    return watch_blocks(as_of=at, clock=lambda: at, private=settings.PRIVATE_NETWORKS)


def running(trainer: Trainer, **told: Any) -> EndingJob:
    return job(block(), stop_hook_url=trainer.url, **told)


def test_before_its_deadline_a_job_is_left_alone(trainer: Trainer) -> None:
    row = running(trainer)
    assert passed(UNMEASURED - MINUTE).steps == 0
    assert (trainer.calls, stands(row)) == (0, (JobState.REGISTERED, ""))
    assert row.reason == "It is asked to stop 10 Jun 2026, 10:40 UTC: nobody said when it ends by itself."


def test_at_its_deadline_a_job_is_stopped_verified_and_made_resumable_in_one_pass(trainer: Trainer) -> None:
    row = running(trainer, decision="fall_back", fallback_shape="p5.48xlarge", fallback_nodes=2)
    assert passed(UNMEASURED).steps == 3
    assert stands(row) == (JobState.RESUMABLE, "")
    assert row.reason == "It can go on in its fallback: 2 × p5.48xlarge. Resuming it was never tested."
    assert list(trainer.accepted.values()) == [1]
    (body,) = trainer.bodies
    assert (body["job"], body["reservation"], body["end"]) == ("run-1", "cr-0b10c", END.isoformat())
    done = EndStep.objects.filter(job=row).order_by("intended_at").values_list("step", "done_at", "attempts")
    assert sorted(done) == sorted(
        (step.value, UNMEASURED, 1) for step in (Step.REQUEST_STOP, Step.VERIFY_CHECKPOINT, Step.MARK_RESUMABLE)
    )


def test_a_pass_that_is_repeated_does_nothing_more(trainer: Trainer) -> None:
    row = running(trainer)
    passed(UNMEASURED)
    assert passed(UNMEASURED).steps == 0
    assert passed(UNMEASURED + MINUTE).steps == 0
    assert (trainer.calls, stands(row)) == (1, (JobState.RESUMABLE, ""))


def test_a_measured_job_is_asked_by_its_own_slowest_checkpoint(trainer: Trainer) -> None:
    running(trainer, measured=(60, 120, 240))
    passed(USABLE - 15 * MINUTE)
    assert trainer.calls == 0
    passed(USABLE - 14 * MINUTE)
    assert trainer.calls == 1


def test_an_ultraserver_is_left_an_hour_before_its_end(trainer: Trainer) -> None:
    row = job(block(shape="p6e-gb200.36xlarge", usable_until=END - 60 * MINUTE), stop_hook_url=trainer.url)
    passed(END - 81 * MINUTE)
    assert trainer.calls == 0
    passed(END - 80 * MINUTE)
    assert stands(row) == (JobState.RESUMABLE, "")


def test_a_hook_that_is_down_is_escalated_in_the_same_pass_and_tried_on(trainer: Trainer) -> None:
    row = running(trainer)
    trainer.answers = [503, 503, 503, 503, 202]
    passed(UNMEASURED)
    assert (trainer.calls, stands(row)) == (3, (JobState.ESCALATED, Trouble.HOOK_DOWN))
    assert row.reason.endswith("answered 503: it may take a later one.")
    assert EndStep.objects.get(job=row, step=Step.ESCALATE).result == Trouble.HOOK_DOWN
    passed(UNMEASURED + MINUTE)
    assert stands(row) == (JobState.RESUMABLE, "")
    assert list(trainer.accepted.values()) == [1]


@pytest.mark.parametrize("status", [301, 401, 404, 410])
def test_a_refusal_that_no_repetition_mends_is_escalated_after_one_try(trainer: Trainer, status: int) -> None:
    row = running(trainer)
    trainer.answers = [status]
    passed(UNMEASURED)
    assert (trainer.calls, stands(row)) == (1, (JobState.ESCALATED, Trouble.HOOK_DOWN))


def test_a_hook_nobody_listens_on_is_escalated() -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    row = job(block(), stop_hook_url=f"{nowhere}/stop")
    passed(UNMEASURED)
    assert stands(row) == (JobState.ESCALATED, Trouble.HOOK_DOWN)
    assert row.reason == f"The stop hook at {nowhere} cannot be reached."


def test_a_hook_in_a_private_network_that_is_not_configured_is_not_called(trainer: Trainer, settings: Any) -> None:
    settings.PRIVATE_NETWORKS = ()
    row = running(trainer)
    passed(UNMEASURED)
    assert (trainer.calls, stands(row)) == (0, (JobState.ESCALATED, Trouble.HOOK_DOWN))
    assert "MOORAGE_PRIVATE_NETWORKS" in row.reason


def test_a_checkpoint_that_is_missing_is_awaited_and_then_escalated(trainer: Trainer) -> None:
    row = running(trainer)
    trainer.leaves = "nothing"
    passed(UNMEASURED)
    assert stands(row) == (JobState.STOP_REQUESTED, "")
    passed(USABLE - 11 * MINUTE)
    assert stands(row) == (JobState.STOP_REQUESTED, "")
    passed(USABLE - 10 * MINUTE)
    assert stands(row) == (JobState.ESCALATED, Trouble.CHECKPOINT_MISSING)
    trainer.leaves = "checkpoint"
    trainer.leave(trainer.bodies[0])
    passed(USABLE - 9 * MINUTE)
    assert stands(row) == (JobState.RESUMABLE, "")


def test_a_damaged_checkpoint_is_escalated_at_once(trainer: Trainer) -> None:
    row = running(trainer)
    trainer.leaves = "damaged"
    passed(UNMEASURED)
    assert stands(row) == (JobState.ESCALATED, Trouble.CHECKSUM_WRONG)
    assert "rank-1.pt" in row.reason


def test_a_checkpoint_that_answers_another_request_does_not_count(trainer: Trainer) -> None:
    row = running(trainer)
    trainer.leaves = "old"
    passed(UNMEASURED)
    assert stands(row) == (JobState.STOP_REQUESTED, "")
    passed(USABLE - 10 * MINUTE)
    assert stands(row) == (JobState.ESCALATED, Trouble.CHECKPOINT_OLD)


def test_a_controller_that_comes_too_late_says_so_and_asks_nobody(trainer: Trainer) -> None:
    row = running(trainer)
    passed(USABLE)
    assert (trainer.calls, stands(row)) == (0, (JobState.ESCALATED, Trouble.LATE))


def test_a_job_asked_so_late_that_its_checkpoint_cannot_be_ready_is_escalated_while_it_is_awaited(
    trainer: Trainer,
) -> None:
    row = running(trainer, measured=(600,))
    trainer.leaves = "nothing"
    passed(USABLE - 9 * MINUTE)
    assert stands(row) == (JobState.ESCALATED, Trouble.LATE)
    assert list(trainer.accepted.values()) == [1]


def moved(held: Reservation, by: timedelta) -> None:
    Reservation.objects.filter(pk=held.pk).update(end_at=END + by, usable_until=USABLE + by)


def test_an_extension_that_is_paid_in_time_moves_the_deadline(trainer: Trainer) -> None:
    row = running(trainer)
    passed(UNMEASURED - 5 * MINUTE)
    moved(row.reservation, timedelta(days=1))
    passed(UNMEASURED)
    passed(USABLE)
    assert (trainer.calls, stands(row)) == (0, (JobState.REGISTERED, ""))
    assert "11 Jun 2026, 10:40 UTC" in row.reason
    passed(UNMEASURED + timedelta(days=1))
    assert stands(row) == (JobState.RESUMABLE, "")


def test_an_extension_whose_payment_failed_moves_the_deadline_back(trainer: Trainer) -> None:
    row = running(trainer)
    moved(row.reservation, timedelta(days=1))
    passed(UNMEASURED)
    moved(row.reservation, timedelta(0))
    passed(UNMEASURED + 5 * MINUTE)
    assert stands(row) == (JobState.RESUMABLE, "")
    assert trainer.bodies[0]["end"] == END.isoformat()


def extended(held: Reservation, status: str) -> None:
    """As EC2 lists it from the purchase on: the end has moved already, and the payment is still open."""
    moved(held, timedelta(days=1))
    told = {
        "CapacityBlockExtensionStatus": status,
        "CapacityBlockExtensionStartDate": END.isoformat(),
        "CapacityBlockExtensionEndDate": (END + timedelta(days=1)).isoformat(),
    }
    Reservation.objects.filter(pk=held.pk).update(raw={"CapacityBlockExtensions": [told]})


@pytest.mark.parametrize("status", ["payment-pending", "payment-failed"])
def test_an_extension_that_is_not_paid_moves_nothing(trainer: Trainer, status: str) -> None:
    row = running(trainer)
    extended(row.reservation, status)
    passed(UNMEASURED - MINUTE)
    assert trainer.calls == 0
    passed(UNMEASURED)
    assert stands(row) == (JobState.RESUMABLE, "")
    assert trainer.bodies[0]["usable_until"] == USABLE.isoformat()


def test_an_extension_counts_from_the_moment_it_is_paid(trainer: Trainer) -> None:
    row = running(trainer)
    extended(row.reservation, "payment-pending")
    passed(UNMEASURED - MINUTE)
    extended(row.reservation, "payment-succeeded")
    passed(UNMEASURED)
    assert (trainer.calls, stands(row)) == (0, (JobState.REGISTERED, ""))
    assert "11 Jun 2026, 10:40 UTC" in row.reason


def test_an_end_that_moves_after_the_request_is_another_occurrence(trainer: Trainer) -> None:
    row = running(trainer)
    trainer.leaves = "nothing"
    passed(UNMEASURED)
    moved(row.reservation, timedelta(days=1))
    passed(UNMEASURED + MINUTE)
    assert stands(row) == (JobState.REGISTERED, "")
    trainer.leaves = "checkpoint"
    passed(UNMEASURED + timedelta(days=1))
    assert stands(row) == (JobState.RESUMABLE, "")
    assert sorted(trainer.accepted.values()) == [1, 1]


def test_an_instant_before_what_was_done_already_changes_nothing(trainer: Trainer) -> None:
    row = running(trainer, measured=(60,))
    trainer.leaves = "nothing"
    passed(USABLE - 9 * MINUTE)
    assert passed(USABLE - 10 * MINUTE).steps == 0
    assert stands(row)[0] == JobState.STOP_REQUESTED


def test_what_finished_is_asked_nothing(trainer: Trainer) -> None:
    row = running(trainer, state="finished")
    assert passed(UNMEASURED).steps == 0
    assert (trainer.calls, stands(row)) == (0, (JobState.FINISHED, ""))


def test_storage_is_looked_at_for_half_an_hour_after_the_end_and_no_longer(trainer: Trainer) -> None:
    row = running(trainer)
    trainer.leaves = "nothing"
    passed(UNMEASURED)
    assert passed(END + 29 * MINUTE).steps == 1
    assert passed(END + 30 * MINUTE).steps == 0
    assert stands(row) == (JobState.ESCALATED, Trouble.CHECKPOINT_MISSING)


def test_a_job_another_controller_is_at_is_left_to_it_until_its_lease_is_over(trainer: Trainer) -> None:
    row = running(trainer)
    other = uuid4()
    EndingJob.objects.update(leased_by=other, leased_until=Now() + timedelta(minutes=5))
    passed(UNMEASURED)
    assert trainer.calls == 0
    EndingJob.objects.update(leased_until=Now() - timedelta(seconds=1))
    passed(UNMEASURED)
    assert stands(row) == (JobState.RESUMABLE, "")
    assert row.leased_by is None


def test_while_many_jobs_take_their_time_none_of_them_becomes_anybody_elses(trainer: Trainer) -> None:
    held = block()
    for place in range(6):
        job(held, f"run-{place}", stop_hook_url=trainer.url)
    trainer.seconds, trainer.leaves = 0.2, "nothing"
    lost: list[int] = []

    def reached(point: str) -> None:
        if point == "recorded request_stop":
            lost.append(EndingJob.objects.filter(leased_until__lt=Now()).count())

    policy = replace(DEFAULT_BLOCK_POLICY, lease=timedelta(seconds=0.9), at_once=1)
    watch_blocks(
        as_of=UNMEASURED, clock=lambda: UNMEASURED, private=settings.PRIVATE_NETWORKS, policy=policy, reached=reached
    )
    assert lost == [0] * 6


def test_a_secret_nobody_can_open_is_told_and_nothing_is_sent(trainer: Trainer, settings: Any) -> None:
    row = running(trainer)
    settings.SECRET_KEY = "another key altogether"
    passed(UNMEASURED)
    assert (trainer.calls, stands(row)) == (0, (JobState.ESCALATED, Trouble.HOOK_DOWN))
    assert "register the job with it anew" in row.reason


def test_a_prefix_that_is_in_no_bucket_is_escalated_at_once(trainer: Trainer) -> None:
    row = running(trainer, checkpoint_location="s3://no-such-bucket/run-1")
    trainer.leaves = "nothing"
    passed(UNMEASURED)
    assert stands(row) == (JobState.ESCALATED, Trouble.NO_RIGHTS)
    assert row.reason == "There is no bucket no-such-bucket."
    assert BUCKET not in row.reason
