"""The example runs as people run it: a process of its own, against a real server and object storage."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from reservations.domain.tokens import Scope
from reservations.models import RoleGrant, User
from scheduler.domain.block_clock.states import JobState
from scheduler.models import CheckpointDuration, EndingJob
from scheduler.selectors.ending_blocks import ending_blocks
from scheduler.services.block_clock import watch_blocks
from tests.fixtures.parts import ROOT
from tests.fixtures.prometheus import free_port
from tests.reservations.api.calling import token_of
from tests.scheduler.blocks_that_end import block

EXAMPLE = ROOT / "examples" / "trainer.py"
UPLOADS = (
    "import boto3, sys; from urllib.parse import urlsplit; to = urlsplit(sys.argv[2]);"
    " boto3.client('s3').upload_file(sys.argv[1], to.netloc, to.path[1:])"
)
PATIENCE_SECONDS = 60


def until(seen: Callable[[], bool], trainer: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not seen():
        assert time.monotonic() < deadline, trainer.poll()
        time.sleep(0.1)


def test_the_example_is_short_and_needs_nothing_but_requests() -> None:
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) <= 80
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names} == {"requests"}


@pytest.mark.django_db(transaction=True)
def test_the_example_registers_stops_in_time_and_ends_resumable(
    live_server: LiveServer, storage: Any, tmp_path: Path
) -> None:
    usable = timezone.now() + timedelta(minutes=40)
    held = block("cr-0e", "serving", end_at=usable + timedelta(minutes=30), usable_until=usable)
    ada = User.objects.create_user("ada")
    RoleGrant.objects.create(user=ada, role="owner", team=held.owner)
    uploads = tmp_path / "upload.py"
    uploads.write_text(UPLOADS)
    words = {
        "moorage": live_server.url,
        "reservation": "cr-0e",
        "job": "example",
        "hook": f"http://127.0.0.1:{free_port()}/stop",
        "checkpoint": "s3://checkpoints/example",
        "upload": f"{sys.executable} {uploads} {{file}} {{target}}",
        "save-every": "5",
    }
    told = {"MOORAGE_TOKEN": token_of(ada, [Scope.JOBS]), "STOP_HOOK_SECRET": "a-secret-of-the-example"}
    command = [sys.executable, str(EXAMPLE), *(f"--{name}={value}" for name, value in words.items())]
    trainer = subprocess.Popen(command, cwd=tmp_path, env=os.environ | told, text=True)
    try:
        until(CheckpointDuration.objects.exists, trainer)
        ((one,),) = (each.jobs for each in ending_blocks(as_of=timezone.now()))
        assert one.checkpoint.takes < timedelta(seconds=30)
        watch_blocks(as_of=one.deadline, clock=timezone.now, private=settings.PRIVATE_NETWORKS)
        assert trainer.wait(PATIENCE_SECONDS) == 0
        watch_blocks(as_of=one.deadline + timedelta(minutes=1), clock=timezone.now, private=settings.PRIVATE_NETWORKS)
    finally:
        trainer.kill()
        trainer.wait()
    row = EndingJob.objects.get()
    assert (row.state, row.trouble) == (JobState.RESUMABLE, "")
