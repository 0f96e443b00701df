"""Who somebody is; what a person may see and do is decided by ``reservations.domain.access.may``."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from reservations.domain.access import Grant, Person, Role
from reservations.models import RoleGrant


def person_of(user: AbstractBaseUser | AnonymousUser) -> Person:
    """The person behind a log-in with every grant: a superuser is admin of everything, an inactive user nothing."""
    if not user.is_active or user.pk is None:
        return Person(user.get_username())
    grants = RoleGrant.objects.filter(user_id=user.pk).order_by("role", "team__name").values_list("role", "team__name")
    granted = tuple(Grant(Role(role), team) for role, team in grants)
    if getattr(user, "is_superuser", False):
        granted = (Grant(Role.ADMIN), *granted)
    return Person(user.get_username(), granted)
