"""Whom to tell: teams with the address and the team that steps in for them, and people with what they were granted."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from reservations.domain.access import Grant, Person, Role
from reservations.models import Owner, RoleGrant, User
from reservations.selectors.second_factor import second_factor_shown


@dataclass(frozen=True, slots=True)
class Contact:
    """A team's own e-mail and the team that steps in for it; blank where there is none."""

    name: str
    email: str = ""
    fallback: str = ""


def contacts() -> Mapping[str, Contact]:
    """Every team by its name, in one query."""
    rows = Owner.objects.values_list("name", "email", "fallback__name")
    return {name: Contact(name, email, fallback or "") for name, email, fallback in rows}


def people(ids: Collection[int]) -> Mapping[int, Person]:
    """Active people with every grant by their ids, in two queries; a superuser is admin of everything."""
    shown = User.objects.annotate(shown=second_factor_shown())
    found = {one.pk: one for one in shown.filter(pk__in=ids, is_active=True)}
    grants: dict[int, list[Grant]] = {pk: [Grant(Role.ADMIN)] if one.is_superuser else [] for pk, one in found.items()}
    for user_id, role, team in RoleGrant.objects.filter(user_id__in=found).values_list("user_id", "role", "team__name"):
        grants[user_id].append(Grant(Role(role), team))
    return {pk: Person(one.get_username(), tuple(grants[pk]), one.shown) for pk, one in found.items()}


def user_id_of(name: str) -> int | None:
    """The id of an active person by the log-in; None where nobody is called so."""
    return User.objects.filter(username=name, is_active=True).values_list("pk", flat=True).first()


def owner_id_of(name: str) -> int | None:
    """The id of a team by its name; None where none is called so."""
    return Owner.objects.filter(name=name).values_list("pk", flat=True).first()
