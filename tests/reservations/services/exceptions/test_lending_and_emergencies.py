"""Authority that is lent for a time, emergencies that are signed off afterwards, and the rule's own versions."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from reservations.domain.procurement.exception_type import ExceptionType
from reservations.models import (
    AuditEvent,
    BreakGlass,
    Delegation,
    ExceptionApproval,
    ExceptionPart,
    ExceptionRequest,
    ProcurementRule,
    RoleGrant,
    User,
)
from reservations.selectors.procurement import rule_in_force, rule_versions
from reservations.services import exceptions
from reservations.services.delegations import UnableToDelegate, delegate_authority, end_delegation
from reservations.services.exceptions import UnableToMoveRequest
from reservations.services.procurement_rules import UnableToChangeRule, draft_rule, publish_rule
from tests.reservations.asked import AT, DOCUMENT, TODAY, Desk, desk, newest, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_desk(db: None) -> Desk:
    return desk()


def lend(at_desk: Desk, by: User, to: User, **said: object) -> int:
    told: dict[str, object] = {
        "start": AT,
        "end": AT + timedelta(days=10),
        "up_to": Decimal(500000),
        "reason": "Away at a conference.",
        **said,
    }
    return delegate_authority(delegate=to.pk, by=by.pk, at=AT, today=TODAY, **told)  # type: ignore[arg-type]


def test_a_delegate_approves_in_the_name_of_another_and_both_names_stand_on_the_trail(at_desk: Desk) -> None:
    lend(at_desk, at_desk.approves, at_desk.buys)
    request_id = at_desk.submit()
    at_desk.approve(request_id, at_desk.checks)
    at_desk.approve(request_id, at_desk.buys, acting_for=at_desk.approves.pk)

    approval = ExceptionApproval.objects.latest("id")
    assert (approval.person_name, approval.acting_for_name) == ("buys", "approves")
    assert AuditEvent.objects.filter(act="exception_approved", by_name="buys", acting_for="approves").exists()
    with pytest.raises(UnableToMoveRequest, match="You approved a step of it"):
        at_desk.execute(request_id, at_desk.buys)


def test_a_delegate_counts_as_both_persons(db: None) -> None:
    at_desk = desk(steps=[{"up_to": "1000000", "role": "approver", "quorum": 2}])
    lend(at_desk, at_desk.approves, at_desk.buys)
    request_id = at_desk.submit()
    at_desk.approve(request_id, at_desk.buys, acting_for=at_desk.approves.pk)

    with pytest.raises(UnableToMoveRequest, match="You had a step of it approved in their name"):
        at_desk.approve(request_id, at_desk.approves)


def test_nobody_approves_their_own_request_through_a_delegate_nor_as_one(at_desk: Desk) -> None:
    RoleGrant.objects.create(user=at_desk.asks, role="analyst", team=None)
    lend(at_desk, at_desk.asks, at_desk.buys, up_to=Decimal(1000))
    lend(at_desk, at_desk.checks, at_desk.asks, up_to=Decimal(1000))
    request_id = at_desk.submit(amount="500.00")

    for by, acting_for in ((at_desk.buys, at_desk.asks), (at_desk.asks, at_desk.checks)):
        with pytest.raises(UnableToMoveRequest, match="Who asks neither approves nor has it approved"):
            at_desk.approve(request_id, by, acting_for=acting_for.pk)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"end": AT + timedelta(days=31)}, "lasts 30 days at most"),
        ({"end": AT}, "ends after it starts"),
        ({"up_to": Decimal(1000001)}, "Your own authority goes to"),
        ({"up_to": Decimal(0)}, "delegate no more than that"),
        ({"reason": " "}, "Say why"),
    ],
)
def test_a_delegation_is_dated_and_no_wider_than_ones_own(
    at_desk: Desk, said: dict[str, object], sentence: str
) -> None:
    with pytest.raises(UnableToDelegate, match=sentence):
        lend(at_desk, at_desk.approves, at_desk.buys, **said)
    assert not Delegation.objects.exists()


def test_what_was_lent_is_not_handed_on(at_desk: Desk) -> None:
    lend(at_desk, at_desk.approves, at_desk.buys)

    with pytest.raises(UnableToDelegate, match="Only who has an authority of their own"):
        lend(at_desk, at_desk.buys, at_desk.checks, up_to=Decimal(10))


def test_a_delegation_covers_its_types_and_amount_and_holds_until_it_is_ended(at_desk: Desk) -> None:
    lent = lend(at_desk, at_desk.approves, at_desk.buys, types=[ExceptionType.LATE], up_to=Decimal(300000))
    request_id = at_desk.submit()
    at_desk.approve(request_id, at_desk.checks)
    with pytest.raises(UnableToMoveRequest, match="does not cover “More than the rule”"):
        at_desk.approve(request_id, at_desk.buys, acting_for=at_desk.approves.pk)

    assert end_delegation(delegation_id=lent, by=at_desk.approves.pk, at=AT + timedelta(minutes=5))
    assert not end_delegation(delegation_id=lent, by=at_desk.approves.pk, at=AT + timedelta(minutes=6))
    lend(at_desk, at_desk.approves, at_desk.buys, start=AT + timedelta(minutes=5), up_to=Decimal(300000))
    with pytest.raises(UnableToMoveRequest, match="The delegation goes to"):
        at_desk.approve(request_id, at_desk.buys, acting_for=at_desk.approves.pk)


def test_the_database_itself_refuses_two_delegations_at_a_time_and_two_parts_of_a_person(at_desk: Desk) -> None:
    lend(at_desk, at_desk.approves, at_desk.buys)
    twin = Delegation.objects.get()
    twin.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save(force_insert=True)
    version = newest(at_desk.submit())
    with pytest.raises(IntegrityError), transaction.atomic():
        ExceptionPart.objects.create(version=version, user=at_desk.asks, part="approver")
    with pytest.raises(IntegrityError), transaction.atomic():
        ExceptionApproval.objects.create(
            version=version,
            step="step-1",
            person=at_desk.asks,
            requester=at_desk.asks,
            role="analyst",
            content_hash=version.content_hash,
            approved_at=AT,
        )


def broken(at_desk: Desk) -> int:
    request_id = at_desk.submit()
    exceptions.break_glass(
        request_id=request_id,
        content_hash=newest(request_id).content_hash,
        reason="The zone went down at four.",
        by=at_desk.approves.pk,
        at=AT,
        zone=UTC,
    )
    return request_id


def test_one_person_approves_in_an_emergency_and_another_signs_it_off_within_two_working_days(at_desk: Desk) -> None:
    request_id = broken(at_desk)

    glass = BreakGlass.objects.get()
    assert ExceptionRequest.objects.get().state == "approved"
    assert glass.sign_off_due_at == datetime(2026, 3, 5, tzinfo=UTC)
    for by in (at_desk.approves, at_desk.asks, at_desk.outsider):
        with pytest.raises(UnableToMoveRequest):
            exceptions.second_sign_off(request_id=request_id, agree=True, by=by.pk, at=AT)
    exceptions.second_sign_off(request_id=request_id, agree=True, by=at_desk.also.pk, at=AT + timedelta(days=1))
    glass.refresh_from_db()
    assert (glass.verdict, glass.signed_by_name) == ("agreed", "also")
    acts = list(AuditEvent.objects.filter(about="exception_request").values_list("act", flat=True))
    assert {"glass_broken", "glass_signed_off"} <= set(acts)
    with pytest.raises(UnableToMoveRequest, match="You gave its second sign-off, so you can’t execute it"):
        at_desk.execute(request_id, _buyer_too(at_desk.also))


def test_who_asks_can_not_break_the_glass_and_who_refuses_says_why(at_desk: Desk) -> None:
    RoleGrant.objects.create(user=at_desk.asks, role="approver", team=None)
    submitted = at_desk.submit()
    with pytest.raises(UnableToMoveRequest, match="You asked for it"):
        exceptions.break_glass(
            request_id=submitted,
            content_hash=newest(submitted).content_hash,
            reason="Quick.",
            by=at_desk.asks.pk,
            at=AT,
            zone=UTC,
        )
    request_id = broken(at_desk)
    with pytest.raises(UnableToMoveRequest, match="Say why"):
        exceptions.second_sign_off(request_id=request_id, agree=False, by=at_desk.also.pk, at=AT)
    moved = exceptions.second_sign_off(
        request_id=request_id, agree=False, note="The zone was up again.", by=at_desk.also.pk, at=AT
    )
    assert moved.state == "lapsed"


def _buyer_too(user: User) -> User:
    RoleGrant.objects.create(user=user, role="operator", team=None)
    return user


def test_a_rule_is_published_by_somebody_else_than_its_author_and_old_requests_keep_theirs(at_desk: Desk) -> None:
    before = at_desk.submit()
    lower = {**DOCUMENT, "steps": [{"up_to": "500000", "role": "approver"}]}
    version = draft_rule(document=lower, owner="serving", by=at_desk.approves.pk, at=AT, note="One step is enough.")
    with pytest.raises(UnableToChangeRule, match="You may not publish a rule"):
        publish_rule(version=version, by=at_desk.checks.pk, at=AT, today=TODAY)
    with pytest.raises(UnableToChangeRule, match="You wrote this version"):
        publish_rule(version=version, by=at_desk.approves.pk, at=AT, today=TODAY)
    head = person("head", "approver", None)

    assert publish_rule(version=version, by=head.pk, at=AT, today=TODAY)
    assert not publish_rule(version=version, by=head.pk, at=AT, today=TODAY)

    now = rule_in_force(TODAY)
    assert now is not None
    assert (now.version, now.limit) == (2, Decimal(500000))
    assert [one.in_force for one in rule_versions(TODAY)] == [True, False]
    assert newest(before).rule == at_desk.rule
    assert at_desk.approve(before, at_desk.checks).state == "submitted"
    with pytest.raises(IntegrityError), transaction.atomic():
        ProcurementRule.objects.filter(version=2).update(document=DOCUMENT)


def test_a_rule_that_can_not_be_read_is_not_drafted(at_desk: Desk) -> None:
    for changed, sentence in (
        ({"steps": []}, "at least one approval step"),
        ({"steps": [{"up_to": "5", "role": "boss"}]}, "There is no role “boss”"),
        ({"steps": [{"up_to": "5", "role": "admin"}, {"up_to": "5", "role": "admin"}]}, "must go higher"),
        ({"exception_types": [{"type": "whim"}]}, "There is no type of exception “whim”"),
        ({"approval_valid_days": "soon"}, "must be whole days"),
    ):
        with pytest.raises(UnableToChangeRule, match=sentence):
            draft_rule(document={**DOCUMENT, **changed}, owner="serving", by=at_desk.approves.pk, at=AT)
    assert ProcurementRule.objects.count() == 1


def test_a_form_whose_key_is_none_delegates_nothing(at_desk: Desk) -> None:
    with pytest.raises(UnableToDelegate, match="The form is not whole"):
        lend(at_desk, at_desk.approves, at_desk.buys, key="zz")
    assert not Delegation.objects.exists()
