"""Every address of the site, asked for by every role, of one team and of all, against the written matrix."""

import json
from collections import Counter

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from reservations.domain.access import Role
from reservations.models import RoleGrant, User
from scheduler.management.access_matrix import DOORS, Door, Reach
from scheduler.management.access_matrix.exceptions import EXCEPTIONS
from tests.access.site import OURS, Member, Site, site
from tests.access.walking import (
    LOG_IN,
    OPENS,
    SHUT,
    SPOKEN,
    addresses,
    expected,
    outcome,
    undone,
    walks,
    went,
)

PATTERNS = {
    one.name: one for one in reversed(list(addresses()))
}  # of two with one name, the first is the one that answers
UNANSWERED = {
    "scheduler:replay-sheet",
    "scheduler:replay-progress",
    "scheduler:sizing-sheet",
    "scheduler:calendar-feed",
    "openid_connect_login",
    "openid_connect_callback",
    "api:api-root",
    "api:sizing",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "mfa_reauthenticate_webauthn",
    "reservations:service-token-revoke",
    "reservations:edit",
    "reservations:procurement-version",
    "reservations:procurement-draft-of",
    "reservations:procurement-publish",
    "reservations:audit-event",
    "reservations:audit-pack",
}
"""Where the small site has nothing to answer with, 404 is no refusal."""


OF_REQUESTS = {door for door in EXCEPTIONS if door.reach in (Reach.TEAM, Reach.OWN)}
"""What may be done to a request rests on its state and its people too: tests of their own walk those."""


@pytest.fixture
def small_site(db: None) -> Site:
    """A site of its own for each test."""
    return site()


def through(door: Door, small_site: Site) -> list[str]:
    """All that goes otherwise than the matrix says, a line each."""
    found = []
    for member, ours in walks(door, small_site):
        answer = went(door, PATTERNS[door.name], member, small_site, ours=ours)
        said, wanted = outcome(answer), expected(door, member, ours=ours)
        if answer.status_code == 404 and wanted == OPENS and door.name in UNANSWERED:
            continue
        if said != wanted:
            whose = "ours" if ours else "theirs"
            found.append(
                f"{door.method} {door.name} of {whose}: {said} ({answer.status_code}) for {member.said}, not {wanted}"
            )
    return found


def test_every_address_stands_in_the_matrix_and_nothing_else_does() -> None:
    named = {door.name for door in DOORS if door.name != "admin:*"}
    assert {name for name in PATTERNS if not name.startswith("admin:")} == named
    assert max(Counter((door.name, door.method) for door in DOORS).values()) == 1


def test_every_operation_of_the_api_stands_in_it_with_its_method() -> None:
    from config.api import api

    told = {
        (f"api:{operation['operationId']}", method.upper())
        for path in json.loads(json.dumps(api.get_openapi_schema(), default=str))["paths"].values()
        for method, operation in path.items()
    }
    written = {(door.name, door.method) for door in DOORS if door.name.startswith("api:")}
    assert told <= written
    assert {name for name, _ in written - told} == {"api:description", "api:api-root", "api:^.*$"}


@pytest.mark.parametrize("reach", [one for one in Reach if one not in (Reach.ANYBODY,)])
def test_each_role_goes_through_the_doors_that_the_matrix_names_and_no_other(reach: Reach, small_site: Site) -> None:
    doors = [one for one in DOORS if one.reach is reach and one.name != "admin:*" and one not in OF_REQUESTS]
    assert doors
    found = [line for door in doors for line in through(door, small_site)]
    assert not found, "\n".join(found)


def test_who_is_not_logged_in_is_asked_to_wherever_it_takes_a_log_in(small_site: Site) -> None:
    member = small_site.members[0]
    found = []
    for door in (one for one in DOORS if one.name != "admin:*"):
        answer = went(door, PATTERNS[door.name], member, small_site, ours=True, client=Client())
        if outcome(answer) != LOG_IN and door.reach is not Reach.ANYBODY:
            found.append((door.name, door.method, answer.status_code))
    assert not found, "\n".join(map(str, found))


def test_an_object_of_another_team_answers_like_one_that_is_not_there(small_site: Site) -> None:
    owner = next(one for one in small_site.members if one.said == f"{Role.OWNER} of {OURS}")
    nothing = {"pk": 2**31 - 1, "alert_id": 2**31 - 1, "number": 2**31 - 1, "name": "none", "id": "none"}
    told = []
    for door in DOORS:
        if door.reach is not Reach.TEAM or door.method != "GET" or door in OF_REQUESTS or door.name == "api:sizing":
            continue
        pattern = PATTERNS[door.name]
        usual = {"month": "2026-03", "hour": "2026-03-01T10", "suffix": "csv", **SPOKEN.get(door.name, {})}
        address = reverse(door.name, kwargs={name: nothing.get(name) or usual[name] for name in pattern.spoken})
        missing = owner.client.get(address)
        theirs = went(door, pattern, owner, small_site, ours=False)
        if missing.status_code != theirs.status_code:
            told.append((door.name, missing.status_code, theirs.status_code))
    assert not told, "\n".join(map(str, told))


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_address_of_the_admin_opens_to_one_with_every_other_role_and_that_one_of_a_team(
    method: str, small_site: Site
) -> None:
    user = User.objects.get(username="nobody-all")
    client = Client(raise_request_exception=False)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    found = []
    with undone():
        for role in Role:
            team = None if role is not Role.ADMIN else RoleGrant.objects.exclude(team=None).first().team
            RoleGrant.objects.create(user=user, role=role, team=team)
        for one in addresses():
            if not one.name.startswith("admin:") or one.name in ("admin:login", "admin:logout", "admin:jsi18n"):
                continue
            kwargs = {name: "reservations" if name == "app_label" else "1" for name in one.spoken}
            address = reverse(one.name, kwargs=kwargs) if one.named else "/admin/no-such-page/"
            with undone():
                answer = client.generic(method, address)
            if outcome(answer) != SHUT and answer.status_code != 404:
                found.append((address, answer.status_code))
    assert not found, "\n".join(map(str, found))


def test_an_admin_opens_every_list_of_the_admin(small_site: Site) -> None:
    admin: Member = next(one for one in small_site.members if one.said == f"{Role.ADMIN} of all")
    lists = [one.name for one in addresses() if one.name.startswith("admin:") and one.name.endswith("_changelist")]
    opened = {name: admin.client.get(reverse(name)).status_code for name in lists}
    assert {name for name, status in opened.items() if status not in (200, 403)} == set()
    assert sum(status == 200 for status in opened.values()) > 40


def test_the_page_of_the_documentation_is_current() -> None:
    call_command("access_matrix", "--check")
