"""Messages to chat and on-call services."""

import json

import pytest
from apprise.plugins.slack import NotifySlack

from scheduler.domain.alert.delivery import ChannelName
from scheduler.models import Delivery
from tests.fixtures.outside import Receiver
from tests.scheduler.services.alert_rules import Says, check, finding, team
from tests.scheduler.services.delivered import critical, deliver
from tests.scheduler.services.routes_made import route

pytestmark = pytest.mark.django_db


def test_an_apprise_service_takes_a_message_and_its_refusal_is_told(receiver: Receiver, monkeypatch) -> None:
    monkeypatch.setattr(NotifySlack, "webhook_url", receiver.url)
    team(email="")
    slack = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/%23ops"
    made = route(owner="serving", channel=ChannelName.APPRISE, address=slack)
    assert made.shown == "Slack (…#ops)"
    critical()
    assert deliver().sent == 1
    assert "stand idle" in json.dumps(json.loads(receiver.kept[0][2]))
    receiver.answers = 404
    check(Says().finds(finding(severity="critical"), finding("arms", severity="critical")), minutes=5)
    assert deliver(5).failed == 1
    assert Delivery.objects.get(state="failed").error == "Slack answered 404."
