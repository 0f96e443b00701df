"""Who is to be told of an alert: the addresses of its owner, of the team that steps in, and of the organisation."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo

from reservations.domain.access import Action, Person, Role, may
from reservations.domain.period import UnableToReadTime, zone
from reservations.selectors.contacts import Contact, contacts, people
from reservations.selectors.organisation import accounting_zone
from scheduler.domain.alert.delivery import Address, ChannelName
from scheduler.domain.alert.severity import Severity
from scheduler.models import NotificationRoute

Rings = tuple[Sequence[Address], Sequence[Address], Sequence[Address]]


@dataclass(frozen=True)
class Directory:
    """Every address that is switched on, read once; ``people`` are those who have one of their own."""

    teams: Mapping[str, Contact]
    routes: Mapping[str, Sequence[Address]]
    personal: Mapping[int, Sequence[Address]]
    people: Mapping[int, Person]
    organisation: Sequence[Address]
    clock: tzinfo
    _rings: dict[tuple[str, frozenset[str], int | None], Rings] = field(default_factory=dict)

    def rings(self, owner: str, teams: frozenset[str], assigned_to: int | None = None) -> Rings:
        """Whom an alert of this owner and these teams rings, in their order.

        A person's own addresses go with the owner's: of those who may see it, and of whom it is given to. They answer
        for it where they own it or it is theirs.
        """
        asked = owner, teams, assigned_to
        if asked not in self._rings:
            fallback = self.teams[owner].fallback if owner in self.teams else ""
            mine = [*self._of_team(owner), *self._of_people(owner, teams, assigned_to)]
            self._rings[asked] = (mine, self._of_team(fallback), self.organisation)
        return self._rings[asked]

    def _of_team(self, name: str) -> list[Address]:
        contact = self.teams.get(name)
        if contact is None:
            return []
        own = [team_address(contact, self.clock)] if contact.email else []
        return [*own, *self.routes.get(name, ())]

    def _of_people(self, owner: str, teams: frozenset[str], assigned_to: int | None) -> list[Address]:
        found = []
        for user_id, addresses in self.personal.items():
            person = self.people.get(user_id)
            if person is None or not may(person, Action.SEE_RESERVATION, teams):
                continue
            owns = any(grant.role is Role.OWNER and grant.team == owner for grant in person.grants)
            answers = user_id == assigned_to or bool(owner and owns)
            found += [replace(one, answers=answers) for one in addresses]
        return found


def directory() -> Directory:
    """Every address that is switched on, in five queries."""
    routes: dict[str, list[Address]] = defaultdict(list)
    personal: dict[int, list[Address]] = defaultdict(list)
    organisation: list[Address] = []
    for one in NotificationRoute.objects.filter(enabled=True).select_related("owner").order_by("pk"):
        address = route_address(one)
        if one.owner:
            routes[one.owner.name].append(address)
        elif one.user_id:
            personal[one.user_id].append(address)
        else:
            organisation.append(address)
    return Directory(contacts(), routes, personal, people(personal), organisation, accounting_zone())


def team_address(contact: Contact, clock: tzinfo) -> Address:
    """A team's own e-mail, an address without a route: of everything, and what is not critical in the digest."""
    return Address(f"owner:{contact.name}", ChannelName.EMAIL, contact.email, zone=clock)


def route_address(one: NotificationRoute) -> Address:
    """A route as messages are planned for it."""
    return Address(
        recipient=f"route:{one.pk}",
        channel=ChannelName(one.channel),
        shown=one.shown,
        route_id=one.pk,
        rules=frozenset(one.rules),
        least=Severity(one.least),
        at_once_from=Severity(one.at_once_from),
        digest_hour=one.digest_hour,
        zone=clock_of(one),
        quiet_from=one.quiet_from,
        quiet_until=one.quiet_until,
    )


def clock_of(one: NotificationRoute) -> tzinfo:
    """The clock of a route; UTC where this machine no longer knows its zone."""
    try:
        return zone(one.zone)
    except UnableToReadTime:
        return UTC
