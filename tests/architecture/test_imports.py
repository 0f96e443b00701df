import re
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
    "7a": ("reservations/services/planted_e.py", "import boto3"),
    "7b": ("reservations/services/planted_g.py", "import httpx"),
    "8": ("telemetry/sources/planted.py", "import django.db, telemetry.sources.prometheus"),
    "9": ("reservations/domain/planted.py", "import reservations.models.people"),
    "10": ("reservations/services/planted_f.py", "import config.settings"),
}

EDGE = "apprise boto3 botocore prometheus_api_client requests urllib3"
#: The number of a contract and a room, and what that contract keeps out of it, installed or not.
FORBIDDEN = {
    ("3", "reservations/domain"): (
        f"{EDGE} celery django environ httpx os pandas plotly psycopg pydantic redis socket structlog time"
    ),
    ("3", "scheduler/alerts"): "django os requests time",
    ("4", "reservations/charts"): "celery django",
    ("4", "reservations/sources"): "celery django",
    ("4", "scheduler/charts"): "celery django",
    ("4", "telemetry/sources"): "celery django",
    ("7a", "scheduler/selectors"): EDGE,
    ("7a", "telemetry/views"): EDGE,
    ("7b", "config"): "httpx",
    ("7b", "scheduler/management"): "httpx",
    ("7b", "telemetry/services"): "httpx",
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


def test_every_module_that_a_room_must_not_import_is_seen(copy: Path) -> None:
    planted = set()
    for (contract, room), names in FORBIDDEN.items():
        (copy / room).mkdir(exist_ok=True)
        (copy / room / "__init__.py").touch()
        (copy / room / "planted.py").write_text("".join(f"import {name}\n" for name in names.split()))
        planted |= {(contract, room.replace("/", "."), name) for name in names.split()}
    seen = set()
    for section in re.split(r"\n(?=\d+[a-c]? [^\n]+\n-{5,}\n)", lint_imports(copy).stdout):
        found = re.findall(r"^-\s+([a-z.]+)\.planted -> ([a-z_0-9]+) \(l\.", section, re.M)
        seen |= {(section.split(" ", 1)[0], room, name) for room, name in found}
    assert planted - seen == set()


def test_a_room_that_is_not_in_the_plan_is_refused(copy: Path) -> None:
    (copy / "scheduler" / "managers.py").touch()
    result = lint_imports(copy)
    assert result.returncode != 0
    assert "managers" in result.stdout
