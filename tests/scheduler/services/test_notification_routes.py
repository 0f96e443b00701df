"""Routes as people make them: checked in one sentence each, sealed, tried, and never read back."""

from dataclasses import asdict, replace
from datetime import time, timedelta

import pytest

from reservations.models import User
from scheduler.domain.alert.delivery import ChannelName
from scheduler.domain.alert.route import RouteValues
from scheduler.models import NotificationRoute
from scheduler.selectors.notification_routes import route_with, routes_for
from scheduler.services import notification_routes as routes
from tests.fixtures.outside import MailServer, Receiver
from tests.scheduler.services.alert_rules import AT, team
from tests.scheduler.services.routes_made import HERE, route

pytestmark = pytest.mark.django_db

GOOD = {"name": "on-call", "channel": ChannelName.EMAIL, "address": "team@example.com"}


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("name", {"name": "  "}),
        ("name", {"name": "a\nb"}),
        ("address", {"address": ""}),
        ("address", {"address": "team"}),
        ("address", {"channel": ChannelName.APPRISE, "address": "slak://a/b/c"}),
        ("address", {"channel": ChannelName.WEBHOOK, "address": "http://10.0.0.1/"}),
        ("rules", {"rules": frozenset({"no_such_rule"})}),
        ("digest_hour", {"digest_hour": 24}),
        ("digest_hour", {"digest_hour": 23, "quiet_from": time(22), "quiet_until": time(7)}),
        ("zone", {"zone": "Mars/Base"}),
        ("quiet_until", {"quiet_from": time(22)}),
        ("quiet_until", {"quiet_from": time(22), "quiet_until": time(22)}),
    ],
)
def test_what_is_wrong_with_a_route_is_said_by_its_field_and_nothing_is_kept(
    field: str, change: dict[str, object]
) -> None:
    with pytest.raises(routes.UnableToKeepRoute) as told:
        routes.add_route(values=RouteValues(**GOOD | change), by="ada", at=AT, networks=())
    assert list(told.value.said) == [field]
    assert told.value.said[field].endswith(".")
    assert not NotificationRoute.objects.exists()


def test_addresses_and_secrets_are_sealed_and_in_no_row(receiver: Receiver) -> None:
    values = RouteValues(name="hook", channel=ChannelName.WEBHOOK, address=receiver.url)
    added = routes.add_route(values=values, by="ada", at=AT, networks=HERE)
    assert len(added.secret) >= 40
    kept = str(NotificationRoute.objects.values().get())
    shown = str(asdict(route_with(pk=added.id)))
    for secret in ("of-ours", added.secret):
        assert secret not in kept
        assert secret not in shown


def test_a_change_leaves_the_address_as_it_stands_unless_another_is_written(receiver: Receiver) -> None:
    made = route(channel=ChannelName.WEBHOOK, address=receiver.url, secret="s")
    values = RouteValues(name="renamed", channel=ChannelName.WEBHOOK, enabled=False)
    assert routes.change_route(pk=made.pk, values=values, networks=HERE)
    after = NotificationRoute.objects.get()
    assert (after.name, after.enabled, after.address_sealed) == ("renamed", False, made.address_sealed)
    with pytest.raises(routes.UnableToKeepRoute, match="Another channel needs another address"):
        routes.change_route(pk=made.pk, values=RouteValues(name="x", channel=ChannelName.EMAIL), networks=HERE)
    assert not routes.change_route(pk=999, values=values, networks=HERE)


def test_a_route_that_becomes_a_webhook_is_never_left_without_what_its_messages_are_signed_with(
    receiver: Receiver,
) -> None:
    made = route()
    values = RouteValues(name="hook", channel=ChannelName.WEBHOOK, address=receiver.url)
    with pytest.raises(routes.UnableToKeepRoute) as told:
        routes.change_route(pk=made.pk, values=values, networks=HERE)
    assert list(told.value.said) == ["secret"]
    assert NotificationRoute.objects.get().channel == "email"
    assert routes.change_route(pk=made.pk, values=replace(values, secret="a key"), networks=HERE)
    assert routes.opened_address(NotificationRoute.objects.get()) == (receiver.url, "a key")


def test_a_trial_says_what_became_of_it(mail_server: MailServer) -> None:
    made = route()
    assert routes.test_route(pk=made.pk, by="ada", at=AT, networks=()) == routes.Tried(
        True, "A message was sent to on-call@example.com."
    )
    assert len(mail_server.kept) == 1
    mail_server.misbehaves = "breaks_off"
    tried = routes.test_route(pk=made.pk, by="ada", at=AT + timedelta(minutes=1), networks=())
    assert tried == routes.Tried(False, "The mail server broke off before it took the message.")
    assert not routes.test_route(pk=999, by="ada", at=AT, networks=()).sent


def test_a_route_is_tried_once_a_minute_at_most_and_each_on_its_own(mail_server: MailServer) -> None:
    one, other = route(name="a"), route(name="b")
    sent = [
        routes.test_route(pk=pk, by="ada", at=AT + timedelta(seconds=seconds), networks=())
        for pk, seconds in ((one.pk, 0), (one.pk, 59), (other.pk, 59), (one.pk, 60))
    ]
    assert [tried.sent for tried in sent] == [True, False, True, True]
    assert sent[1].sentence == "It was tried less than a minute ago: wait a moment."
    assert len(mail_server.kept) == 3


def test_a_person_has_twenty_routes_at_most_and_keeps_no_other_from_having_them() -> None:
    for name in ("ada", "bob"):
        User.objects.create_user(name)
    for number in range(20):
        route(user="ada", name=f"n{number}")
    with pytest.raises(routes.UnableToKeepRoute, match=r"^A person has 20 routes at most: remove one first\.$"):
        route(user="ada", name="one more")
    assert NotificationRoute.objects.count() == 20
    route(user="bob")
    routes.remove_route(pk=NotificationRoute.objects.filter(user__username="ada").first().pk)
    route(user="ada", name="one more")


def test_routes_are_found_by_whose_they_are_and_removed_once() -> None:
    team()
    theirs, all_of_us = route(owner="serving", name="a"), route(name="b")
    assert [one.name for one in routes_for(owner="serving")] == ["a"]
    assert [one.name for one in routes_for()] == ["b"]
    with pytest.raises(routes.UnableToKeepRoute, match="Nobody here is called pirates"):
        route(owner="pirates")
    assert routes.remove_route(pk=theirs.pk)
    assert not routes.remove_route(pk=theirs.pk)
    assert [one.id for one in routes_for()] == [all_of_us.pk]
