"""Rules that read the source text: the clock, forgotten migrations, doors, the lock file, the templates."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.architecture.tree import PRODUCT, ROOT, python_files

DOORS = ("views", "api", "admin", "management", "tasks")
CLOCKS = [
    "from datetime import datetime, UTC\nvalue = datetime.now(UTC)\n",
    "from datetime import date\nvalue = date.today()\n",
    "from django.utils import timezone\nvalue = timezone.now()\n",
    "import time\nvalue = time.time()\n",
]
EXECUTED_INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|<style|\sstyle\s*=|\son[a-z]+\s*=\s*[\"']|javascript:", re.I
)
ELSEWHERE = re.compile(r"(?:https?:)?//(?!www\.w3\.org/)[a-z0-9-]+\.[a-z]", re.I)


def ruff(source: str, name: str) -> str:
    command = [str(Path(sys.executable).with_name("ruff")), "check", "--stdin-filename", name, "-"]
    return subprocess.run(
        command, cwd=ROOT, input=source, capture_output=True, text=True, timeout=60, check=False
    ).stdout


@pytest.mark.parametrize("source", CLOCKS)
@pytest.mark.parametrize(
    "room", ["domain/planted.py", "services/planted.py", "selectors/planted.py", "sources/planted.py"]
)
def test_only_doors_may_read_the_clock(source: str, room: str) -> None:
    assert "TID251" in ruff(source, f"telemetry/{room}")


def test_a_door_may_read_the_clock() -> None:
    assert "TID251" not in ruff(CLOCKS[0], "telemetry/tasks.py")
    assert "TID251" not in ruff(CLOCKS[0], "telemetry/views/planted.py")


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
