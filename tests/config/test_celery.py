import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from celery import Celery

from config import embedded
from config.celery import app
from tests.fixtures.commands import clean_environment
from tests.fixtures.parts import ROOT


@pytest.fixture
def worker(data_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    words = ["-A", "config", "worker", "-Q", "compute", "-I", "tests.config.probe", "--concurrency", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "celery", *words],
        cwd=ROOT,
        env=clean_environment(data_dir),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        yield process
        process.terminate()
        process.wait(timeout=30)


def test_a_worker_starts_the_servers_and_takes_its_work_over_the_socket(
    data_dir: Path, worker: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    deadline = monotonic() + 60
    while not all(server.answers() for server in embedded.servers(data_dir)):
        assert monotonic() < deadline
        sleep(0.1)
    address = embedded.redis_url(data_dir).replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
    with Celery(broker=address, set_as_current=False) as sender:
        sender.send_task("tests.probe", args=[str(tmp_path / "done")], queue="compute")
    while not (tmp_path / "done").exists():
        assert monotonic() < deadline
        sleep(0.1)


def test_everything_that_runs_by_the_clock_is_a_task_that_exists_and_has_a_queue() -> None:
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        assert entry["task"] in app.tasks
        assert entry["task"] in app.conf.task_routes
