"""Hours are asked for once more, worked off in parts, taken back, and never twice at once."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, OperationalError, transaction

from reservations.domain.period import Period
from reservations.models import Pool, User
from telemetry.domain.recollection import MOST_TRIES, UnableToRecollect
from telemetry.models import CollectionRun, PoolHour, Recollection
from telemetry.services import recollecting
from telemetry.services.collection import collect_hours
from telemetry.services.recollecting import RECOLLECT_LOCK, run_recollections
from telemetry.services.recollections import cancel_recollection, request_recollection
from telemetry.services.sole_run import sole_run
from tests.telemetry.services.collected_fleet import HOUR, NOWHERE, TEN, hours_of, pool, reserve, source

pytestmark = pytest.mark.django_db

LATER = TEN + timedelta(days=3)


def clock() -> datetime:
    return LATER


@pytest.fixture
def sprint() -> Pool:
    made = pool("sprint-b200", source("main"))
    reserve(13)
    return made


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def ask(of: Pool, by: User, hours: int = 13, first: datetime = TEN, key: str = "one", force: bool = False) -> int:
    return request_recollection(
        pool_id=of.pk,
        start=first,
        end=first + hours * HOUR,
        force=force,
        key=key,
        asked_by_id=by.pk,
        asked_by_name=by.username,
        as_of=LATER,
    )


def asked(number: int) -> Recollection:
    return Recollection.objects.get(pk=number)


def test_what_was_asked_for_is_collected_and_counted(sprint: Pool, ada: User) -> None:
    number = ask(sprint, ada)
    assert (asked(number).state, asked(number).asked_by, asked(number).asked_by_name) == ("queued", ada, "ada")
    assert run_recollections(clock=clock) == 1
    done = asked(number)
    assert (done.state, done.done_hours, done.stored) == ("done", 13, 13)
    assert done.message == "13 of 13 hours were stored."
    assert hours_of(sprint) == list(Period(TEN, TEN + 13 * HOUR).hours())
    assert (done.started_at, done.finished_at) == (LATER, LATER)


def test_the_same_click_twice_is_one_request(sprint: Pool, ada: User) -> None:
    assert ask(sprint, ada) == ask(sprint, ada)
    run_recollections(clock=clock)
    assert ask(sprint, ada) == asked(ask(sprint, ada)).pk
    assert Recollection.objects.count() == 1
    assert ask(sprint, ada, key="another click") != Recollection.objects.order_by("pk").first().pk


def test_hours_that_are_being_collected_are_not_asked_for_again(sprint: Pool, ada: User) -> None:
    first = ask(sprint, ada, hours=4)
    with pytest.raises(UnableToRecollect, match=r"ada asked for the hours from 4 May 2026, 10:00 UTC to .* queued"):
        ask(sprint, ada, hours=2, first=TEN + 3 * HOUR, key="two")
    assert ask(sprint, ada, hours=2, first=TEN + 4 * HOUR, key="three") != first
    other = pool("serve-h100", None)
    assert ask(other, ada, hours=4, key="four") != first


def test_a_request_that_has_ended_is_in_nobody_s_way(sprint: Pool, ada: User) -> None:
    ask(sprint, ada, hours=2)
    run_recollections(clock=clock)
    again = ask(sprint, ada, hours=2, key="two")
    run_recollections(clock=clock)
    assert (asked(again).stored, asked(again).unchanged) == (0, 2)
    assert asked(again).message == "0 of 2 hours were stored, 2 said the same again."


def test_refused_hours_are_told_with_why(sprint: Pool, ada: User) -> None:
    collect_hours(pool_ids=[sprint.pk], period=Period(TEN + HOUR, TEN + 4 * HOUR), as_of=LATER + HOUR)
    number = ask(sprint, ada, hours=6)
    run_recollections(clock=clock)
    done = asked(number)
    assert (done.state, done.stored, done.refused) == ("done", 3, 3)
    assert done.problems == [
        {
            "status": "refused",
            "why": "a newer reading of the hour stands already",
            "from": (TEN + HOUR).isoformat(),
            "to": (TEN + 4 * HOUR).isoformat(),
        }
    ]


def test_refused_hours_on_both_sides_of_a_part_are_one_stretch(sprint: Pool, ada: User) -> None:
    collect_hours(pool_ids=[sprint.pk], period=Period(TEN + 4 * HOUR, TEN + 9 * HOUR), as_of=LATER + HOUR)
    number = ask(sprint, ada)
    run_recollections(clock=clock)
    (told,) = asked(number).problems
    assert (told["from"], told["to"]) == ((TEN + 4 * HOUR).isoformat(), (TEN + 9 * HOUR).isoformat())


def test_a_source_that_says_nothing_is_not_asked_for_the_rest(ada: User) -> None:
    silent = pool("sprint-b200", source("down", NOWHERE))
    reserve(13)
    number = ask(silent, ada)
    run_recollections(clock=clock)
    ended = asked(number)
    assert (ended.state, ended.done_hours, ended.failed) == ("failed", 6, 6)
    assert ended.message == "The source gave no answer: 0 of 13 hours were stored, 6 got no answer, 7 were not tried."
    assert "nothing takes the connection" in ended.problems[0]["why"]


def test_one_hour_without_an_answer_is_a_request_that_failed(ada: User) -> None:
    silent = pool("sprint-b200", source("down", NOWHERE))
    number = ask(silent, ada, hours=1)
    run_recollections(clock=clock)
    assert (asked(number).state, asked(number).message) == ("failed", "0 of 1 hour was stored, 1 got no answer.")


def test_force_replaces_what_another_source_measured(sprint: Pool, ada: User) -> None:
    collect_hours(pool_ids=[sprint.pk], period=Period(TEN, TEN + 2 * HOUR), as_of=LATER)
    PoolHour.objects.update(source="trace:old", read_at=TEN)
    kept = ask(sprint, ada, hours=2)
    run_recollections(clock=clock)
    assert asked(kept).refused == 2
    taken = ask(sprint, ada, hours=2, key="two", force=True)
    run_recollections(clock=clock)
    assert asked(taken).stored == 2
    assert set(PoolHour.objects.values_list("source", flat=True)) == {"main"}


def test_one_that_is_taken_back_stops_after_the_part_at_hand(
    sprint: Pool, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = ask(sprint, ada)

    def collected_and_taken_back(**asked_for: object) -> object:
        report = collect_hours(**asked_for)
        assert cancel_recollection(recollection_id=number, cancelled_by_name="ada", as_of=LATER)
        return report

    monkeypatch.setattr(recollecting, "collect_hours", collected_and_taken_back)
    run_recollections(clock=clock)
    ended = asked(number)
    assert (ended.state, ended.done_hours, ended.finished_at) == ("cancelled", 0, LATER)
    assert ended.message.startswith("ada took it back")
    assert len(hours_of(sprint)) == 6
    assert not cancel_recollection(recollection_id=number, cancelled_by_name="ada", as_of=LATER)


def test_one_that_waits_is_never_begun_after_it_was_taken_back(sprint: Pool, ada: User) -> None:
    cancel_recollection(recollection_id=ask(sprint, ada), cancelled_by_name="eve", as_of=LATER)
    assert run_recollections(clock=clock) == 0
    assert hours_of(sprint) == []


def test_what_a_dead_worker_left_goes_on_where_its_last_part_ended(sprint: Pool, ada: User) -> None:
    number = ask(sprint, ada)
    Recollection.objects.filter(pk=number).update(state="running", started_at=TEN, done_hours=6, stored=6, tries=1)
    run_recollections(clock=clock)
    assert (asked(number).state, asked(number).stored, asked(number).started_at) == ("done", 13, TEN)
    assert hours_of(sprint)[0] == TEN + 6 * HOUR


def test_a_request_that_kills_its_workers_is_given_up(sprint: Pool, ada: User) -> None:
    number = ask(sprint, ada)
    Recollection.objects.filter(pk=number).update(state="running", started_at=TEN, tries=MOST_TRIES)
    assert run_recollections(clock=clock) == 0
    assert asked(number).state == "failed"
    assert "5 workers began it and got no further" in asked(number).message


@pytest.mark.parametrize(
    ("fault", "goes_on"),
    [
        (ZeroDivisionError(), False),
        (ExceptionGroup("of pools", [OperationalError("the connection is gone"), ZeroDivisionError()]), False),
        (OperationalError("the connection is gone"), True),
        (ExceptionGroup("of pools", [ExceptionGroup("of one", [OperationalError()]), IntegrityError()]), True),
    ],
)
def test_a_fault_of_ours_ends_the_request_and_one_of_the_database_leaves_it_to_the_next_run(
    fault: Exception, goes_on: bool, sprint: Pool, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = ask(sprint, ada)

    def broken(**asked_for: object) -> object:
        raise fault

    monkeypatch.setattr(recollecting, "collect_hours", broken)
    with pytest.raises(type(fault)):
        run_recollections(clock=clock)
    assert asked(number).state == ("running" if goes_on else "failed")
    assert ("fault of Moorage" in asked(number).message) is not goes_on
    monkeypatch.setattr(recollecting, "collect_hours", collect_hours)
    assert run_recollections(clock=clock) == int(goes_on)
    assert asked(number).state == ("done" if goes_on else "failed")


def test_a_pool_that_is_gone_takes_its_request_along(sprint: Pool, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(sprint, ada)

    def collected_and_gone(**asked_for: object) -> object:
        report = collect_hours(**asked_for)
        Recollection.objects.all().delete()
        return report

    monkeypatch.setattr(recollecting, "collect_hours", collected_and_gone)
    assert run_recollections(clock=clock) == 1


def test_requests_are_worked_off_oldest_first(sprint: Pool, ada: User) -> None:
    second = ask(sprint, ada, hours=2, first=TEN + 2 * HOUR)
    first = ask(sprint, ada, hours=2, key="two")
    Recollection.objects.filter(pk=first).update(asked_at=LATER - HOUR)
    ticks = itertools.count()
    run_recollections(clock=lambda: LATER + timedelta(seconds=next(ticks)))
    assert asked(first).finished_at < asked(second).started_at


@pytest.mark.django_db(transaction=True)
def test_while_another_worker_is_at_it_nothing_is_begun(sprint: Pool, ada: User) -> None:
    from tests.telemetry.services.other_process import finished, running

    number = ask(sprint, ada, hours=2)
    script = """
