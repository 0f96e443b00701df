"""Many jobs that are due at once."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scheduler.domain.block_clock.states import JobState
from scheduler.models import EndingJob, EndStep
from scheduler.services.block_clock import passing, watch_blocks
from scheduler.services.block_clock.leases import lease, renew
from tests.fixtures.trainer import Trainer
from tests.scheduler.blocks_that_end import UNMEASURED, block, job

pytestmark = pytest.mark.django_db
JOBS = 30


def test_jobs_due_at_once_are_written_down_together(trainer: Trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "TOGETHER_SECONDS", 10.0)  # however slow the machine is
    held = block()
    for place in range(JOBS):
        job(held, f"run-{place}", stop_hook_url=trainer.url)
    with CaptureQueriesContext(connection) as queries:
        steps = watch_blocks(as_of=UNMEASURED, clock=lambda: UNMEASURED, private=settings.PRIVATE_NETWORKS).steps
    assert steps == 3 * JOBS
    assert set(EndingJob.objects.values_list("state", flat=True)) == {JobState.RESUMABLE.value}
    assert EndStep.objects.filter(done_at=UNMEASURED, attempts=1).count() == 3 * JOBS
    assert len(queries) < 3 * JOBS


def test_a_lease_that_another_took_over_is_not_renewed() -> None:
    held = block()
    rows = [job(held, f"run-{place}").pk for place in range(3)]
    mine, another, long = uuid4(), uuid4(), timedelta(hours=1)
    assert lease(numbers=rows, controller=mine, length=long) == set(rows)
    EndingJob.objects.filter(pk=rows[0]).update(leased_by=another)
    assert renew(numbers=rows, controller=mine, length=long) == set(rows[1:])
