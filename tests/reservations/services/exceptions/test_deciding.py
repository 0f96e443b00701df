"""A request from its draft to its purchase, and every way in which one person could play two parts."""

from datetime import timedelta
from uuid import uuid4

import pytest

from reservations.models import AuditEvent, ExceptionApproval, ExceptionMove, ExceptionRequest, RoleGrant
from reservations.services import exceptions
from reservations.services.exceptions import UnableToMoveRequest
from tests.reservations.asked import AT, TODAY, Desk, desk, newest, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_desk(db: None) -> Desk:
    return desk()


def state(request_id: int) -> str:
    return ExceptionRequest.objects.get(pk=request_id).state


def test_a_request_is_approved_step_by_step_bought_by_a_third_and_every_act_is_on_the_trail(at_desk: Desk) -> None:
    request_id = at_desk.submit()

    first = at_desk.approve(request_id, at_desk.checks)
    second = at_desk.approve(request_id, at_desk.approves)
    at_desk.execute(request_id, at_desk.buys)

    assert (first.state, second.state, state(request_id)) == ("submitted", "approved", "executed")
    assert "one approver" in first.told
    row = ExceptionRequest.objects.get(pk=request_id)
    assert row.valid_until == AT + timedelta(hours=1, days=30)
    moves = list(ExceptionMove.objects.filter(request=row).values_list("move", flat=True))
    assert moves == ["draft", "submit", "approve_step", "approve", "execute"]
    acts = AuditEvent.objects.filter(about="exception_request", ident=str(request_id)).order_by("sequence")
    assert list(acts.values_list("act", "by_name")) == [
        ("exception_drafted", "asks"),
        ("exception_submitted", "asks"),
        ("exception_step_approved", "checks"),
        ("exception_approved", "approves"),
        ("exception_executed", "buys"),
    ]


def test_steps_come_in_their_order(at_desk: Desk) -> None:
    request_id = at_desk.submit()

    with pytest.raises(UnableToMoveRequest, match="needs the role analyst for serving, which you don’t hold"):
        at_desk.approve(request_id, at_desk.approves)


def test_nobody_approves_what_they_asked_for_though_they_hold_the_role_or_are_superuser(at_desk: Desk) -> None:
    RoleGrant.objects.create(user=at_desk.asks, role="analyst", team=None)
    at_desk.asks.is_superuser = at_desk.asks.is_staff = True
    at_desk.asks.save()
    request_id = at_desk.submit()

    with pytest.raises(UnableToMoveRequest, match=r"You asked for it, so you can’t approve it as well\."):
        at_desk.approve(request_id, at_desk.asks)
    assert not ExceptionApproval.objects.exists()


def test_a_superuser_has_no_authority_by_being_one(at_desk: Desk) -> None:
    at_desk.buys.is_superuser = True
    at_desk.buys.save()

    with pytest.raises(UnableToMoveRequest, match="which you don’t hold"):
        at_desk.approve(at_desk.submit(), at_desk.buys)


def test_no_two_steps_are_one_persons(at_desk: Desk) -> None:
    RoleGrant.objects.create(user=at_desk.approves, role="analyst", team=None)
    request_id = at_desk.submit()
    at_desk.approve(request_id, at_desk.approves)

    with pytest.raises(UnableToMoveRequest, match="You approved a step of it, so you can’t approve it as well"):
        at_desk.approve(request_id, at_desk.approves)


def test_neither_who_asked_nor_who_approved_buys(at_desk: Desk) -> None:
    RoleGrant.objects.create(user=at_desk.approves, role="operator", team=None)
    request_id = at_desk.approved()

    with pytest.raises(UnableToMoveRequest, match="You approved a step of it, so you can’t execute it"):
        at_desk.execute(request_id, at_desk.approves)
    with pytest.raises(UnableToMoveRequest, match="You asked for it, so you can’t execute it"):
        at_desk.execute(request_id, at_desk.asks)
    assert state(request_id) == "approved"


def test_an_approver_of_another_team_has_no_say(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    at_desk.approve(request_id, at_desk.checks)

    with pytest.raises(UnableToMoveRequest, match="needs the role approver for serving"):
        at_desk.approve(request_id, at_desk.outsider)


def test_a_form_that_is_sent_twice_is_one_approval(at_desk: Desk) -> None:
    request_id, key = at_desk.submit(), uuid4()

    first = at_desk.approve(request_id, at_desk.checks, key=key)
    again = at_desk.approve(request_id, at_desk.checks, key=str(key))

    assert (first.repeated, again.repeated, again.told) == (False, True, first.told)
    assert ExceptionApproval.objects.count() == 1


def test_an_approval_is_of_what_was_read_and_of_nothing_else(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    read = newest(request_id).content_hash
    exceptions.revise_exception(request_id=request_id, by=at_desk.asks.pk, at=AT)
    at_desk.submit(request_id, reason="A launch in May and one in June double the peak.")

    with pytest.raises(UnableToMoveRequest, match="changed since you opened it: read version 2"):
        at_desk.approve(request_id, at_desk.checks, content_hash=read)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ({"reason": "A launch in May doubles the peak, as signed in March."}, True),
        ({"amount": "399999.00"}, True),
        ({"amount": "400001.00"}, False),
        ({"nodes": "5"}, False),
        ({"term_end": "2026-11-01"}, False),
        ({"kind": "short_history", "answer_basis": "A test of a week."}, False),
    ],
)
def test_a_material_edit_voids_approvals_and_a_minor_one_keeps_them(
    at_desk: Desk, typed: dict[str, str], kept: bool
) -> None:
    request_id = at_desk.approved()

    exceptions.revise_exception(request_id=request_id, by=at_desk.asks.pk, at=AT)
    at_desk.submit(request_id, **typed)

    assert state(request_id) == ("approved" if kept else "submitted")
    told = ExceptionMove.objects.filter(request_id=request_id).latest("number").told
    assert ("its approvals stand" in told) == kept
    assert ("2 approvals are void" in told) == (not kept)
    assert newest(request_id).approvals.count() == (2 if kept else 0)