from datetime import datetime, UTC
from telemetry.services.recollecting import run_recollections
print(run_recollections(clock=lambda: datetime(2026, 5, 7, 10, tzinfo=UTC)))
"""
    with sole_run(RECOLLECT_LOCK) as alone:
        assert alone
        with running(script) as other:
            assert finished(other) == "0\n"
    assert asked(number).state == "queued"
    with running(script) as other:
        assert finished(other) == "1\n"
    assert asked(number).state == "done"


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "paused"},
        {"state": "running"},
        {"state": "done", "finished_at": LATER, "started_at": LATER},
        {"state": "queued", "finished_at": LATER},
        {"state": "cancelled"},
        {"done_hours": 99},
    ],
)
def test_the_database_refuses_what_no_move_leads_to(sprint: Pool, ada: User, wrong: dict[str, object]) -> None:
    number = ask(sprint, ada)
    with pytest.raises(IntegrityError), transaction.atomic():
        Recollection.objects.filter(pk=number).update(**wrong)


def test_the_log_in_may_go_and_its_name_stays(sprint: Pool, ada: User) -> None:
    number = ask(sprint, ada)
    ada.delete()
    assert (asked(number).asked_by, asked(number).asked_by_name) == (None, "ada")


def test_the_task_runs_what_is_queued(sprint: Pool, ada: User) -> None:
    from telemetry.tasks import run_recollections as task

    number = ask(sprint, ada, hours=2)
    task()
    assert asked(number).state == "done"
    assert asked(number).finished_at > datetime(2026, 5, 7, tzinfo=UTC)
    assert CollectionRun.objects.count() == 2
