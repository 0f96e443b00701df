"""What runs by the clock, as a worker would run it."""

import logging
from datetime import UTC, datetime, timedelta

import pytest

from telemetry.models import PoolHour
from telemetry.tasks import collect_due_hours
from tests.telemetry.services.collected_fleet import NOWHERE, pool, source

pytestmark = pytest.mark.django_db


def test_the_newest_hour_that_ended_five_minutes_ago_stands_after_the_task(caplog: pytest.LogCaptureFixture) -> None:
    pool("a-down", source("down", NOWHERE))
    bare = pool("serving-h100")
    before = datetime.now(UTC)
    with caplog.at_level(logging.INFO, logger="telemetry"):
        collect_due_hours()
    newest = PoolHour.objects.filter(pool=bare).latest("hour")
    ended = newest.hour + timedelta(hours=1, minutes=5)
    assert before - timedelta(hours=1) <= ended <= datetime.now(UTC)
    assert before <= newest.read_at <= datetime.now(UTC)
    said = [(record.levelname, str(record.msg)) for record in caplog.records]
    assert any(level == "WARNING" and "source “down” at http://127.0.0.1:9" in words for level, words in said)
    assert any(level == "INFO" and "hours collected" in words and "stored" in words for level, words in said)
