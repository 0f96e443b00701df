"""Two browsers at once, on real connections: one outcome, one clear sentence for whoever comes second."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from reservations.models import AuditEvent, ExceptionApproval, ExceptionMove, ExceptionPart, ExceptionRequest
from reservations.services import exceptions
from reservations.services.exceptions import UnableToMoveRequest
from tests.reservations.asked import AT, TODAY, TYPED, Desk, desk, newest, person

Act = Callable[[], object]


def at_once(*acts: Act) -> list[object]:
    """What each act gave or raised, all of them begun at the same moment, each on a connection of its own."""
    start = Barrier(len(acts))

    def one(act: Act) -> object:
        try:
            start.wait(10)
            return act()
        except UnableToMoveRequest as unable:
            return unable
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


@pytest.mark.django_db(transaction=True)
def test_opposite_decisions_double_clicks_and_two_purchases_at_once_come_to_one_outcome_each() -> None:
    at_desk = desk(steps=[{"up_to": "1000000", "role": "approver"}])
    opposite(at_desk)
    one_form_twice(at_desk)
    one_draft_from_two_clicks(at_desk)
    one_buyer(at_desk)
    withdrawn_while_approved(at_desk)
    numbers = list(AuditEvent.objects.order_by("sequence").values_list("sequence", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def opposite(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    seen = newest(request_id).content_hash
    said = {"request_id": request_id, "content_hash": seen, "at": AT}
    outcomes = at_once(
        lambda: exceptions.approve_exception(by=at_desk.approves.pk, today=TODAY, key=uuid4(), **said),
        lambda: exceptions.reject_exception(by=at_desk.also.pk, reason="Too dear.", key=uuid4(), **said),
    )

    state = ExceptionRequest.objects.get(pk=request_id).state
    (second,) = [one for one in outcomes if isinstance(one, UnableToMoveRequest)]
    assert state in ("approved", "rejected")
    assert str(second).startswith(f"It is {state}, so it can’t be ")
    decided = ExceptionMove.objects.filter(request_id=request_id, move__in=["approve", "reject"])
    assert decided.count() == 1


def one_form_twice(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    key = uuid4()
    act = lambda: at_desk.approve(request_id, at_desk.approves, key=key)  # noqa: E731
    outcomes = at_once(act, act, act)

    assert sorted(one.repeated for one in outcomes) == [False, True, True]  # type: ignore[attr-defined]
    assert ExceptionApproval.objects.filter(version__request_id=request_id).count() == 1


def one_draft_from_two_clicks(at_desk: Desk) -> None:
    before, key = ExceptionRequest.objects.count(), uuid4()
    act = lambda: exceptions.save_draft_exception(typed=TYPED, by=at_desk.asks.pk, at=AT, key=key)  # noqa: E731
    first, second = at_once(act, act)

    assert first == second
    assert ExceptionRequest.objects.count() == before + 1


def one_buyer(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    at_desk.approve(request_id, at_desk.approves)
    other = person("buys-too", "operator", None)
    outcomes = at_once(lambda: at_desk.execute(request_id, at_desk.buys), lambda: at_desk.execute(request_id, other))

    assert sum(isinstance(one, UnableToMoveRequest) for one in outcomes) == 1
    assert ExceptionPart.objects.filter(version__request_id=request_id, part="executor").count() == 1


def withdrawn_while_approved(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    at_once(
        lambda: at_desk.approve(request_id, at_desk.approves),
        lambda: exceptions.withdraw_exception(
            request_id=request_id, by=at_desk.asks.pk, at=AT + timedelta(hours=2), key=uuid4()
        ),
    )

    assert ExceptionRequest.objects.get(pk=request_id).state == "withdrawn"
