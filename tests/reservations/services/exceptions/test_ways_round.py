"""Ways round the rule that somebody might try, each closed: other writers, small steps, emergencies."""

from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.test.utils import override_settings

from reservations.domain.procurement.lapse import HourPrice
from reservations.domain.procurement.rule import UnableToReadRule, rule_of
from reservations.models import BreakGlass, Delegation, ExceptionAttachment, ExceptionRequest, Owner, Queue
from reservations.services import exceptions
from reservations.services.delegations import delegate_authority
from reservations.services.exceptions import UnableToMoveRequest
from reservations.services.procurement_rules import UnableToChangeRule, draft_rule, publish_rule
from tests.reservations.asked import AT, DOCUMENT, TODAY, Desk, desk, evidence, newest, person
from tests.reservations.holdings import holding

pytestmark = pytest.mark.django_db
EMERGENCY = {"kind": "emergency", "answer_incident": "A zone, since nine o'clock; half of serving stands still."}
PDF = b"%PDF-1.7\n" + b"0" * 64
OTHER_PDF = b"%PDF-1.7\n" + b"1" * 64


@pytest.fixture
def at_desk(db: None) -> Desk:
    return desk()


def revised(at_desk: Desk, request_id: int, *, price: Decimal = Decimal(20), **typed: str) -> str:
    """The state after a revision by who asked, saved with these fields and submitted at this price."""
    exceptions.revise_exception(request_id=request_id, by=at_desk.asks.pk, at=AT + timedelta(hours=2), key=uuid4())
    version = newest(request_id)
    exceptions.save_draft_exception(
        request_id=request_id, saves=version.saves, typed={**version.typed, **typed}, by=at_desk.asks.pk, at=AT
    )
    moved = exceptions.submit_exception(
        request_id=request_id, saves=None, evidence=evidence(node_hour_price=price), by=at_desk.asks.pk, at=AT,
        today=TODAY, key=uuid4(),
    )  # fmt: skip
    return moved.state.value


@pytest.mark.parametrize("wrote", ["fields", "file", "revision"])
def test_whoever_wrote_in_it_does_not_approve_it_though_another_saved_it_last(at_desk: Desk, wrote: str) -> None:
    both = person("both", "owner", at_desk.pool.owner)
    both.grants.create(role="approver", team=None)
    draft = at_desk.draft()
    version = newest(draft.request_id)
    if wrote == "fields":
        typed = {**version.typed, "nodes": "5"}
        exceptions.save_draft_exception(
            request_id=draft.request_id, saves=version.saves, typed=typed, by=both.pk, at=AT
        )
    elif wrote == "file":
        exceptions.attach_file(request_id=draft.request_id, name="quote.pdf", content=PDF, by=both.pk, at=AT)
    else:
        at_desk.submit(draft.request_id)
        exceptions.revise_exception(request_id=draft.request_id, by=both.pk, at=AT, key=uuid4())
    at_desk.submit(draft.request_id, alternatives="None that would be here in time.")
    at_desk.approve(draft.request_id, at_desk.checks)
    with pytest.raises(UnableToMoveRequest, match="You asked for it"):
        at_desk.approve(draft.request_id, both)
    at_desk.approve(draft.request_id, at_desk.approves)


def test_what_a_second_person_refused_to_sign_off_is_not_bought(at_desk: Desk) -> None:
    request_id = _in_an_emergency(at_desk)
    refused = exceptions.second_sign_off(
        request_id=request_id, agree=False, by=at_desk.also.pk, at=AT + timedelta(hours=3), note="Not urgent at all."
    )
    assert refused.state.value == "lapsed"
    with pytest.raises(UnableToMoveRequest, match="It is lapsed"):
        at_desk.execute(request_id, at_desk.buys)


def test_an_emergency_is_decided_by_the_role_of_its_last_step_and_in_time(at_desk: Desk) -> None:
    request_id = at_desk.submit(**EMERGENCY)
    with pytest.raises(UnableToMoveRequest, match="Only who holds the role approver"):
        _break(request_id, at_desk.checks.pk)
    at_desk.asks.is_active = False
    at_desk.asks.save()
    with pytest.raises(UnableToMoveRequest, match="has left"):
        _break(request_id, at_desk.approves.pk)


def test_what_was_approved_in_an_emergency_is_not_carried_into_another_version(at_desk: Desk) -> None:
    request_id = _in_an_emergency(at_desk)
    exceptions.second_sign_off(request_id=request_id, agree=True, by=at_desk.also.pk, at=AT + timedelta(hours=3))
    assert revised(at_desk, request_id, reason="Said better than it was before.") == "submitted"
    at_desk.approve(request_id, at_desk.checks)
    at_desk.approve(request_id, at_desk.approves)


