"""What the alert rules are told of requests, which everybody who sees the pool may read afterwards."""

from datetime import timedelta

import pytest

from scheduler.alerts import approval_waiting
from scheduler.selectors.alert_facts import alert_facts
from scheduler.selectors.exception_facts import request_facts
from tests.reservations.asked import AT, desk

pytestmark = pytest.mark.django_db


def test_of_a_confidential_request_is_told_that_it_waits_and_not_for_whom_or_until_when() -> None:
    at_desk = desk()
    plain, secret = at_desk.submit(), at_desk.submit(confidential="1")
    told = {one.id: (one.waiting_for, one.decide_by is None) for one in request_facts()}
    assert told == {plain: ("one analyst", False), secret: ("", True)}
    rule = approval_waiting.RULE
    found = rule.check(alert_facts(as_of=AT + timedelta(days=6)), lambda pool="": rule.defaults).findings
    said = {one.subject.key: one.summary for one in found}
    assert said[f"exception:{secret}"].startswith("Waiting for a decision for")
    assert "analyst" not in str([one for one in found if one.subject.key == f"exception:{secret}"])
