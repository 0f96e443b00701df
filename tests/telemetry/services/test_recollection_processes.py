"""Real workers are killed in the middle, and real requests race."""

import time

import pytest
from django.db import connection

from reservations.domain.period import Period
from reservations.models import User
from telemetry.models import CollectionRun, PoolHour, Recollection
from telemetry.services.collection import collect_hours
from telemetry.services.ledger import LEDGER_LOCK
from telemetry.services.recollecting import run_recollections
from tests.telemetry.services.collected_fleet import HOUR, TEN, hours_of, pool, reserve, source
from tests.telemetry.services.ledger_store import everything
from tests.telemetry.services.other_process import finished, running, until_blocked
from tests.telemetry.services.test_recollections import LATER, ask, asked, clock

pytestmark = pytest.mark.django_db(transaction=True)

WORK = """
from telemetry.services.recollecting import run_recollections
from tests.telemetry.services.test_recollections import LATER
print(run_recollections(clock=lambda: LATER))
"""
ASK = """
from reservations.models import Pool, User
from telemetry.domain.recollection import UnableToRecollect
from tests.telemetry.services.test_recollections import TEN, HOUR, ask
try:
    print(ask(Pool.objects.get(), User.objects.get(), hours=5, first=TEN + {late} * HOUR, key="{key}"))
except UnableToRecollect:
    print("refused")
"""


def held_back(pool_id: int, sql: str = "pg_advisory_lock") -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql}(%s, %s)", [LEDGER_LOCK, pool_id])


def test_a_worker_killed_in_the_middle_loses_nothing_and_repeats_one_part() -> None:
    sprint = pool("sprint-b200", source("main"))
    reserve(13)
    number = ask(sprint, User.objects.create_user("ada"))
    held_back(sprint.pk)
    try:
        with running(WORK) as worker:
            until_blocked(1)
            held_back(sprint.pk, "pg_advisory_unlock")
            deadline = time.monotonic() + 60
            while asked(number).done_hours == 0 and time.monotonic() < deadline:
                time.sleep(0.001)
            worker.kill()
            worker.wait(30)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
    left = asked(number)
    assert left.done_hours in (6, 12, 13)
    begun = _begun_by_the_next()
    ended = asked(number)
    assert begun == (left.state == "running")
    assert (ended.state, ended.done_hours, ended.stored + ended.unchanged) == ("done", 13, 13)
    assert hours_of(sprint) == list(Period(TEN, TEN + 13 * HOUR).hours())
    together = everything()
    PoolHour.objects.all().delete()
    collect_hours(pool_ids=[sprint.pk], period=Period(TEN, TEN + 13 * HOUR), as_of=LATER)
    assert together == everything()


def test_a_worker_killed_before_its_first_part_was_kept_starts_over() -> None:
    sprint = pool("sprint-b200", source("main"))
    reserve(3)
    number = ask(sprint, User.objects.create_user("ada"), hours=3)
    held_back(sprint.pk)
    try:
        with running(WORK) as worker:
            until_blocked(1)
            worker.kill()
            worker.wait(30)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
    assert (asked(number).state, asked(number).done_hours, asked(number).tries) == ("running", 0, 1)
    assert _begun_by_the_next() == 1
    assert (asked(number).state, asked(number).stored, asked(number).tries) == ("done", 3, 0)
    assert CollectionRun.objects.count() == 3


def test_of_two_people_who_ask_for_overlapping_hours_at_once_one_is_told() -> None:
    pool("sprint-b200", source("main"))
    User.objects.create_user("ada")
    with running(ASK.format(late=0, key="a")) as one, running(ASK.format(late=3, key="b")) as other:
        said = sorted((finished(one), finished(other)))
    assert said.count("refused\n") == 1
    assert Recollection.objects.count() == 1


def test_two_clicks_on_one_button_at_once_are_one_request() -> None:
    pool("sprint-b200", source("main"))
    User.objects.create_user("ada")
    with running(ASK.format(late=0, key="a")) as one, running(ASK.format(late=0, key="a")) as other:
        said = {finished(one), finished(other)}
    assert said == {f"{Recollection.objects.get().pk}\n"}


def _begun_by_the_next() -> int:
    """The killed session ends a moment after its process."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if begun := run_recollections(clock=clock):
            return begun
        if not Recollection.objects.filter(state__in=("queued", "running")).exists():
            return 0
        time.sleep(0.05)
    raise AssertionError("the dead worker's lock never went away")