@override_settings(SECOND_FACTOR=True)
def test_a_delegate_needs_a_second_factor_as_who_delegates_does(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    delegate_authority(
        delegate=at_desk.buys.pk, start=AT, end=AT + timedelta(days=3), up_to=Decimal(500_000), reason="Away.",
        by=_with_factor(at_desk.approves, at_desk.checks), at=AT, today=TODAY,
    )  # fmt: skip
    at_desk.approve(request_id, at_desk.checks)
    with pytest.raises(UnableToMoveRequest, match="second factor"):
        at_desk.approve(request_id, at_desk.buys, acting_for=at_desk.approves.pk)
    _with_factor(at_desk.buys)
    at_desk.approve(request_id, at_desk.buys, acting_for=at_desk.approves.pk)


def test_small_steps_of_the_price_are_counted_from_what_was_approved(at_desk: Desk) -> None:
    request_id = at_desk.approved()
    assert revised(at_desk, request_id, price=Decimal("20.80"), reason="Said better than it was before.") == "approved"
    assert revised(at_desk, request_id, price=Decimal("21.60"), reason="And better than that before.") == "submitted"


def test_small_steps_of_the_price_do_not_add_up_before_it_is_bought(at_desk: Desk) -> None:
    request_id = at_desk.approved()
    revised(at_desk, request_id, price=Decimal("20.80"), reason="Said better than it was before.")
    with pytest.raises(UnableToMoveRequest, match="The price moved"):
        at_desk.execute(request_id, at_desk.buys, node_hour_price=HourPrice(Decimal("21.50"), "USD"))


@pytest.mark.parametrize(
    "typed",
    [
        {"latest_useful_on": "2027-05-01"},
        {"review_on": "2027-05-01"},
        {"controls": "None."},
        {"metric": "Whether anybody liked it."},
        {"expected_busy_share": "0.1"},
    ],
    ids=lambda typed: next(iter(typed)),
)
def test_dates_and_promises_that_change_void_approvals(at_desk: Desk, typed: dict[str, str]) -> None:
    request_id = at_desk.approved(controls="Lent to the pool when idle.", expected_busy_share="0.6")
    assert revised(at_desk, request_id, **typed) == "submitted"


def test_a_file_that_is_swapped_voids_approvals_and_one_more_does_not(at_desk: Desk) -> None:
    draft = at_desk.draft()
    exceptions.attach_file(request_id=draft.request_id, name="quote.pdf", content=PDF, by=at_desk.asks.pk, at=AT)
    request_id = at_desk.submit(draft.request_id)
    at_desk.approve(request_id, at_desk.checks)
    at_desk.approve(request_id, at_desk.approves)
    exceptions.revise_exception(request_id=request_id, by=at_desk.asks.pk, at=AT, key=uuid4())
    exceptions.attach_file(request_id=request_id, name="more.pdf", content=OTHER_PDF, by=at_desk.asks.pk, at=AT)
    at_desk.submit(request_id)
    assert ExceptionRequest.objects.get(pk=request_id).state == "approved"
    exceptions.revise_exception(request_id=request_id, by=at_desk.asks.pk, at=AT, key=uuid4())
    kept = ExceptionAttachment.objects.filter(version=newest(request_id)).order_by("pk").first()
    exceptions.remove_file(request_id=request_id, attachment_id=kept.pk, by=at_desk.asks.pk)
    at_desk.submit(request_id)
    assert ExceptionRequest.objects.get(pk=request_id).state == "submitted"


def test_somebody_else_asks_again_for_who_left(at_desk: Desk) -> None:
    stays = person("stays", "owner", at_desk.pool.owner)
    request_id = at_desk.submit()
    at_desk.asks.is_active = False
    at_desk.asks.save()
    content = newest(request_id).content_hash
    exceptions.return_exception(
        request_id=request_id, content_hash=content, reason="Who asks has left.", by=at_desk.checks.pk, at=AT
    )
    exceptions.revise_exception(request_id=request_id, by=stays.pk, at=AT, key=uuid4())
    at_desk.submit(request_id, by=stays, reason="Asked again in my own name.")
    at_desk.approve(request_id, at_desk.checks)


def test_what_nothing_prices_is_approved_by_every_step(at_desk: Desk) -> None:
    draft = at_desk.draft(amount="1.00")
    exceptions.submit_exception(
        request_id=draft.request_id, saves=None, evidence=evidence(priced=False), by=at_desk.asks.pk, at=AT, today=TODAY
    )
    version = newest(draft.request_id)
    assert [step["role"] for step in version.required] == ["analyst", "approver"]
    assert version.amount == Decimal("1.00")


@pytest.mark.parametrize(
    "twice",
    [
        {"checks": [{"check": "cost", "role": "analyst"}, {"check": "cost", "role": "approver", "above": "9"}]},
        {"exception_types": [{"type": "over_rule", "roles": ["admin"]}, {"type": "over_rule"}]},
    ],
    ids=["check", "type"],
)
def test_a_rule_says_each_thing_once(twice: dict[str, object]) -> None:
    with pytest.raises(UnableToReadRule):
        rule_of({**DOCUMENT, **twice}, version=1, owner="serving")


def test_nobody_who_wrote_in_a_rule_publishes_it(at_desk: Desk) -> None:
    first, second = person("first", "admin", None), person("second", "admin", None)
    version = draft_rule(document=DOCUMENT, owner="serving", by=first.pk, at=AT)
    changed = {**DOCUMENT, "procurement_lead_days": 15}
    draft_rule(document=changed, owner="serving", by=second.pk, at=AT, version=version)
    for writer in (first, second):
        with pytest.raises(UnableToChangeRule, match="You wrote this version"):
            publish_rule(version=version, by=writer.pk, at=AT, today=TODAY)
    assert publish_rule(version=version, by=person("third", "admin", None).pk, at=AT, today=TODAY)


def test_the_database_keeps_what_decisions_were_taken_with(at_desk: Desk) -> None:
    request_id = _in_an_emergency(at_desk)
    lent = delegate_authority(
        delegate=at_desk.buys.pk, start=AT, end=AT + timedelta(days=3), up_to=Decimal(500_000), reason="Away.",
        by=at_desk.approves.pk, at=AT, today=TODAY,
    )  # fmt: skip
    held = at_desk.draft()
    exceptions.attach_file(request_id=held.request_id, name="a.pdf", content=PDF, by=at_desk.asks.pk, at=AT)
    at_desk.submit(held.request_id)
    other = newest(at_desk.draft().request_id)
    refused = (
        lambda: ExceptionAttachment.objects.update(version=other),
        lambda: ExceptionRequest.objects.filter(pk=request_id).delete(),
        lambda: Delegation.objects.filter(pk=lent).update(up_to=Decimal(900_000)),
        lambda: Delegation.objects.filter(pk=lent).delete(),
        lambda: BreakGlass.objects.update(opened_by=at_desk.also),
        lambda: BreakGlass.objects.all().delete(),
    )
    for act in refused:
        with pytest.raises(DatabaseError), transaction.atomic():
            act()


def test_a_tenant_of_the_pool_neither_withdraws_nor_rewrites_what_the_team_asked_for(at_desk: Desk) -> None:
    tenant = person("tenant", "owner", Owner.objects.get(name="robotics"))
    Queue.objects.create(pool=at_desk.pool, cluster_queue="cq-arms", owner=tenant.grants.get().team, workload="batch")
    request_id = at_desk.approved()
    for act in (exceptions.withdraw_exception, exceptions.revise_exception):
        with pytest.raises(UnableToMoveRequest, match="Only who asks, or somebody of serving"):
            act(request_id=request_id, by=tenant.pk, at=AT, reason="It is too much.")
    with pytest.raises(UnableToMoveRequest, match="Say why"):
        exceptions.withdraw_exception(request_id=request_id, by=at_desk.also.pk, at=AT)


def test_a_form_is_of_one_request_and_one_person(at_desk: Desk) -> None:
    first, second, key = at_desk.submit(), at_desk.submit(), uuid4()
    at_desk.approve(first, at_desk.checks, key=key)
    assert at_desk.approve(first, at_desk.checks, key=key).repeated
    for request_id, by in ((second, at_desk.checks), (first, at_desk.approves)):
        with pytest.raises(UnableToMoveRequest, match="sent for something else"):
            at_desk.approve(request_id, by, key=key)


@override_settings(SECOND_FACTOR=True)
def test_whatever_role_a_rule_names_decides_with_a_second_factor_only(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    with pytest.raises(UnableToMoveRequest, match="second factor"):
        at_desk.approve(request_id, at_desk.checks)


@pytest.mark.parametrize("amount", ["1e30", "1e999999", "-1", "NaN"])
def test_an_amount_that_nobody_spends_is_refused_in_a_rule(amount: str) -> None:
    with pytest.raises(UnableToReadRule):
        rule_of({**DOCUMENT, "steps": [{"up_to": amount, "role": "approver"}]}, version=1, owner="serving")


def test_one_reservation_is_bought_by_one_request(at_desk: Desk) -> None:
    bought = holding("cr-0bought", pool=at_desk.pool)
    first, second = at_desk.approved(), at_desk.approved()
    at_desk.execute(first, at_desk.buys, reservation_id=bought.pk)
    with pytest.raises(UnableToMoveRequest, match="was bought by request"):
        at_desk.execute(second, at_desk.buys, reservation_id=bought.pk)
    with pytest.raises(DatabaseError), transaction.atomic():
        ExceptionRequest.objects.filter(pk=second).update(executed_with=bought, state="executed")


def _break(request_id: int, by: int) -> exceptions.Moved:
    from datetime import UTC

    content = newest(request_id).content_hash
    return exceptions.break_glass(
        request_id=request_id, content_hash=content, reason="The site is down.", by=by, at=AT, zone=UTC, key=uuid4()
    )


def _in_an_emergency(at_desk: Desk) -> int:
    request_id = at_desk.submit(**EMERGENCY)
    _break(request_id, at_desk.approves.pk)
    return request_id


def _with_factor(*people: object) -> int:
    from allauth.mfa.models import Authenticator

    for one in people:
        Authenticator.objects.create(user=one, type=Authenticator.Type.TOTP, data={})
    return people[0].pk  # type: ignore[attr-defined]
