"""Renewals against a real database: proposed once, moved by the table, executed as the inventory shows."""

import json
from datetime import timedelta
from hashlib import sha256

import pytest

from reservations.models import Reservation
from scheduler.domain.renewal.standing import AtEnd, Choice
from scheduler.models import Renewal, RenewalStep
from scheduler.selectors.renewal_decisions import decisions_for
from scheduler.selectors.renewals import renewals_due
from scheduler.services.renewals import (
    Proposed,
    UnableToRenew,
    decide_renewal,
    execute_renewal,
    plan_end,
    propose_renewals,
    revise_renewal,
)
from tests.fixtures.cast import Cast
from tests.reservations.holdings import publish_rule
from tests.scheduler.recommended import recommended
from tests.scheduler.renewing import ADA, DAY, END, NOW, decided, ending_block, proposed

pytestmark = pytest.mark.django_db
UNTIL = END + 14 * DAY


def moves(one: Renewal) -> list[str]:
    return list(RenewalStep.objects.filter(renewal=one).order_by("number").values_list("move", flat=True))


def move_end(one: Renewal, **said: object) -> None:
    Reservation.objects.filter(pk=one.reservation_id).update(**said)


def test_an_end_ahead_is_proposed_once_however_often_it_is_run(cast: Cast) -> None:
    publish_rule()
    ending_block(cast.pool)
    assert propose_renewals(as_of=NOW) == Proposed(new=1)
    assert propose_renewals(as_of=NOW) == Proposed()
    assert propose_renewals(as_of=NOW + DAY) == Proposed()
    found = Renewal.objects.get()
    assert (found.state, found.choice, found.end_at, moves(found)) == ("proposed", "", END, ["propose"])


@pytest.mark.parametrize(
    "said",
    [
        {"end_at": None, "usable_until": None},
        {"end_at": NOW},
        {"end_at": NOW + 500 * DAY},
        {"state": "requested", "state_raw": "payment-pending"},
        {"state": "failed"},
        {"state": "winding_down"},
        {"kind": "interruptible"},
        {"missing_since": NOW - DAY},
    ],
)
def test_what_has_no_end_near_or_is_not_paid_is_not_proposed(cast: Cast, said: dict[str, object]) -> None:
    ending_block(cast.pool, **said)
    assert propose_renewals(as_of=NOW) == Proposed()


def test_a_decision_that_is_near_brings_an_end_that_is_far(cast: Cast) -> None:
    far = NOW + 91 * DAY
    ending_block(cast.pool, end_at=far, usable_until=far)
    assert propose_renewals(as_of=NOW) == Proposed()
    publish_rule(procurement=1, blocks=0)
    assert propose_renewals(as_of=NOW) == Proposed(new=1)


def test_every_move_freezes_what_was_known_and_its_hash(cast: Cast) -> None:
    publish_rule()
    advised = recommended(cast.pool, name="cr-0bbb")
    one = decided(cast.pool)
    first, second = RenewalStep.objects.filter(renewal=one).order_by("number")
    for step in (first, second):
        assert sha256(step.evidence.encode()).hexdigest() == step.evidence_hash
    told = json.loads(second.evidence)
    assert told["recommendation"]["hash"] == advised.evidence_hash
    assert told["recommendation"]["id"] == advised.pk
    assert told["price"] == {"reserved_node_hour": "40", "currency": "USD", "source": ""}
    assert told["said"] == {"move": "decide", "choice": "renew", "nodes": 4, "until": UNTIL.isoformat(), "reason": ""}
    assert told["lead_days"] == {"procurement": 14, "block_booking": 21}
    assert told["decide_on"] == "2026-06-06"
    extension = next(way for way in told["provider"]["ways"] if way["how"] == "extension")
    assert extension["closes"] == (END - timedelta(hours=1)).isoformat()
    assert (second.moved_by_name, second.moved_at) == ("ada", NOW + timedelta(hours=1))


