from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection

from reservations.models import Owner, RoleGrant, User
from scheduler.services.configuration import apply_config
from tests.scheduler.configuration_file import GOOD


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "moorage.yaml"
    path.write_text(GOOD)
    return path


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_do_the_work_of_one(file: Path) -> None:
    def run(_: int) -> int:
        try:
            applied = apply_config(path=file, as_of=datetime(2026, 5, 1, tzinfo=UTC))
            return sum(change.outcome == "created" for change in applied.changes)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as runs:
        created = sorted(runs.map(run, range(4)))
    assert created == [0, 0, 0, 23]
    assert (Owner.objects.count(), User.objects.count(), RoleGrant.objects.count()) == (3, 2, 4)
