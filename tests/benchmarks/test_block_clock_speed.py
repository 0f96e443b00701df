"""One pass of the end-time controller over five hundred jobs: nothing due, everything due, and storage to look at."""

from datetime import datetime, timedelta
from time import perf_counter, process_time
from urllib.request import urlopen

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scheduler.models import CheckpointDuration, EndingJob
from scheduler.services.block_clock import watch_blocks
from tests.benchmarks.outside import outside
from tests.scheduler.blocks_that_end import END, UNMEASURED, block, job

BLOCKS, JOBS, MEASURED = 20, 25, 100
AIM_SECONDS = 2
KEYS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing", "AWS_DEFAULT_REGION": "us-east-1"}


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
def test_a_pass_over_five_hundred_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    with outside() as there:
        for name, value in KEYS.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", there.url)
        fleet(there.hook)
        first = timed(UNMEASURED - timedelta(hours=2), "the first pass, which writes down how each job stands")
        quiet = timed(UNMEASURED - timedelta(hours=1), "a pass with nothing due")
        asked = timed(UNMEASURED, "500 jobs asked to stop and looked for, by real HTTP")
        waiting = timed(UNMEASURED + timedelta(minutes=1), "500 checkpoints looked for that are not there yet")
        with urlopen(f"{there.url}/accepted") as answer:
            assert int(answer.read()) == BLOCKS * JOBS
    assert max(first, quiet, asked, waiting) <= AIM_SECONDS, "on a quiet machine; processor time tells on a busy one"
