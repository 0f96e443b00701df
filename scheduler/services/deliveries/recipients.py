"""Where a recipient is reached now, and what it may read."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, tzinfo

from django.views.decorators.debug import sensitive_variables

from reservations.domain.access import Action, Person, may
from reservations.selectors.contacts import contacts, people
from reservations.selectors.organisation import accounting_zone
from reservations.services.sealed import opened
from scheduler.models import AlertEpisode, NotificationRoute
from scheduler.selectors.notification_addresses import clock_of

REMOVED = "Its address was removed."
SWITCHED_OFF = "Its address was switched off."
NO_EMAIL = "The team has no e-mail any more."
NOT_FOR_THEM = "Its recipient may no longer see this."


@dataclass(frozen=True)
class Reached:
    """One recipient as it is now; ``why_not`` says why nothing can be sent there."""

    recipient: str
    channel: str
    route: NotificationRoute | None = None
    email: str = ""
    clock: tzinfo = UTC
    digest_hour: int = 8
    person: Person | None = None
    why_not: str = ""

    @property
    def quiet(self) -> tuple[time | None, time | None]:
        """When it is left alone."""
        return (self.route.quiet_from, self.route.quiet_until) if self.route else (None, None)

    @sensitive_variables()
    def address(self) -> tuple[str, str]:
        """The address and what it is signed with; UnableToOpen."""
        if self.route is None:
            return self.email, ""
        secret = self.route.secret_sealed
        return opened(self.route.address_sealed), opened(secret) if secret else ""

    def may_see(self, episode: AlertEpisode) -> bool:
        """Whether who reads it there may; a team's and the organisation's addresses are for whom they stand for."""
        return self.person is None or may(self.person, Action.SEE_RESERVATION, episode.teams)

    def may_see_prices(self, episode: AlertEpisode) -> bool:
        """Whether the role of who reads it there includes prices."""
        return self.person is None or may(self.person, Action.SEE_PRICES, episode.teams)


def reached(recipient: str, channel: str) -> Reached:
    """A recipient of planned messages as it stands, in four queries at most."""
    kind, _, name = recipient.partition(":")
    if kind == "owner":
        email = contact.email if (contact := contacts().get(name)) else ""
        return Reached(recipient, channel, email=email, clock=accounting_zone(), why_not="" if email else NO_EMAIL)
    route = NotificationRoute.objects.filter(pk=int(name)).first()
    if route is None:
        return Reached(recipient, channel, why_not=REMOVED)
    person = people([route.user_id]).get(route.user_id, Person("")) if route.user_id else None
    return Reached(
        recipient,
        route.channel,
        route=route,
        clock=clock_of(route),
        digest_hour=route.digest_hour,
        person=person,
        why_not="" if route.enabled else SWITCHED_OFF,
    )


def tell_route(route: NotificationRoute | None, *, failed: str, at: datetime) -> None:
    """Keep since when a route fails and how, or that it works again."""
    if route is None:
        return
    mine = NotificationRoute.objects.filter(pk=route.pk)
    if failed:
        mine.filter(failing_since__isnull=True).update(failing_since=at)
        mine.update(last_error=failed[:300])
    elif route.failing_since is not None:
        mine.update(failing_since=None, last_error="")
