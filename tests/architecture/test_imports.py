import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT

#: The number of a contract, and in which new file which line breaks it.
PLANTED = {
    "1": ("reservations/selectors/planted.py", "import telemetry.domain.ledger"),
    "2": ("telemetry/selectors/planted.py", "import telemetry.services.collection"),
    "3": ("telemetry/domain/planted.py", "import django.conf"),
    "4": ("telemetry/sources/planted.py", "import django.db, telemetry.sources.prometheus"),
    "5a": ("telemetry/services/planted_a.py", "import reservations.models"),
    "5b": ("scheduler/services/planted_b.py", "import telemetry.models"),
    "5c": ("telemetry/services/planted_c.py", "import scheduler.models"),
    "6": ("reservations/services/planted_d.py", "import telemetry.sources.prometheus"),
    "7": ("reservations/services/planted_e.py", "import boto3"),
    "8": ("telemetry/sources/planted.py", "import django.db, telemetry.sources.prometheus"),
    "9": ("reservations/domain/planted.py", "import reservations.models.people"),
    "10": ("reservations/services/planted_f.py", "import config.settings"),
}


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("config", "reservations", "telemetry", "scheduler", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_import_keeps_to_the_contracts() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout


def test_every_contract_sees_its_planted_violation(copy: Path) -> None:
    for path, line in PLANTED.values():
        (copy / path).write_text(line + "\n")
    verdicts = {line.split(" ", 1)[0]: line for line in lint_imports(copy).stdout.splitlines() if " BROKEN" in line}
    assert set(verdicts) == set(PLANTED)


def test_a_room_that_is_not_in_the_plan_is_refused(copy: Path) -> None:
    (copy / "scheduler" / "managers.py").touch()
    result = lint_imports(copy)
    assert result.returncode != 0
    assert "managers" in result.stdout