def test_the_same_decision_twice_is_one_and_another_needs_a_revision(cast: Cast) -> None:
    one = decided(cast.pool)
    again = {"pk": one.pk, "choice": Choice.RENEW, "nodes": 4, "until_at": UNTIL, "by": ADA, "at": NOW + DAY}
    assert decide_renewal(**again) is False
    with pytest.raises(UnableToRenew, match="It is decided already"):
        decide_renewal(**{**again, "choice": Choice.LAPSE, "nodes": None, "until_at": None})
    revise_renewal(pk=one.pk, reason="prices fell", by=ADA, at=NOW + DAY)
    one.refresh_from_db()
    assert (one.state, one.choice, one.nodes, one.until_at) == ("proposed", "", None, None)
    decide_renewal(pk=one.pk, choice=Choice.LAPSE, by=ADA, at=NOW + 2 * DAY)
    assert moves(one) == ["propose", "decide", "revise", "decide"]


def test_a_revision_needs_a_reason_and_leaves_all_as_it_was_without(cast: Cast) -> None:
    one = decided(cast.pool)
    with pytest.raises(UnableToRenew, match="a reason is needed"):
        revise_renewal(pk=one.pk, reason="  ", by=ADA, at=NOW + DAY)
    assert moves(one) == ["propose", "decide"]


@pytest.mark.parametrize(
    ("choice", "nodes", "until", "said"),
    [
        (Choice.RENEW, 5, UNTIL, "to renew is to hold 4"),
        (Choice.RENEW, 4, None, "needs an end"),
        (Choice.RESIZE, 65, UNTIL, "can't be had so"),
        (Choice.RENEW, 4, END, "past its old end"),
        (Choice.LAPSE, 4, None, "neither nodes"),
    ],
)
def test_what_the_provider_does_not_allow_is_not_decided(
    cast: Cast, choice: Choice, nodes: int | None, until: object, said: str
) -> None:
    one = proposed(cast.pool)
    with pytest.raises(UnableToRenew, match=said):
        decide_renewal(pk=one.pk, choice=choice, nodes=nodes, until_at=until, by=ADA, at=NOW)
    one.refresh_from_db()
    assert (one.state, moves(one)) == ("proposed", ["propose"])


def test_renewing_without_a_size_keeps_the_size_it_has(cast: Cast) -> None:
    one = proposed(cast.pool)
    decide_renewal(pk=one.pk, choice=Choice.RENEW, until_at=UNTIL, by=ADA, at=NOW)
    one.refresh_from_db()
    assert one.nodes == 4


def test_an_extension_as_long_as_decided_executes_it_and_opens_the_next_end(cast: Cast) -> None:
    one = decided(cast.pool)
    move_end(one, end_at=UNTIL)
    assert propose_renewals(as_of=NOW + DAY) == Proposed(new=1, executed=1)
    one.refresh_from_db()
    assert (one.state, one.choice, one.followed_by) == ("executed", "renew", None)
    assert Renewal.objects.get(end_at=UNTIL).state == "proposed"
    step = RenewalStep.objects.get(renewal=one, move="execute")
    assert step.moved_by_name == ""
    assert "goes on from its old end with 4 nodes" in step.reason


def test_a_shorter_extension_supersedes_the_decision_and_the_new_end_has_its_own(cast: Cast) -> None:
    one = decided(cast.pool)
    move_end(one, end_at=END + DAY)
    assert propose_renewals(as_of=NOW + DAY) == Proposed(new=1, superseded=1)
    one.refresh_from_db()
    assert (one.state, one.choice) == ("superseded", "")
    assert RenewalStep.objects.get(renewal=one, move="decide").choice == "renew", "what was decided is kept"
    assert Renewal.objects.count() == 2


def test_an_end_that_comes_back_is_decided_anew(cast: Cast) -> None:
    one = decided(cast.pool)
    move_end(one, end_at=UNTIL)
    propose_renewals(as_of=NOW + DAY)
    move_end(one, end_at=END)
    assert propose_renewals(as_of=NOW + 2 * DAY) == Proposed(superseded=1, reopened=1)
    one.refresh_from_db()
    assert one.state == "proposed"
    assert moves(one) == ["propose", "decide", "execute", "reopen"]


