"""The organisation, its teams and who belongs to them, as a configuration file says."""

from collections.abc import Sequence

from reservations.domain.access import Role
from reservations.domain.change import Change, Outcome
from reservations.models import Organisation, Owner, RoleGrant, User
from reservations.services.configuration.entries import OrganisationEntry, OwnerEntry, PersonEntry
from reservations.services.configuration.putting import blank, put, put_named


def configure_organisation(*, entry: OrganisationEntry) -> list[Change]:
    """Write the one row of the organisation."""
    _, change = put(
        Organisation,
        kind="organisation",
        name=entry.name,
        lookup={"id": 1},
        values=blank(entry.written(), "name", "accounting_zone"),
    )
    return [change]


def configure_owners(*, entries: Sequence[OwnerEntry]) -> list[Change]:
    """Write teams, then their fallbacks (which may stand further down the file), then their members."""
    changes = {change.name: change for change in put_named(Owner, kind="owner", entries=entries, fields=["email"])}
    owners = {owner.name: owner for owner in Owner.objects.all()}
    for entry in entries:
        if "fallback" in entry.model_fields_set:
            fallback = owners[entry.fallback] if entry.fallback else None
            _, change = put(
                Owner,
                kind="owner",
                name=entry.name,
                lookup={"name": entry.name},
                values={"fallback": fallback},
            )
            changes[entry.name] = _joined(changes[entry.name], change)
    grants = [
        change
        for entry in entries
        for member in entry.members
        for change in _granted(member, Role.OWNER, owners[entry.name])
    ]
    return [*changes.values(), *grants]


def configure_people(*, entries: Sequence[PersonEntry]) -> list[Change]:
    """Grant every role a person is written with; a role the file does not name is left alone."""
    owners = {owner.name: owner for owner in Owner.objects.all()}
    return [
        change
        for entry in entries
        for role in entry.roles
        for change in _granted(entry.name, Role(role), owners[entry.team] if entry.team else None)
    ]


def _granted(username: str, role: Role, team: Owner | None) -> list[Change]:
    """The person, created without a password where unknown, and the grant."""
    username = User.normalize_username(username)  # as create_user will: look-alikes are one person
    user = User.objects.filter(username=username).first()
    created = user is None
    if user is None:
        user = User.objects.create_user(username)  # no password given: an unusable one
    scope = team.name if team else "everything"
    _, granted = put(
        RoleGrant,
        kind="grant",
        name=f"{username}: {role.value} of {scope}",
        lookup={"user_id": user.pk, "role": role.value, "team": team},
        values={},
    )
    return [Change("person", username, Outcome.CREATED), granted] if created else [granted]


def _joined(first: Change, second: Change) -> Change:
    if second.outcome is Outcome.UNCHANGED:
        return first
    outcome = Outcome.CREATED if first.outcome is Outcome.CREATED else Outcome.UPDATED
    before = {**(first.before or {}), **(second.before or {})} or None
    after = {**(first.after or {}), **(second.after or {})}
    return Change(first.kind, first.name, outcome, (*first.fields, *second.fields), before=before, after=after)
