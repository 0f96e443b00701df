"""Real workers are killed in the middle of a proof, and real requests race."""

import time

import pytest
from django.db import connection

from reservations.models import User
from scheduler.domain.policy import ONLINE_LIMITS
from scheduler.models import AllocationRun
from scheduler.services.allocation import run_allocations
from tests.scheduler.services.allocation_questions import ask, asked, clock
from tests.telemetry.services.other_process import finished, running

pytestmark = pytest.mark.django_db(transaction=True)

STUCK = """
import time
from scheduler.services.allocation import working_off
def stuck(*, left, report, **given):
    report("stuck", 2.0, 1.0)
    while True:
        time.sleep(0.05)
        left()
working_off.allocation_answer = stuck
from tests.scheduler.services.allocation_questions import clock
print(working_off.run_allocations(clock=clock))
"""
ASK = """
from reservations.models import User
from scheduler.domain.allocation_run import UnableToQueueRun
from tests.scheduler.services.allocation_questions import ask
try:
    ask(User.objects.get())
    print("queued")
except UnableToQueueRun:
    print("refused")
"""


def until_begun(number: int) -> None:
    deadline = time.monotonic() + 60
    while asked(number).phase != "stuck":
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_run_whose_worker_is_killed_is_found_again_and_finished() -> None:
    number = ask(User.objects.create_user("ada"))
    with running(STUCK) as worker:
        until_begun(number)
        assert run_allocations(clock=clock) == 0, "another worker is at it"
        worker.kill()
        worker.wait(30)
    left = asked(number)
    assert (left.state, left.tries, left.value, left.bound) == ("running", 1, 1.0, 2.0)
    deadline = time.monotonic() + 30
    while not run_allocations(clock=clock):  # the killed session ends a moment after its process
        assert time.monotonic() < deadline
        time.sleep(0.05)
    ended = asked(number)
    assert (ended.state, ended.tries) == ("done", 2)
    assert ended.result


def test_while_one_worker_is_at_a_run_another_takes_the_next() -> None:
    ada = User.objects.create_user("ada")
    first, second = ask(ada), ask(ada)
    with running(STUCK):
        until_begun(first)
        assert run_allocations(clock=clock) == 1
    assert (asked(first).state, asked(second).state) == ("running", "done")


def test_of_requests_that_race_no_more_are_taken_than_one_person_may_have() -> None:
    ada = User.objects.create_user("ada")
    for _ in range(ONLINE_LIMITS.runs_of_one - 1):
        ask(ada)
    with running(ASK) as one, running(ASK) as other:
        said = sorted((finished(one), finished(other)))
    assert said == ["queued\n", "refused\n"]
    assert AllocationRun.objects.count() == ONLINE_LIMITS.runs_of_one
    connection.close()
