"""Who was granted what: the people among whom one can be chosen for something."""

from collections import defaultdict

from reservations.domain.access import LEAVE, Action, Grant, Person, Role
from reservations.models import RoleGrant, User


def people_who_may(action: Action) -> list[Person]:
    """Active people who may do an action for any team, by log-in, with the grants that let them; in two queries."""
    roles = [role.value for role in LEAVE[action]]
    grants: defaultdict[str, list[Grant]] = defaultdict(list)
    for name in User.objects.filter(is_superuser=True, is_active=True).values_list("username", flat=True):
        grants[name].append(Grant(Role.ADMIN))
    found = RoleGrant.objects.filter(role__in=roles, user__is_active=True).order_by("user__username", "role")
    for name, role, team in found.values_list("user__username", "role", "team__name"):
        grants[name].append(Grant(Role(role), team))
    return [Person(name, tuple(held)) for name, held in sorted(grants.items())]
