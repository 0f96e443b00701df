from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings

from reservations.models import Owner, Pool
from scheduler.domain.block_clock.states import JobState, Trouble
from scheduler.models import EndingJob
from scheduler.selectors.ending_blocks import EndingBlock, ending_blocks
from scheduler.services.block_clock import watch_blocks
from scheduler.services.demo.ending_block import load_ending_block
from telemetry.services.demo_endpoint import serving_demo_ec2
from tests.fixtures.prometheus import free_port

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)
TROUBLES = {
    "ablation-3": (JobState.ESCALATED, Trouble.HOOK_DOWN),
    "finetune-8": (JobState.ESCALATED, Trouble.CHECKSUM_WRONG),
    "pretrain-21": (JobState.REGISTERED, None),
}


@pytest.fixture(autouse=True)
def research() -> None:
    team = Owner.objects.create(name="research")
    Pool.objects.create(name="training-h200", owner=team, instance_type="p5en.48xlarge", gpus_per_node=8)


def only(at: datetime) -> EndingBlock:
    (block,) = ending_blocks(as_of=at)
    return block


def seen(block: EndingBlock) -> dict[str, tuple[JobState, Trouble | None]]:
    return {job.id: (job.standing.state, job.standing.trouble) for job in block.jobs}


def test_a_block_ends_within_the_hour_with_three_jobs_in_different_trouble() -> None:
    assert load_ending_block(as_of=NOW, ec2_port=8009)
    block = only(NOW)
    assert timedelta(0) < block.end.end_at - NOW < timedelta(hours=1)
    assert seen(block) == TROUBLES
    assert [job.id for job in block.will_not_finish] == ["finetune-8", "ablation-3", "pretrain-21"]


def test_a_second_load_makes_no_second_block_before_the_first_has_ended() -> None:
    load_ending_block(as_of=NOW, ec2_port=8009)
    assert not load_ending_block(as_of=NOW + timedelta(minutes=30), ec2_port=8009)
    assert EndingJob.objects.count() == 3
    assert load_ending_block(as_of=NOW + timedelta(hours=1), ec2_port=8009)
    assert EndingJob.objects.count() == 6


def test_the_controller_itself_comes_to_the_same_from_the_demos_own_addresses(monkeypatch: Any) -> None:
    port = free_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{port}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "demo")
    load_ending_block(as_of=NOW, ec2_port=port)
    with serving_demo_ec2(url="synthetic://7/2026-06-10", clock=lambda: NOW, port=port):
        passed = watch_blocks(as_of=NOW + timedelta(minutes=1), clock=lambda: NOW, private=settings.PRIVATE_NETWORKS)
    assert passed.steps == 2
    assert seen(passed.blocks[0]) == TROUBLES
    assert {row.state for row in EndingJob.objects.exclude(job_id="pretrain-21")} == {"escalated"}
