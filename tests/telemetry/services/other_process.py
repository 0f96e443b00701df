"""Real processes beside the test, on the test's own database."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

PREFACE = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
import django
django.setup()
"""


@contextmanager
def running(script: str) -> Iterator[subprocess.Popen[str]]:
    """A Python process that runs ``script`` with Django set up; it is gone on the way out."""
    command = [sys.executable, "-c", PREFACE + script, str(connection.settings_dict["NAME"])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=30)


def finished(process: subprocess.Popen[str], within: float = 60) -> str:
    """What the process printed; AssertionError with its errors when it failed."""
    out, err = process.communicate(timeout=within)
    assert process.returncode == 0, err
    return out


def until_blocked(count: int, within: float = 60) -> None:
    """Wait until so many other sessions of this database wait for a lock."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                " WHERE NOT granted AND datname = current_database()"
            )
            if cursor.fetchone()[0] >= count:
                return
        time.sleep(0.02)
    raise AssertionError(f"{count} sessions never came to wait for a lock")
