"""Who somebody is; what a person may see and do is decided by ``reservations.domain.access.may``."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Subquery

from reservations.domain.access import Grant, Person, Role
from reservations.models import Organisation, RoleGrant
from reservations.selectors.second_factor import has_second_factor, second_factor_shown

UTC = "UTC"
"""What days are counted in until an organisation says otherwise."""


def person_of(user: AbstractBaseUser | AnonymousUser) -> Person:
    """The person behind a log-in with every grant: a superuser is admin of everything, an inactive user nothing."""
    return person_and_zone_of(user)[0]


def person_and_zone_of(user: AbstractBaseUser | AnonymousUser) -> tuple[Person, str]:
    """The same with the name of the accounting zone, read along in one query; blank where no grant brought it along."""
    if not user.is_active or user.pk is None:
        return Person(user.get_username()), ""
    zone = Subquery(Organisation.objects.order_by("pk").values("accounting_zone")[:1])
    found = RoleGrant.objects.filter(user_id=user.pk).order_by("role", "team__name")
    rows = list(found.values_list("role", "team__name", zone, second_factor_shown("user__")))
    granted = tuple(Grant(Role(role), team) for role, team, *_ in rows)
    if getattr(user, "is_superuser", False):
        granted = (Grant(Role.ADMIN), *granted)
    second_factor = rows[0][3] if rows else bool(granted) and has_second_factor(user.pk)
    return Person(user.get_username(), granted, second_factor), (rows[0][2] or UTC) if rows else ""
