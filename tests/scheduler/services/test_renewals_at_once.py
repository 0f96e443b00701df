"""Plans for an end, what the database itself refuses, and people and runs that come at once."""

import threading
from collections.abc import Callable
from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction

from reservations.models import Reservation
from scheduler.domain.renewal.standing import AtEnd, Choice, ResumeTest
from scheduler.models import CalendarEntry, EndPlan, Renewal, RenewalStep
from scheduler.services.calendar import Refreshed, refresh_calendar
from scheduler.services.renewals import Proposed, UnableToRenew, decide_renewal, plan_end, propose_renewals
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding
from tests.scheduler.renewing import ADA, END, NOW, proposed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"at_end": AtEnd.FALL_BACK}, "where the work falls back"),
        ({"at_end": AtEnd.PAUSE, "resume_test": ResumeTest.PASSED}, "a day and a result"),
        ({"at_end": AtEnd.PAUSE, "resume_tested_on": date(2026, 5, 1)}, "a day and a result"),
        (
            {"at_end": AtEnd.PAUSE, "resume_tested_on": date(2026, 6, 2), "resume_test": ResumeTest.PASSED},
            "lies ahead",
        ),
        ({"at_end": AtEnd.FALL_BACK, "fallback": "x" * 201}, "at most 200"),
    ],
)
def test_a_plan_that_lacks_something_is_not_kept(cast: Cast, said: dict[str, object], why: str) -> None:
    one = proposed(cast.pool)
    with pytest.raises(UnableToRenew, match=why):
        plan_end(pk=one.pk, by=ADA, at=NOW, today=NOW.date(), **said)
    assert not EndPlan.objects.exists()


def test_a_new_plan_replaces_none(cast: Cast) -> None:
    one = proposed(cast.pool)
    tested = {"resume_tested_on": date(2026, 5, 1), "resume_test": ResumeTest.FAILED}
    plan_end(pk=one.pk, at_end=AtEnd.PAUSE, by=ADA, at=NOW, today=NOW.date(), **tested)
    plan_end(pk=one.pk, at_end=AtEnd.RENEW, by=ADA, at=NOW, today=NOW.date())
    assert list(EndPlan.objects.values_list("number", "at_end")) == [(2, "renew"), (1, "pause")]


@pytest.mark.parametrize(
    "said",
    [
        {"state": "sold"},
        {"state": "decided"},
        {"state": "proposed", "choice": "renew", "nodes": 4},
        {"state": "decided", "choice": "renew"},
        {"state": "decided", "choice": "lapse", "nodes": 4},
        {"state": "decided", "choice": "renew", "nodes": 4, "until_at": END},
    ],
)
def test_the_database_itself_refuses_what_the_table_does_not_know(cast: Cast, said: dict[str, object]) -> None:
    one = proposed(cast.pool)
    with pytest.raises(IntegrityError), transaction.atomic():
        Renewal.objects.filter(pk=one.pk).update(**said)


def at_once(work: Callable[[int], None]) -> None:
    """Two threads that begin together."""
    gate = threading.Barrier(2)

    def begin(place: int) -> None:
        try:
            gate.wait(10)
            work(place)
        finally:
            connection.close()

    threads = [threading.Thread(target=begin, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_propose_one_renewal_with_one_first_step() -> None:
    for place in range(12):
        holding(f"cr-{place:04}", end_at=END)
    runs: list[Proposed] = []
    at_once(lambda _: runs.append(propose_renewals(as_of=NOW)))
    assert sorted(run.new for run in runs) == [0, 12]
    assert Renewal.objects.count() == RenewalStep.objects.count() == 12


@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_one_does_and_the_other_is_told() -> None:
    holding("cr-0aaa", end_at=END)
    propose_renewals(as_of=NOW)
    pk, said = Renewal.objects.get().pk, []

    def decide(place: int) -> None:
        choice = (Choice.RENEW, Choice.LAPSE)[place]
        try:
            decide_renewal(pk=pk, choice=choice, by=ADA, at=NOW)
            said.append(choice.value)
        except UnableToRenew as unable:
            said.append(str(unable))

    at_once(decide)
    chosen = Renewal.objects.get().choice
    assert chosen in said
    assert len([one for one in said if one.startswith("It is decided already")]) == 1
    assert RenewalStep.objects.filter(move="decide").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_refreshes_at_once_tell_each_event_once_and_give_no_sequence_twice() -> None:
    for place in range(6):
        holding(f"cr-{place:04}", end_at=END)
    runs: list[Refreshed] = []
    at_once(lambda _: runs.append(refresh_calendar(as_of=NOW)))
    assert sorted(run.new for run in runs) == [0, 6]
    Reservation.objects.update(total_count=9)
    at_once(lambda _: runs.append(refresh_calendar(as_of=NOW)))
    assert sorted(run.changed for run in runs[2:]) == [0, 6]
    assert set(CalendarEntry.objects.values_list("sequence", flat=True)) == {1}
