"""Who was granted what: the people among whom one can be chosen for something."""

from collections import defaultdict

from django.db.models import Model

from reservations.domain.access import LEAVE, Action, Grant, Person, Role, may_somewhere
from reservations.models import Owner, RoleGrant, User
from reservations.selectors.second_factor import second_factor_shown


def people_who_may(action: Action) -> list[Person]:
    """Active people who may do an action for any team, by log-in, with the grants that let them; in two queries."""
    roles = [role.value for role in LEAVE[action]]
    grants: defaultdict[tuple[str, bool], list[Grant]] = defaultdict(list)
    superusers = User.objects.filter(is_superuser=True, is_active=True)
    for who in superusers.values_list("username", second_factor_shown()):
        grants[who].append(Grant(Role.ADMIN))
    found = RoleGrant.objects.filter(role__in=roles, user__is_active=True).order_by("user__username", "role")
    for name, shown, role, team in found.values_list(
        "user__username", second_factor_shown("user__"), "role", "team__name"
    ):
        grants[name, shown].append(Grant(Role(role), team))
    everybody = (Person(name, tuple(held), shown) for (name, shown), held in sorted(grants.items()))
    return [one for one in everybody if may_somewhere(one, action)]


def grants_with(row: Model) -> list[RoleGrant]:
    """The grants that the database takes away with a person or a team; none with any other row."""
    if isinstance(row, User):
        return list(RoleGrant.objects.filter(user=row).order_by("pk"))
    return list(RoleGrant.objects.filter(team=row).order_by("pk")) if isinstance(row, Owner) else []
