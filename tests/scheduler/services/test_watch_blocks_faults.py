"""One team's fault is no other team's."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import DataError

from scheduler.domain.block_clock.states import JobState, Step, Trouble
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY
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


@contextmanager
def hanging() -> Iterator[str]:
    """A hook that takes every connection and answers none."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/stop"


def reached_in(at: datetime) -> list[str]:
    """What came of the steps of one pass that takes them one by one, in order."""
    order: list[str] = []
    policy = replace(DEFAULT_BLOCK_POLICY, at_once=1, stop_tries=1, stop_timeout=timedelta(seconds=0.3))
    asked = passing.stop_asked

    def ask(hook: Any, request: Any, *given: Any, **named: Any) -> Outcome:
        order.append(request.job)
        return asked(hook, request, *given, **named)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(passing, "stop_asked", ask)
        watch_blocks(as_of=at, clock=lambda: at, private=settings.PRIVATE_NETWORKS, policy=policy)
    return order


def test_the_hooks_of_one_team_that_hang_hold_up_no_other_teams_first_request(trainer: Trainer) -> None:
    with hanging() as url:
        theirs = block("cr-a", "robotics")
        for place in range(4):
            job(theirs, f"hangs-{place}", stop_hook_url=url)
        job(block("cr-b", "serving"), "healthy", stop_hook_url=trainer.url)
        assert reached_in(UNMEASURED) == ["hangs-0", "healthy", "hangs-1", "hangs-2", "hangs-3"]


def test_what_was_never_asked_comes_before_what_failed_the_last_time(trainer: Trainer) -> None:
    with hanging() as url:
        theirs = block("cr-a", "robotics")
        job(theirs, "a-hangs", stop_hook_url=url)
        assert reached_in(UNMEASURED) == ["a-hangs"]
        job(theirs, "b-new", stop_hook_url=trainer.url)
        assert reached_in(UNMEASURED + timedelta(minutes=1)) == ["b-new", "a-hangs"]
