"""Runs of full mode are asked for, counted by person, worked off, taken back, given up and forgotten."""

import json
from datetime import datetime, timedelta

import numpy as np
import pytest
from django.db import IntegrityError, OperationalError, transaction

from reservations.models import User
from scheduler.domain.allocation.full import full_plan
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.scenario import IllegalScenario
from scheduler.domain.allocation_run import MOST_TRIES, UnableToQueueRun
from scheduler.domain.policy import ONLINE_LIMITS
from scheduler.models import AllocationRun
from scheduler.selectors.allocation_runs import allocation_run, allocation_runs
from scheduler.services import background_runs
from scheduler.services.allocation import (
    allocation_answer,
    answering,
    cancel_allocation_run,
    forget_old_allocation_runs,
    run_allocations,
    verdict,
    working_off,
)
from tests.scheduler.services.allocation_questions import NOW, SMALL, ask, asked, clock, of_the_six

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def eve() -> User:
    return User.objects.create_user("eve")


def test_what_was_asked_for_is_answered_with_a_grid_that_holds(ada: User) -> None:
    number = ask(ada, of_the_six("mixed"))
    assert (asked(number).state, asked(number).asked_by_name, asked(number).result) == ("queued", "ada", "")
    assert run_allocations(clock=clock) == 1
    whole = allocation_run(user_id=ada.pk, run_id=number)
    assert whole is not None
    assert (whole.row.state, whole.row.started_at, whole.row.finished_at) == ("done", NOW, NOW)
    assert whole.result is not None
    assert whole.result["proved"]
    assert whole.row.message == "Done: proved to be the best."
    assert whole.scenario == of_the_six("mixed")
    told = verdict(instance=allocation_answer(scenario=whole.scenario).instance, result=whole.result)
    assert (told["legal"], told["differences"]) == (True, [])
    assert whole.result["objective"] == pytest.approx(134.294708)
    assert whole.row.value == pytest.approx(134.294708)
    assert whole.row.phase


def test_runs_are_worked_off_oldest_first(ada: User, eve: User) -> None:
    late, early = ask(ada), ask(eve)
    AllocationRun.objects.filter(pk=early).update(asked_at=NOW - timedelta(hours=1))
    ticks = iter(range(100))
    assert run_allocations(clock=lambda: NOW + timedelta(seconds=next(ticks))) == 2
    assert asked(early).finished_at <= asked(late).started_at


def test_an_illegal_scenario_is_never_queued(ada: User) -> None:
    with pytest.raises(IllegalScenario):
        ask(ada, SMALL | {"gpus": 0})
    assert not AllocationRun.objects.exists()


def test_one_person_has_so_many_runs_under_way_and_no_more_while_another_may_ask(ada: User, eve: User) -> None:
    numbers = [ask(ada) for _ in range(ONLINE_LIMITS.runs_of_one)]
    with pytest.raises(UnableToQueueRun, match="You have 3 runs under way: wait for one"):
        ask(ada)
    ask(eve)
    cancel_allocation_run(run_id=numbers[0], user_id=ada.pk, as_of=NOW)
    ask(ada)


def test_nobody_may_take_longer_than_the_limit(ada: User) -> None:
    assert asked(ask(ada, time_limit_seconds=1e9)).time_limit_seconds == ONLINE_LIMITS.time_limit_seconds


def test_everybody_sees_their_own_runs_and_nobody_else_s(ada: User, eve: User) -> None:
    mine, theirs = ask(ada), ask(eve)
    assert allocation_run(user_id=ada.pk, run_id=theirs) is None
    assert [row.id for row in allocation_runs(user_id=ada.pk, limit=10)[0]] == [mine]
    assert not cancel_allocation_run(run_id=theirs, user_id=ada.pk, as_of=NOW)
    assert asked(theirs).state == "queued"


def test_the_newest_run_stands_first_and_pages_say_how_many_there_are(ada: User) -> None:
    first, second, third = ask(ada), ask(ada), ask(ada)
    rows, total = allocation_runs(user_id=ada.pk, offset=1, limit=1)
    assert ([row.id for row in rows], total) == ([second], 3)
    assert first < second < third


def test_a_run_that_waits_is_never_begun_after_it_was_taken_back(ada: User) -> None:
    number = ask(ada)
    assert cancel_allocation_run(run_id=number, user_id=ada.pk, as_of=NOW)
    assert not cancel_allocation_run(run_id=number, user_id=ada.pk, as_of=NOW)
    assert run_allocations(clock=clock) == 0
    assert (asked(number).state, asked(number).finished_at) == ("cancelled", NOW)


def test_a_solver_has_no_second_left_once_its_run_is_taken_back(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_off, "SECONDS_BETWEEN_LOOKS", 0)
    left: list[float] = []

    def taken_back_midway(instance: Instance, warm: np.ndarray, **more: object) -> object:
        left.append(more["left"]())  # type: ignore[operator]
        more["report"]("half", 9.0, 3.0)  # type: ignore[operator]
        seen.append(asked(number).phase)
        cancel_allocation_run(run_id=number, user_id=ada.pk, as_of=NOW)
        left.append(more["left"]())  # type: ignore[operator]
        return full_plan(instance, warm, **more)  # type: ignore[arg-type]

    seen: list[str] = []
    monkeypatch.setattr(answering, "full_plan", taken_back_midway)
    number = ask(ada, time_limit_seconds=50)
    run_allocations(clock=clock)
    assert 49 < left[0] <= 50
    assert left[1] == 0
    assert seen == ["half"]
    ended = asked(number)
    assert (ended.state, ended.result, ended.value, ended.bound) == ("cancelled", "", 3.0, 9.0)


