"""Rules that read the source text: the clock, forgotten migrations, doors, the lock file, the templates."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.architecture.tree import PRODUCT, ROOT, python_files

DOORS = ("views", "api", "admin", "management", "tasks")
CLOCKS = """
import time
from datetime import UTC, date, datetime
from time import gmtime, time_ns
from django.utils import timezone
values = [
    datetime.now(UTC),
    datetime.utcnow(),
    datetime.today(),
    date.today(),
    timezone.now(),
    time.time(),
    time_ns(),
    gmtime(),
    time.localtime(),
]
"""
EXECUTED_INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|<style|\sstyle\s*=|\son[a-z]+\s*=\s*[\"']|javascript:", re.I
)
SETTINGS = re.compile(r"\bdjango\.conf\b|from django import .*\bconf\b")
ENVIRONMENT = re.compile(r"\benviron\b|\bgetenv\b")
ELSEWHERE = re.compile(r"(?:https?:)?//(?!www\.w3\.org/)[a-z0-9-]+\.[a-z]", re.I)


def ruff(source: str, name: str) -> str:
    command = [str(Path(sys.executable).with_name("ruff")), "check", "--stdin-filename", name, "-"]
    return subprocess.run(
        command, cwd=ROOT, input=source, capture_output=True, text=True, timeout=60, check=False
    ).stdout


@pytest.mark.parametrize(
    "room", ["domain/planted.py", "services/planted.py", "selectors/planted.py", "sources/planted.py"]
)
def test_only_doors_may_read_the_clock(room: str) -> None:
    told = set(re.findall(r"TID251 `([a-z_.]+)` is banned", ruff(CLOCKS, f"telemetry/{room}")))
    assert told == {
        *(f"datetime.datetime.{name}" for name in ("now", "utcnow", "today")),
        *(f"time.{name}" for name in ("time", "time_ns", "gmtime", "localtime")),
        "datetime.date.today",
        "django.utils.timezone.now",
    }


def test_a_door_may_read_the_clock() -> None:
    assert "TID251" not in ruff(CLOCKS, "telemetry/tasks.py")
    assert "TID251" not in ruff(CLOCKS, "telemetry/views/planted.py")


def test_only_doors_read_the_settings_and_only_named_places_the_environment() -> None:
    inside = [path for path in python_files("reservations", "telemetry", "scheduler") if not _is_door(path)]
    assert [path for path in inside if SETTINGS.search(path.read_text())] == []
    reading = {str(path.relative_to(ROOT)) for path in inside if ENVIRONMENT.search(path.read_text())}
    # Secrets are never in the database, and AWS's own variable says where roles are assumed.
    assert reading == {"telemetry/sources/prometheus/credentials.py", "telemetry/sources/ec2/clients.py"}


@pytest.mark.parametrize(
    "planted", ["from django.conf import settings", "import django.conf", "from django import conf"]
)
def test_settings_are_seen(planted: str) -> None:
    assert SETTINGS.search(planted)


@pytest.mark.parametrize("planted", ["os.environ", "os.getenv(", "from os import environ", "environ.Env("])
def test_the_environment_is_seen(planted: str) -> None:
    assert ENVIRONMENT.search(planted)


def test_only_doors_enqueue_tasks() -> None:
    enqueuing = re.compile(r"\.(delay|apply_async|send_task)\(")
    found = [path for path in python_files(*PRODUCT) if enqueuing.search(path.read_text()) and not _is_door(path)]
    assert found == []


def _is_door(path: Path) -> bool:
    return path.relative_to(ROOT).parts[1].removesuffix(".py") in DOORS


@pytest.mark.django_db
def test_no_change_of_a_model_waits_for_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_every_migration_says_what_it_does() -> None:
    names = [path.stem for path in ROOT.glob("*/migrations/*.py") if path.stem != "__init__"]
    assert names
    assert [name for name in names if not re.fullmatch(r"\d{4}_[a-z][a-z_0-9]+", name) or "auto_" in name] == []


def test_the_lock_names_hashes_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "://" not in lock
    assert "#" not in lock
    blocks = re.split(r"\n(?=[a-z0-9])", lock.strip())
    assert len(blocks) > 50
    assert [block.split("==")[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_no_template_runs_anything_inline_or_loads_anything_from_elsewhere() -> None:
    templates = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("*/templates/**/*.html")]
    scripts = [path for path in (ROOT / "static").rglob("*") if path.suffix in (".js", ".css")]
    assert [path for path in templates if EXECUTED_INLINE.search(path.read_text())] == []
    assert [path for path in (*templates, *scripts) if ELSEWHERE.search(path.read_text())] == []


@pytest.mark.parametrize(
    "planted",
    ["<script>x()</script>", '<p style="top: 0">', "<style>", '<a onclick="x()">', '<a href="javascript:x()">'],
)
def test_what_would_run_inline_is_seen(planted: str) -> None:
    assert EXECUTED_INLINE.search(planted)


@pytest.mark.parametrize("planted", ['src="https://cdn.example.com/x.js"', "url(//fonts.example.com/f.woff2)"])
def test_what_would_be_loaded_from_elsewhere_is_seen(planted: str) -> None:
    assert ELSEWHERE.search(planted)
