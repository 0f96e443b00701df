"""What the alert rules are given of ends: who is on a block then, and what is decided."""

from datetime import timedelta

import pytest

from reservations.models import (
    Owner,
)
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.models import Renewal
from scheduler.selectors.alert_facts import alert_facts
from tests.fixtures.cast import Cast
from tests.scheduler import blocks_that_end
from tests.scheduler.front_page import NOW, publish_rule


def only(facts: AlertFacts, name: str) -> ReservationFact:
    (one,) = [one for one in facts.reservations if one.external_id == name]
    return one


def test_a_block_comes_with_its_live_jobs_and_an_end_with_its_decision_date(cast: Cast) -> None:
    publish_rule(Owner.objects.get(name="serving"))
    end = NOW + timedelta(days=1)
    held = blocks_that_end.block(
        start_at=NOW - timedelta(days=3), end_at=end, usable_until=end - timedelta(minutes=30), first_seen_at=NOW
    )
    blocks_that_end.job(held, "run-1")
    blocks_that_end.job(held, "run-2", state="finished")

    facts = alert_facts(as_of=NOW)

    (block,) = facts.blocks
    assert [job.id for job in block.jobs] == ["run-1"]
    assert block.usable_until == end - timedelta(minutes=30)
    fact = only(facts, held.external_id)
    assert fact.takes_machines
    assert fact.decide_on == (end - timedelta(days=35)).date()
    assert (fact.decided, fact.executed) == ("", False)


@pytest.mark.parametrize(("state", "executed"), [("decided", False), ("executed", True)])
def test_what_is_decided_for_an_end_comes_with_whether_it_came_to_be(cast: Cast, state: str, executed: bool) -> None:
    end = NOW + timedelta(days=1)
    held = blocks_that_end.block(
        start_at=NOW - timedelta(days=3), end_at=end, usable_until=end - timedelta(minutes=30), first_seen_at=NOW
    )
    Renewal.objects.create(
        reservation=held, end_at=end, state=state, choice="renew", nodes=2, until_at=end + timedelta(days=7),
        proposed_at=NOW, moved_at=NOW,
    )  # fmt: skip

    fact = only(alert_facts(as_of=NOW), held.external_id)

    assert (fact.decided, fact.executed) == ("renew", executed)
