"""After an approval: purchases find it, alerts tell what is owed, and ninety days later its outcome is kept."""

import json
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command

from reservations.domain.procurement.matching import Fate
from reservations.models import AuditEvent, ExceptionRequest, Reservation
from reservations.selectors.exceptions import all_exception_rows
from reservations.services import exceptions
from scheduler.alerts import every_rule
from scheduler.models import ExceptionOutcome
from scheduler.selectors.alert_facts import alert_facts
from scheduler.selectors.exception_outcomes import exception_outcomes
from scheduler.selectors.exception_purchases import purchases
from scheduler.services.exceptions import measure_exception_outcomes
from telemetry.models import PoolHour
from tests.reservations.asked import AT, TODAY, Desk, desk
from tests.scheduler.recommended import hold

pytestmark = pytest.mark.django_db
APRIL = AT.replace(month=4, day=1, hour=0)


@pytest.fixture
def at_desk(db: None) -> Desk:
    return desk()


def buy(at_desk: Desk, name: str, nodes: int, **said: object) -> Reservation:
    told = {"start_at": APRIL, "end_at": APRIL.replace(month=10), **said}
    told.setdefault("first_seen_at", told["start_at"])
    return hold(at_desk.pool, nodes, name=name, **told)


def test_every_approval_and_every_purchase_has_its_fate(at_desk: Desk) -> None:
    before = buy(at_desk, "cr-before", 2, start_at=AT - timedelta(days=400))
    as_approved, otherwise, unbought = (at_desk.approved() for _ in range(3))
    first, second = buy(at_desk, "cr-first", 4), buy(at_desk, "cr-second", 6)
    at_desk.execute(as_approved, at_desk.buys, reservation_id=first.pk)
    at_desk.execute(otherwise, at_desk.buys, reservation_id=second.pk)
    late = APRIL.replace(month=12)
    buy(at_desk, "cr-wild", 1, start_at=late, end_at=late + timedelta(days=30))

    found = purchases(as_of=late + timedelta(days=2))

    told = {one.request.id if one.request else one.reservation.external_id: one.fate for one in found}  # type: ignore[union-attr]
    assert told == {
        as_approved: Fate.BOUGHT_AS_APPROVED,
        otherwise: Fate.BOUGHT_OTHERWISE,
        unbought: Fate.APPROVED_NOT_BOUGHT,
        "cr-wild": Fate.UNAPPROVED_PURCHASE,
    }
    assert before.external_id not in told
    out = StringIO()
    call_command("purchases", "--format", "json", "--fate", "bought_otherwise", stdout=out)
    (row,) = json.loads(out.getvalue())["purchases"]
    assert row["differences"] == ["6 nodes instead of 4"]


def test_a_purchase_before_its_approval_or_after_its_lapse_is_not_as_approved(at_desk: Desk) -> None:
    early, lapsed = at_desk.approved(term_start="2026-03-02"), at_desk.approved(shape="p4d.24xlarge")
    exceptions.lapse_exceptions(at=AT + timedelta(days=90), today=TODAY)
    buy(at_desk, "cr-early", 4, start_at=AT)
    buy(at_desk, "cr-late", 4, shape="p4d.24xlarge", start_at=AT + timedelta(days=50))
    found = {one.request.id: one for one in purchases(as_of=AT + timedelta(days=92)) if one.request}
    assert {number: one.match.differences[-1] for number, one in found.items()} == {
        early: "bought before it was approved",
        lapsed: "bought when the approval held no more",
    }
    assert {one.fate for one in found.values()} == {Fate.BOUGHT_OTHERWISE}


def test_alerts_tell_of_what_waits_is_owed_unsigned_and_unapproved(at_desk: Desk) -> None:
    waiting = at_desk.submit()
    tied = at_desk.submit()
    due = exceptions.Condition("Lend what is idle.", TODAY + timedelta(days=3))
    at_desk.approve(tied, at_desk.checks, conditions=[due])
    at_desk.approve(tied, at_desk.approves)
    emergency = at_desk.submit()
    broken = ExceptionRequest.objects.get(pk=emergency)
    exceptions.break_glass(
        request_id=emergency,
        content_hash=broken.versions.get().content_hash,
        reason="The zone is down.",
        by=at_desk.approves.pk,
        at=AT,
        zone=AT.tzinfo,  # type: ignore[arg-type]
    )
    buy(at_desk, "cr-wild", 1, start_at=AT, end_at=AT + timedelta(days=5))

    facts = alert_facts(as_of=AT + timedelta(days=6))
    findings = {
        rule.name: rule.check(facts, lambda pool="", rule=rule: rule.defaults).findings
        for rule in every_rule()
        if rule.name in ("unapproved_purchase", "condition_due", "break_glass_unsigned", "approval_waiting")
    }
    # Alerts go to everybody who sees the pool: what a request says, and who did what of it, is on its own page.
    assert [word for word in ("Lend what", "zone is down", "approves", "launch in May") if word in str(findings)] == []
    found = {name: [one.object for one in told] for name, told in findings.items()}
    assert [name.partition("@")[0] for name in found["approval_waiting"]] == [f"exception:{waiting}"]
    assert [name.partition("@")[0] for name in found["condition_due"]] == [f"exception:{tied}"]
    assert [name.partition("@")[0] for name in found["break_glass_unsigned"]] == [f"exception:{emergency}"]


def test_ninety_days_after_the_claim_is_held_against_the_ledger_once_and_kept(at_desk: Desk) -> None:
    request_id = at_desk.approved(expected_busy_share="0.75")
    at_desk.execute(request_id, at_desk.buys)
    node_hour = 8 * 3_600_000
    PoolHour.objects.bulk_create(
        PoolHour(
            pool=at_desk.pool,
            hour=APRIL + timedelta(hours=place),
            source="x",
            reserved=node_hour,
            paid=node_hour,
            busy=node_hour // 2,
            read_at=APRIL,
            final=True,
        )
        for place in range(90 * 24)
    )

    (row,) = all_exception_rows()
    (so_far,) = exception_outcomes([row], as_of=APRIL + timedelta(days=10))
    assert so_far.measured_at is None
    assert so_far.outcome is not None
    assert (so_far.outcome.busy_share, so_far.outcome.whole) == (Decimal("0.5"), False)
    assert measure_exception_outcomes(at=APRIL + timedelta(days=89)) == 0
    assert measure_exception_outcomes(at=APRIL + timedelta(days=91)) == 1
    assert measure_exception_outcomes(at=APRIL + timedelta(days=92)) == 0
    kept = ExceptionOutcome.objects.get()
    assert (kept.met, kept.busy_share, kept.hours) == (False, Decimal("0.5"), 2160)
    assert "less than claimed" in kept.sentence
    assert AuditEvent.objects.filter(act="exception_measured").count() == 1


def test_commands_list_requests_and_let_them_lapse(at_desk: Desk) -> None:
    request_id = at_desk.approved()
    out = StringIO()
    call_command("exceptions", "--format", "json", stdout=out)
    (row,) = json.loads(out.getvalue())["exceptions"]
    assert (row["id"], row["state"], row["amount"]) == (request_id, "approved", 400000)

    lapsed, again, table = StringIO(), StringIO(), StringIO()
    call_command("lapse_exceptions", "--format", "json", stdout=lapsed)
    call_command("lapse_exceptions", "--format", "json", stdout=again)
    call_command("exceptions", "--state", "lapsed", stdout=table)
    assert [one["request"] for one in json.loads(lapsed.getvalue())["lapsed"]] == [request_id]
    assert json.loads(again.getvalue())["lapsed"] == []
    assert "over_rule" in table.getvalue()
