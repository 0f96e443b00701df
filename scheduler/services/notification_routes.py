"""Adding, changing, removing and trying the addresses that messages go to."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from types import ModuleType

from django.db import connection, transaction
from django.db.models import Q
from django.views.decorators.debug import sensitive_variables

from reservations.selectors.contacts import owner_id_of, user_id_of
from reservations.services.audit import AuditAct, differing, record_event, row_state
from reservations.services.sealed import UnableToOpen, opened, sealed
from scheduler.alerts import RULES
from scheduler.domain.alert.delivery import ChannelName
from scheduler.domain.alert.message import Message, UnableToDeliver
from scheduler.domain.alert.route import RouteValues, wrong_values
from scheduler.domain.outside_address import Network
from scheduler.models import NotificationRoute

SECRET_BYTES = 32

MOST_ROUTES = 20
"""So many may stand for one person: each is told of every alert on its own."""

TRIED_EVERY = timedelta(minutes=1)
"""A trial goes to somebody outside as often as this at most, however often it is asked for."""

ROUTES = 0x726F7574
"""The class of the advisory locks under which one person's routes are counted and made."""


class UnableToKeepRoute(Exception):
    """A route can't be as it was said; ``said`` has one sentence for each field, ``""`` for the route as a whole."""

    def __init__(self, said: Mapping[str, str]) -> None:
        super().__init__(" ".join(said.values()))
        self.said = said


@dataclass(frozen=True, slots=True)
class Added:
    """A route that was made; ``secret`` is what a webhook's messages are signed with, told this once."""

    id: int
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a message that was sent to try a route: one sentence."""

    sent: bool
    sentence: str


@sensitive_variables()
@transaction.atomic
def add_route(
    *, owner: str = "", user: str = "", values: RouteValues, by: str, at: datetime, networks: Sequence[Network]
) -> Added:
    """Make a route of a team, of a person (a log-in), or of the organisation; a webhook without a secret gets one.

    UnableToKeepRoute.
    """
    owner_id, user_id = owner_id_of(owner) if owner else None, user_id_of(user) if user else None
    if (owner and owner_id is None) or (user and user_id is None):
        raise UnableToKeepRoute({"": f"Nobody here is called {owner or user}."})
    _check(values)
    if user_id is not None:
        _one_at_a_time(user_id)
        if NotificationRoute.objects.filter(user_id=user_id).count() >= MOST_ROUTES:
            raise UnableToKeepRoute({"": f"A person has {MOST_ROUTES} routes at most: remove one first."})
    if not values.address:
        raise UnableToKeepRoute({"address": "A route has an address."})
    secret = values.secret
    if values.channel is ChannelName.WEBHOOK and not secret:
        secret = secrets.token_urlsafe(SECRET_BYTES)
    route = NotificationRoute(owner_id=owner_id, user_id=user_id, made_by=by, made_at=at)
    _set(route, values, secret, networks)
    route.save()
    _record(route.pk, None, row_state(route), by)
    return Added(route.pk, secret)


@sensitive_variables()
@transaction.atomic
def change_route(*, pk: int, values: RouteValues, networks: Sequence[Network]) -> bool:
    """Set a route anew; a blank address or secret stays as it stands. False where there is none. UnableToKeepRoute."""
    route = NotificationRoute.objects.select_for_update().filter(pk=pk).first()
    if route is None:
        return False
    _check(values)
    if values.channel.value != route.channel and not values.address:
        raise UnableToKeepRoute({"address": "Another channel needs another address."})
    if values.channel is ChannelName.WEBHOOK and not (values.secret or route.secret_sealed):
        said = "A webhook's messages are signed: enter a secret, or add it as a new route, which gets one."
        raise UnableToKeepRoute({"secret": said})
    before = row_state(route)
    _set(route, values, values.secret, networks)
    route.save()
    _record(pk, *differing(before, row_state(route)))
    return True


@transaction.atomic
def remove_route(*, pk: int) -> bool:
    """Forget a route with its address; what was still owed to it is dropped. False where there is none."""
    route = NotificationRoute.objects.select_for_update().filter(pk=pk).first()
    if route is None:
        return False
    before = row_state(route)
    route.delete()
    _record(pk, before, None)
    return True


@sensitive_variables()
def test_route(*, pk: int, by: str, at: datetime, networks: Sequence[Network]) -> Tried:
    """Send one message to a route now, once a minute at most, and say what became of it; only when is kept."""
    route = NotificationRoute.objects.filter(pk=pk).first()
    if route is None:
        return Tried(False, "There is no such route.")
    lately = Q(tried_at__gt=at - TRIED_EVERY, tried_at__lte=at)
    if not NotificationRoute.objects.filter(pk=pk).exclude(lately).update(tried_at=at):
        return Tried(False, "It was tried less than a minute ago: wait a moment.")
    try:
        address, secret = opened_address(route)
        channel_named(route.channel).send(address, secret, _trial(route, by, at), networks)
    except (UnableToDeliver, UnableToOpen) as unable:
        return Tried(False, str(unable))
    return Tried(True, f"A message was sent to {route.shown}.")


def channel_named(name: str) -> ModuleType:
    """The module of a channel."""
    return import_module(f"scheduler.channels.{ChannelName(name).value}")


@sensitive_variables()
def opened_address(route: NotificationRoute) -> tuple[str, str]:
    """The address and the secret of a route as they can be used; UnableToOpen where their key is gone."""
    return opened(route.address_sealed), opened(route.secret_sealed) if route.secret_sealed else ""


def _record(pk: int, before: dict[str, object] | None, after: dict[str, object] | None, by: str = "") -> None:
    record_event(
        what=AuditAct.ROUTE_CHANGED, about="notification_route", ident=str(pk), by=by, before=before, after=after
    )


def _one_at_a_time(user_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [ROUTES, user_id % 2**31])


def _check(values: RouteValues) -> None:
    wrong = wrong_values(values, rules=RULES)
    if wrong:
        raise UnableToKeepRoute(wrong)


@sensitive_variables()
def _set(route: NotificationRoute, values: RouteValues, secret: str, networks: Sequence[Network]) -> None:
    if values.address:
        try:
            route.shown = channel_named(values.channel).shown(values.address, networks)
        except UnableToDeliver as unable:
            raise UnableToKeepRoute({"address": str(unable)}) from unable
        route.address_sealed = sealed(values.address)
        route.failing_since, route.last_error = None, ""
    if secret:
        route.secret_sealed = sealed(secret)
    route.name, route.channel = values.name.strip(), values.channel.value
    route.rules = sorted(values.rules)
    route.least, route.at_once_from = values.least.value, values.at_once_from.value
    route.digest_hour, route.zone = values.digest_hour, values.zone
    route.quiet_from, route.quiet_until = values.quiet_from, values.quiet_until
    route.enabled = values.enabled


def _trial(route: NotificationRoute, by: str, at: datetime) -> Message:
    text = f"{by} sent this to try the route “{route.name}” of Moorage. Nothing is wrong, and nothing is to be done."
    return Message(
        id=f"trial-{route.pk}-{at:%Y%m%dT%H%M%S%f}",
        subject=f"Moorage: a trial of the route “{route.name}”",
        text=text,
        html="",
        data={"event": "trial", "route": route.name, "sent_by": by},
        sent_at=at,
    )
