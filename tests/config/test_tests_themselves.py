"""What the tests promise about themselves: no run touches another's data, and CI skips nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.commands import clean_environment
from tests.fixtures.parts import ROOT

SKIPPING = """
import pytest

def test_that_skips():
    pytest.skip("something is missing")

@pytest.mark.shared
def test_on_shared_data():
    pytest.skip("no shared data here")
"""


def place(data_dir: Path, worker: str, **more: str) -> list[str]:
    code = "from tests import settings as s; print(s.REDIS_URL, s.CACHES['default']['LOCATION'], s.CELERY_BROKER_URL)"
    environment = clean_environment(data_dir, PYTEST_XDIST_WORKER=worker, **more)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    "given", [{}, {"REDIS_URL": "redis://127.0.0.1:6379/0"}, {"REDIS_URL": "redis://127.0.0.1:6379"}]
)
def test_parallel_workers_and_the_product_share_no_cache_and_no_queue(data_dir: Path, given: dict[str, str]) -> None:
    places = [place(data_dir, worker, **given) for worker in ("gw0", "gw1", "")]
    numbers = [(address.rsplit("=" if "=" in address else "/", 1)[1]) for address, _, _ in places]
    assert len(set(numbers)) == 3
    assert "0" not in numbers
    for address, cache, broker in places:
        assert cache == address
        assert broker[-2:] == address[-2:]


def test_without_a_word_the_tests_have_a_data_folder_of_their_own(data_dir: Path) -> None:
    environment = {name: value for name, value in clean_environment(data_dir).items() if name != "MOORAGE_DATA_DIR"}
    code = "from tests import settings; print(settings.DATA_DIR)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert Path(done.stdout.strip()) == ROOT / ".data" / "test"


@pytest.mark.parametrize(("ci", "outcome"), [("true", "1 failed, 1 skipped"), ("", "2 skipped")])
def test_in_ci_a_skipped_test_is_a_failed_one_but_for_shared_data(tmp_path: Path, ci: str, outcome: str) -> None:
    (tmp_path / "test_planted.py").write_text(SKIPPING)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = shared\n")
    plugins = ["-p", "tests.fixtures.parts", "-p", "no:django", "-p", "no:cacheprovider", "-p", "no:randomly"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-q", "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=tmp_path,
        env=os.environ | {"CI": ci, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert outcome in done.stdout.splitlines()[-1], done.stdout + done.stderr
