"""The demo shows a request for an exception in each state, told by the same services as anybody's."""

import pytest

from reservations.models import BreakGlass, Delegation, ExceptionRequest, ProcurementRule
from scheduler.domain.exception.outcome import AFTER
from scheduler.models import AlertEpisode
from scheduler.selectors.exception_purchases import purchases
from scheduler.services.demo import load_demo
from scheduler.services.demo.exceptions import WILD, load_exceptions
from tests.scheduler.services.test_load_demo import NOON

pytestmark = pytest.mark.django_db


def test_every_state_every_fate_and_every_alert_of_procurement_is_there_and_stays_as_it_is() -> None:
    load_demo(as_of=NOON, ec2_port=8009, sampled_days=2, past_days=1)

    states = sorted(ExceptionRequest.objects.values_list("state", flat=True))
    assert states == ["approved", "approved", "draft", "executed", "executed", "lapsed", "returned", "submitted"]
    assert sorted(ProcurementRule.objects.values_list("version", "status")) == [
        (1, "published"),
        (2, "published"),
        (3, "draft"),
    ]
    assert BreakGlass.objects.get().verdict == ""
    assert Delegation.objects.count() == 1
    fates = {one.fate.value for one in purchases(as_of=NOON)}
    assert fates == {"approved_not_bought", "bought_as_approved", "bought_otherwise", "unapproved_purchase"}
    found = set(AlertEpisode.objects.values_list("rule", flat=True))
    assert {"unapproved_purchase", "condition_due", "break_glass_unsigned", "approval_waiting"} <= found
    assert WILD in set(AlertEpisode.objects.filter(rule="unapproved_purchase").values_list("subject", flat=True))
    assert not load_exceptions(as_of=NOON + AFTER)
    assert ExceptionRequest.objects.count() == len(states)