def test_a_block_that_starts_where_the_old_one_ends_executes_it(cast: Cast) -> None:
    one = decided(cast.pool)
    new = ending_block(cast.pool, name="cr-0bbb", state="scheduled", start_at=END, end_at=UNTIL, planned_count=4)
    assert propose_renewals(as_of=NOW + DAY).executed == 1
    one.refresh_from_db()
    assert (one.state, one.followed_by_id) == ("executed", new.pk)


def test_a_gap_is_told_and_taken_only_with_a_reason(cast: Cast) -> None:
    one = decided(cast.pool)
    ending_block(cast.pool, name="cr-0bbb", state="scheduled", start_at=END + DAY, end_at=UNTIL, planned_count=4)
    assert propose_renewals(as_of=NOW + DAY).executed == 0
    with pytest.raises(UnableToRenew, match=r"a gap of 1 d\. Say why that is taken"):
        execute_renewal(pk=one.pk, by=ADA, at=NOW + DAY)
    execute_renewal(pk=one.pk, reason="the team is on leave", by=ADA, at=NOW + DAY)
    step = RenewalStep.objects.get(renewal=one, move="execute")
    assert json.loads(step.evidence)["said"]["gap_seconds"] == 86_400


def test_what_nothing_shows_is_not_executed(cast: Cast) -> None:
    one = decided(cast.pool)
    with pytest.raises(UnableToRenew, match="Nothing follows yet"):
        execute_renewal(pk=one.pk, reason="I say so", by=ADA, at=NOW + DAY)


def test_what_was_to_lapse_is_executed_by_its_end(cast: Cast) -> None:
    decided(cast.pool, choice=Choice.LAPSE)
    assert propose_renewals(as_of=END - DAY) == Proposed()
    assert propose_renewals(as_of=END).executed == 1


def test_an_end_nobody_decided_about_stays_so(cast: Cast) -> None:
    one = proposed(cast.pool)
    assert propose_renewals(as_of=END + DAY) == Proposed()
    one.refresh_from_db()
    assert one.state == "proposed"


def test_what_is_cancelled_before_its_end_is_superseded(cast: Cast) -> None:
    one = decided(cast.pool, kind="on_demand")
    move_end(one, state="ended", state_raw="cancelled")
    assert propose_renewals(as_of=NOW + DAY) == Proposed(superseded=1)


def test_an_end_that_moved_is_not_decided_about_before_the_next_run(cast: Cast) -> None:
    one = proposed(cast.pool)
    move_end(one, end_at=UNTIL)
    with pytest.raises(UnableToRenew, match="Its end moved to"):
        decide_renewal(pk=one.pk, choice=Choice.LAPSE, by=ADA, at=NOW)


def test_others_ask_whether_a_decision_stands(cast: Cast) -> None:
    publish_rule()
    one = decided(cast.pool)
    other = ending_block(cast.pool, name="cr-0bbb")
    propose_renewals(as_of=NOW)
    plan_end(pk=one.pk, at_end=AtEnd.FALL_BACK, fallback="4 × p5 on demand", by=ADA, at=NOW, today=NOW.date())
    found = decisions_for([(one.reservation_id, END)])[one.reservation_id, END]
    assert (found.choice, found.nodes, found.until_at, found.at_end) == (Choice.RENEW, 4, UNTIL, AtEnd.FALL_BACK)
    assert decisions_for([(other.pk, END), (one.reservation_id, UNTIL)]) == {}
    assert set(decisions_for([(one.reservation_id, END), (other.pk, END)])) == {(one.reservation_id, END)}
    assert [row.reservation.external_id for row in renewals_due(as_of=NOW)] == ["cr-0bbb"]
    revise_renewal(pk=one.pk, reason="wait", by=ADA, at=NOW + DAY)
    assert decisions_for([(one.reservation_id, END)]) == {}