def test_a_bound_that_is_none_yet_is_unknown_and_not_endless(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_bound(instance: Instance, warm: np.ndarray, **more: object) -> object:
        more["report"]("begun", float("inf"), 3.0)  # type: ignore[operator]
        kept.append(asked(number).bound)
        return full_plan(instance, warm, left=more["left"])  # type: ignore[arg-type]

    kept: list[float | None] = []
    monkeypatch.setattr(answering, "full_plan", without_bound)
    number = ask(ada)
    run_allocations(clock=clock)
    assert kept == [None]


def test_what_a_dead_worker_left_is_begun_anew_and_keeps_when_it_was_first_begun(ada: User) -> None:
    number = ask(ada)
    AllocationRun.objects.filter(pk=number).update(state="running", started_at=NOW - timedelta(hours=1), tries=1)
    assert run_allocations(clock=clock) == 1
    ended = asked(number)
    assert (ended.state, ended.tries, ended.started_at) == ("done", 2, NOW - timedelta(hours=1))


def test_a_run_that_kills_its_workers_is_given_up_in_a_sentence(ada: User) -> None:
    number = ask(ada)
    AllocationRun.objects.filter(pk=number).update(state="running", started_at=NOW, tries=MOST_TRIES)
    assert run_allocations(clock=clock) == 0
    assert (asked(number).state, asked(number).finished_at) == ("failed", NOW)
    assert asked(number).message == "Given up: 3 workers began it and none of them came back."


def test_a_fault_ends_the_run_in_a_sentence_that_gives_nothing_away(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**given: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(working_off, "allocation_answer", broken)
    number = ask(ada)
    with pytest.raises(ZeroDivisionError):
        run_allocations(clock=clock)
    assert asked(number).state == "failed"
    assert asked(number).message == "Stopped by a fault of Moorage: the worker's log has it."


def test_what_the_database_would_not_do_is_left_to_the_next_run(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(**given: object) -> None:
        raise OperationalError("the connection is gone")

    with monkeypatch.context() as patched:
        patched.setattr(working_off, "allocation_answer", away)
        number = ask(ada)
        with pytest.raises(OperationalError):
            run_allocations(clock=clock)
    assert asked(number).state == "running"
    assert run_allocations(clock=clock) == 1
    assert asked(number).state == "done"


def test_a_scenario_that_a_newer_release_finds_illegal_ends_with_that_sentence(ada: User) -> None:
    number = ask(ada)
    AllocationRun.objects.filter(pk=number).update(scenario=json.dumps(SMALL | {"blocks": "odd"}))
    run_allocations(clock=clock)
    assert asked(number).state == "failed"
    assert '"blocks" is "odd"' in asked(number).message


def test_an_end_that_comes_after_another_worker_began_changes_nothing(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(**given: object) -> object:
        AllocationRun.objects.filter(pk=number).update(tries=2)
        return allocation_answer(scenario=SMALL)

    monkeypatch.setattr(working_off, "allocation_answer", overtaken)
    monkeypatch.setattr(background_runs, "_begin_one", _once(background_runs._begin_one))
    number = ask(ada)
    run_allocations(clock=clock)
    assert (asked(number).state, asked(number).result) == ("running", "")


def test_old_answers_are_forgotten_and_what_is_under_way_is_not(ada: User) -> None:
    old, fresh, waiting = ask(ada), ask(ada), ask(ada)
    kept = ONLINE_LIMITS.kept_for
    for number, ended in ((old, NOW - kept - timedelta(seconds=1)), (fresh, NOW - kept)):
        AllocationRun.objects.filter(pk=number).update(state="cancelled", finished_at=ended)
    AllocationRun.objects.filter(pk=waiting).update(asked_at=NOW - 2 * kept)
    assert forget_old_allocation_runs(as_of=NOW) == 1
    assert set(AllocationRun.objects.values_list("pk", flat=True)) == {fresh, waiting}
    assert forget_old_allocation_runs(as_of=NOW) == 0


def test_the_log_in_may_go_and_its_name_stays(ada: User) -> None:
    number = ask(ada)
    ada.delete()
    assert (asked(number).asked_by, asked(number).asked_by_name) == (None, "ada")


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "paused"},
        {"state": "running"},
        {"state": "done", "finished_at": NOW, "started_at": NOW},
        {"state": "queued", "finished_at": NOW},
        {"state": "cancelled"},
        {"result": "{}"},
    ],
)
def test_the_database_refuses_what_no_move_leads_to(ada: User, wrong: dict[str, object]) -> None:
    number = ask(ada)
    with pytest.raises(IntegrityError), transaction.atomic():
        AllocationRun.objects.filter(pk=number).update(**wrong)


def test_the_tasks_are_their_services(ada: User) -> None:
    from scheduler.tasks import forget_old_allocation_runs as forget
    from scheduler.tasks import run_allocations as task

    number = ask(ada)
    task()
    assert asked(number).state == "done"
    assert asked(number).finished_at > datetime(2026, 5, 4, tzinfo=NOW.tzinfo)
    AllocationRun.objects.update(finished_at=NOW - timedelta(days=999))
    forget()
    assert not AllocationRun.objects.exists()


def _once(begin):
    """The same for the first call; after it there is nothing to begin."""
    calls: list[int] = []

    def begun(*given: object) -> bool:
        calls.append(1)
        return len(calls) == 1 and begin(*given)

    return begun
