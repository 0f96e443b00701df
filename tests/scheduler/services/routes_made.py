"""Routes as people make them, to servers of the tests."""

from datetime import UTC, datetime
from ipaddress import ip_network

from scheduler.domain.alert.delivery import ChannelName
from scheduler.domain.alert.route import RouteValues
from scheduler.models import NotificationRoute
from scheduler.services import notification_routes

HERE = (ip_network("127.0.0.0/8"),)
MADE_AT = datetime(2026, 5, 1, tzinfo=UTC)


def organisation_route(**values: object) -> NotificationRoute:
    return route(**values)


def route(*, owner: str = "", user: str = "", **values: object) -> NotificationRoute:
    said = {"name": "on-call", "channel": ChannelName.EMAIL, "address": "on-call@example.com"} | values
    added = notification_routes.add_route(
        owner=owner, user=user, values=RouteValues(**said), by="ada", at=MADE_AT, networks=HERE
    )
    return NotificationRoute.objects.get(pk=added.id)