def test_a_colleague_who_revises_asks_as_well_and_approves_no_more(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    exceptions.return_exception(
        request_id=request_id,
        content_hash=newest(request_id).content_hash,
        reason="Say what happens in June.",
        by=at_desk.checks.pk,
        at=AT,
    )
    exceptions.revise_exception(request_id=request_id, by=at_desk.also.pk, at=AT)
    at_desk.submit(request_id, by=at_desk.also)
    at_desk.approve(request_id, at_desk.checks)

    with pytest.raises(UnableToMoveRequest, match="You asked for it"):
        at_desk.approve(request_id, at_desk.also)
    assert at_desk.approve(request_id, at_desk.approves).state == "approved"


def test_a_role_granted_a_few_days_ago_is_marked_on_the_approval(at_desk: Desk) -> None:
    RoleGrant.objects.filter(user=at_desk.checks).update(granted_at=AT - timedelta(days=13))
    request_id = at_desk.submit()
    at_desk.approve(request_id, at_desk.checks)
    at_desk.approve(request_id, at_desk.approves)

    marked = dict(ExceptionApproval.objects.values_list("person_name", "role_is_recent"))
    assert marked == {"checks": True, "approves": False}


def test_a_role_that_was_changed_in_place_counts_as_granted_then(at_desk: Desk) -> None:
    before = RoleGrant.objects.get(user=at_desk.checks)
    RoleGrant.objects.filter(pk=before.pk).update(role="operator")

    after = RoleGrant.objects.get(pk=before.pk)
    assert after.granted_at - before.granted_at > timedelta(days=300)
    RoleGrant.objects.filter(pk=before.pk).update(role="operator")
    assert RoleGrant.objects.get(pk=before.pk).granted_at == after.granted_at


def test_what_a_requester_who_left_asked_for_is_not_approved(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    at_desk.asks.is_active = False
    at_desk.asks.save()

    with pytest.raises(UnableToMoveRequest, match="asks, who asked for it, has left: return it"):
        at_desk.approve(request_id, at_desk.checks)


def test_a_group_of_one_who_asks_can_not_approve_and_it_is_said_on_submission(at_desk: Desk) -> None:
    RoleGrant.objects.filter(role="analyst").delete()
    RoleGrant.objects.create(user=at_desk.asks, role="analyst", team=None)

    with pytest.raises(UnableToMoveRequest, match="Only whoever asks holds the role analyst"):
        at_desk.submit()
    assert state(ExceptionRequest.objects.get().pk) == "draft"


def test_an_amount_above_the_last_step_is_nobodys_to_approve(at_desk: Desk) -> None:
    with pytest.raises(UnableToMoveRequest, match="Nobody has the authority"):
        at_desk.submit(amount="1000000.01")


def test_conditions_hang_on_the_approval_and_are_met_once(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    tied = exceptions.Condition("Lend what is idle to research.", TODAY + timedelta(days=30))
    at_desk.approve(request_id, at_desk.checks, conditions=[tied])
    at_desk.approve(request_id, at_desk.approves)
    condition = ExceptionRequest.objects.get(pk=request_id).conditions.get()

    exceptions.meet_condition(condition_id=condition.pk, note="Lent since Monday.", by=at_desk.asks.pk, at=AT)

    condition.refresh_from_db()
    assert (condition.met_by_name, condition.met_note) == ("asks", "Lent since Monday.")
    with pytest.raises(UnableToMoveRequest, match="asks said already that it is met"):
        exceptions.meet_condition(condition_id=condition.pk, note="Again.", by=at_desk.asks.pk, at=AT)


def test_a_rejection_ends_it_and_needs_its_reason(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    said = {"content_hash": newest(request_id).content_hash, "by": at_desk.checks.pk, "at": AT}

    with pytest.raises(UnableToMoveRequest, match="Say why"):
        exceptions.reject_exception(request_id=request_id, reason=" ", **said)
    exceptions.reject_exception(request_id=request_id, reason="The pool is idle at night.", **said)

    with pytest.raises(UnableToMoveRequest, match="It is rejected, so it can’t be approved now"):
        at_desk.approve(request_id, at_desk.checks)
    with pytest.raises(UnableToMoveRequest, match="It is rejected, so it can’t be revised now"):
        exceptions.revise_exception(request_id=request_id, by=at_desk.asks.pk, at=AT)


def test_technical_and_cost_checks_run_in_parallel_before_the_steps(db: None) -> None:
    at_desk = desk(
        checks=[{"check": "technical", "role": "operator"}, {"check": "cost", "role": "analyst"}],
        steps=[{"up_to": "1000000", "role": "approver", "quorum": 2}],
    )
    request_id = at_desk.submit()

    at_desk.approve(request_id, at_desk.checks)
    at_desk.approve(request_id, at_desk.buys)
    at_desk.approve(request_id, at_desk.also)
    assert state(request_id) == "submitted"
    at_desk.approve(request_id, at_desk.approves)

    assert state(request_id) == "approved"
    with pytest.raises(UnableToMoveRequest, match="You approved a step of it, so you can’t execute it"):
        at_desk.execute(request_id, at_desk.buys)
    assert at_desk.execute(request_id, person("second-buyer", "operator", None)).state == "executed"
