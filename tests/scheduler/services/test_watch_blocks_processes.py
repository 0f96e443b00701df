"""Real controllers are killed at each step they take, and another goes on; and two of them race."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection

from scheduler.domain.block_clock.states import JobState
from scheduler.models import EndingJob, EndStep
from scheduler.services.block_clock import watch_blocks
from tests.fixtures.trainer import Trainer
from tests.scheduler.blocks_that_end import UNMEASURED, block, job
from tests.telemetry.services.other_process import finished, running

pytestmark = pytest.mark.django_db(transaction=True)

KILLED = 9
POINTS = (
    "leased",
    "settled",
    "intended request_stop",
    "acted request_stop",
    "recorded request_stop",
    "intended verify_checkpoint",
    "acted verify_checkpoint",
    "recorded verify_checkpoint",
    "intended mark_resumable",
    "recorded mark_resumable",
)
DIES = """
import os
from django.conf import settings
from dataclasses import replace
from datetime import timedelta
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY
from scheduler.services.block_clock import watch_blocks
from tests.scheduler.blocks_that_end import UNMEASURED
def reached(point):
    if point == {point!r}:
        os._exit({killed})
at_once, private = replace(DEFAULT_BLOCK_POLICY, lease=timedelta(0)), settings.PRIVATE_NETWORKS
watch_blocks(as_of=UNMEASURED, clock=lambda: UNMEASURED, private=private, policy=at_once, reached=reached)
"""
PASSES = """
from django.conf import settings
from scheduler.services.block_clock import watch_blocks
from tests.scheduler.blocks_that_end import UNMEASURED
print(watch_blocks(as_of=UNMEASURED, clock=lambda: UNMEASURED, private=settings.PRIVATE_NETWORKS).steps)
"""


def test_every_point_of_a_whole_pass_is_one_at_which_a_controller_is_killed_below(trainer: Trainer) -> None:
    job(block(), stop_hook_url=trainer.url)
    seen: list[str] = []
    watch_blocks(as_of=UNMEASURED, clock=lambda: UNMEASURED, private=settings.PRIVATE_NETWORKS, reached=seen.append)
    assert set(seen) == set(POINTS)


@pytest.mark.parametrize("point", POINTS)
def test_where_a_controller_dies_another_goes_on_and_the_trainer_is_asked_once(trainer: Trainer, point: str) -> None:
    row = job(block(), stop_hook_url=trainer.url)
    with running(DIES.format(point=point, killed=KILLED)) as controller:
        _, errors = controller.communicate(timeout=60)
        assert controller.returncode == KILLED, errors
    later = UNMEASURED + timedelta(minutes=1)
    watch_blocks(as_of=later, clock=lambda: later, private=settings.PRIVATE_NETWORKS)
    row.refresh_from_db()
    assert (row.state, row.leased_by) == (JobState.RESUMABLE, None) or point == "recorded mark_resumable"
    assert row.state == JobState.RESUMABLE
    assert len(trainer.accepted) == 1, "one request of one id, however often it was sent"
    assert trainer.forged == 0
    assert EndStep.objects.filter(job=row, done_at=None).count() == 0
    assert EndStep.objects.filter(job=row).count() == 3


def test_controllers_that_race_ask_every_trainer_once(trainer: Trainer) -> None:
    held = block()
    for place in range(12):
        job(held, f"run-{place}", stop_hook_url=trainer.url)
    with running(PASSES) as one, running(PASSES) as other:
        steps = int(finished(one)) + int(finished(other))
    watch_blocks(as_of=UNMEASURED, clock=lambda: UNMEASURED, private=settings.PRIVATE_NETWORKS)
    assert set(EndingJob.objects.values_list("state", flat=True)) == {JobState.RESUMABLE.value}
    assert (trainer.calls, sorted(trainer.accepted.values())) == (12, [1] * 12)
    assert steps == EndStep.objects.count() == 36
    connection.close()
