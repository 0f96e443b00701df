"""One pass of the end-time controller over five hundred jobs: nothing due, everything due, and storage to look at."""

from datetime import datetime, timedelta
from time import perf_counter, process_time

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scheduler.models import CheckpointDuration, EndingJob
from scheduler.services.block_clock import watch_blocks
from tests.fixtures.trainer import Trainer
from tests.scheduler.blocks_that_end import END, UNMEASURED, block, job

BLOCKS, JOBS, MEASURED = 20, 25, 100
AIM_SECONDS = 2


def fleet(url: str) -> None:
    for number in range(BLOCKS):
        held = block(f"cr-{number:03}")
        for place in range(JOBS):
            job(held, f"run-{place}", stop_hook_url=url)
    rows = EndingJob.objects.values_list("pk", flat=True)
    CheckpointDuration.objects.bulk_create(
        CheckpointDuration(job_id=pk, measured_at=END - timedelta(days=1, minutes=place), took_ms=600_000)
        for pk in rows
        for place in range(MEASURED)
    )


def timed(at: datetime, what: str) -> float:
    began, busy = perf_counter(), process_time()
    with CaptureQueriesContext(connection) as queries:
        steps = watch_blocks(as_of=at, clock=lambda: at, private=settings.PRIVATE_NETWORKS).steps
    took = perf_counter() - began
    processor = process_time() - busy
    print(f"{what}: {took:.2f} s ({processor:.2f} s of processor), {steps} steps, {len(queries)} queries")
    return took


@pytest.mark.benchmark
@pytest.mark.django_db
def test_a_pass_over_five_hundred_jobs(trainer: Trainer) -> None:
    fleet(trainer.url)
    trainer.leaves = "nothing"
    first = timed(UNMEASURED - timedelta(hours=2), "the first pass, which writes down how each job stands")
    quiet = timed(UNMEASURED - timedelta(hours=1), "a pass with nothing due")
    asked = timed(UNMEASURED, "500 jobs asked to stop and looked for, by real HTTP")
    waiting = timed(UNMEASURED + timedelta(minutes=1), "500 checkpoints looked for that are not there yet")
    assert len(trainer.accepted) == BLOCKS * JOBS
    assert first < AIM_SECONDS
    assert quiet < AIM_SECONDS
    assert asked < 15, "trainers and storage stand in the same process and share its processor"
    assert waiting < 15
