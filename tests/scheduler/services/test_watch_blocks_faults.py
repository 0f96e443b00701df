"""One team's fault is no other team's."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import DataError

from scheduler.domain.block_clock.states import JobState, Step, Trouble
from scheduler.models import EndStep
from scheduler.services.block_clock import passing, watch_blocks
from scheduler.services.block_clock.acting import Outcome
from tests.fixtures.trainer import BUCKET, Trainer
from tests.scheduler.blocks_that_end import UNMEASURED, block, job, stands

pytestmark = pytest.mark.django_db


def passed(at: datetime) -> int:
    return watch_blocks(as_of=at, clock=lambda: at, private=settings.PRIVATE_NETWORKS).steps


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_manifest_with_a_name_that_cannot_be_kept_is_escalated_and_stops_nobody_else(
    trainer: Trainer, storage: Any, name: str
) -> None:
    bad = job(block("cr-bad", "robotics"), "bad", stop_hook_url=trainer.url)
    trainer.leaves = "nothing"
    passed(UNMEASURED)
    stop = EndStep.objects.get(job=bad, step=Step.REQUEST_STOP)
    told = json.dumps({"stop_request": str(stop.pk), "objects": {name: "0" * 64}}).encode()
    storage.put_object(Bucket=BUCKET, Key="bad/moorage-checkpoint.json", Body=told)
    trainer.leaves = "checkpoint"
    good = job(block("cr-good", "serving"), "good", stop_hook_url=trainer.url)
    passed(UNMEASURED + timedelta(minutes=1))
    assert stands(bad) == (JobState.ESCALATED, Trouble.CHECKPOINT_UNREADABLE)
    assert stands(good) == (JobState.RESUMABLE, "")


def test_an_outcome_that_cannot_be_written_down_loses_no_other_ones_and_is_raised_when_all_are_seen_to(
    trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified = passing.checkpoint_verified

    def verify(store: Any, where: str, stop_request: str) -> Outcome:
        return Outcome("a\0b") if where.endswith("/bad") else verified(store, where, stop_request)

    monkeypatch.setattr(passing, "checkpoint_verified", verify)
    bad = job(block("cr-bad", "robotics"), "bad", stop_hook_url=trainer.url)
    good = [job(block(f"cr-{place}", "serving"), f"good-{place}", stop_hook_url=trainer.url) for place in range(3)]
    with pytest.raises(DataError):
        passed(UNMEASURED)
    assert [stands(one) for one in good] == [(JobState.RESUMABLE, "")] * 3
    assert stands(bad) == (JobState.STOP_REQUESTED, "")
