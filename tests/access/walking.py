"""Going through every door of the site as every person, each time in a transaction that is undone."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from reservations.domain.access import Role
from scheduler.management.access_matrix import Door, Reach
from tests.access.site import OURS, THEIRS, Member, Site

OPENS, SHUT, LOG_IN, BROKEN = "opens", "is shut", "asks for a log-in", "breaks"
ELSEWHERE = {"/accounts/login/": LOG_IN, "/admin/login/": SHUT}

# What an address or a body speaks of, by the door; ``{…}`` is a team's object, ``<…>`` something of one's own.
SPOKEN: dict[str, dict[str, object]] = {
    "scheduler:attention-sheet": {"sheet": "pools"},
    "scheduler:block-clock": {"pk": "{block}"},
    "scheduler:block-clock-sheet": {"pk": "{block}", "sheet": "jobs"},
    "scheduler:sizing-sheet": {"sheet": "curve"},
    "scheduler:recommendation": {"pk": "{recommendation}"},
    "scheduler:recommendation-decide": {"pk": "{recommendation}", "move": "accept"},
    "scheduler:alert": {"pk": "{alert}"},
    "scheduler:alert-move": {"pk": "{alert}", "move": "acknowledge"},
    "scheduler:alert-rule": {"rule": "reserved_unused"},
    "scheduler:alert-route": {"pk": "{team_route}"},
    "scheduler:alert-route-test": {"pk": "{team_route}"},
    "scheduler:alert-route-remove": {"pk": "{team_route}"},
    "scheduler:renewal": {"pk": "{renewal}"},
    "scheduler:renewal-move": {"pk": "{renewal}", "move": "decide"},
    "scheduler:calendar-feed-revoke": {"feed_id": "<feed_id>"},
    "scheduler:calendar-feed": {"secret": "0" * 64},
    "scheduler:allocator-sheet": {"sheet": "jobs"},
    "scheduler:allocator-forget": {"key": "<key>"},
    "telemetry:fleet-sheet": {"sheet": "pools"},
    "telemetry:hour-sheet": {"sheet": "nodes"},
    "telemetry:pool-sheet": {"sheet": "tiles"},
    "telemetry:recollection": {"number": "{recollection}"},
    "telemetry:recollection-cancel": {"number": "{recollection}"},
    "telemetry:health-sheet": {"sheet": "runs"},
    "reservations:sheet": {"sheet": "reservations"},
    "reservations:tables": {"sheet": "sizes"},
    "reservations:commitments-file": {"sheet": "commitments"},
    "reservations:prices-sheet": {"sheet": "quotes"},
    "reservations:view": {"view_id": "<view_id>"},
    "reservations:view-delete": {"view_id": "<view_id>"},
    "reservations:token-revoke": {"token_id": "<token_id>"},
    "api:reservation": {"id": "{external_id}"},
    "api:clock": {"id": "{block_id}"},
    "api:job": {"number": "{job}"},
    "api:report": {"number": "{job}"},
    "api:allocation_run_of_yours": {"id": "<run>"},
    "api:cancel_run": {"id": "<run>"},
    "mfa_remove_webauthn": {"pk": 1},
    "mfa_edit_webauthn": {"pk": 1},
    "reservations:service-token-revoke": {"token_id": 1},
    "scheduler:exception-move": {"move": "approve"},
    "account_confirm_email": {"key": "none"},
    "account_reset_password_from_key": {"uidb36": "1", "key": "none-at-all"},
    "openid_connect_login": {"provider_id": "none"},
    "openid_connect_callback": {"provider_id": "none"},
}
USUAL = {
    "name": "{name}", "month": "2026-03", "hour": "2026-03-01T10", "suffix": "csv", "pk": "{reservation}",
    "alert_id": "{alert}", "version": 1, "sequence": 1, "request_id": 1, "file_id": 1, "delegation_id": 1,
}  # fmt: skip
QUERIES: dict[str, dict[str, str]] = {
    "api:sizing": {"pool": "{name}", "month": "2026-03"},
    "scheduler:allocator-full": {"full": "<run>"},
    "api:usage": {"month": "2026-03"},
    "scheduler:sizing-sheet": {"pool": "{name}", "month": "2026-03", "allow_short": "1", "months": "1"},
}
BODIES: dict[str, dict[str, object]] = {
    "scheduler:replay-ask": {"pool": "{name}", "month": "2026-03"},
    "scheduler:replay-cancel": {"pool": "{name}", "month": "2026-03"},
    "scheduler:alerts-move": {"alert": "{alert}", "move": "acknowledge"},
    "scheduler:alert-rule": {"pool": "{name}"},
    "scheduler:alert-routes": {"owner": "{owner}"},
    "scheduler:allocator-full-cancel": {"full": "<run>"},
    "telemetry:recollections": {"pool": "{name}"},
    "api:register": {
        "reservation": "{block_id}",
        "id": "new",
        "owner": "{owner}",
        "stop_hook_url": "http://127.0.0.1:9/stop",
        "stop_hook_secret": "of-the-trainer-0123456789",
        "checkpoint": "s3://checkpoints/new",
        "decision": "pause",
    },
    "api:snooze_alert": {"until": (datetime.now(UTC) + timedelta(days=1)).isoformat()},
}


@dataclass(frozen=True)
class Address:
    """One pattern of the site by the name that the matrix gives it, and what it speaks of."""

    name: str
    spoken: frozenset[str]
    named: bool


def addresses() -> Iterator[Address]:
    """Every pattern of the site."""
    yield from _below(get_resolver().url_patterns, (), frozenset())


def _below(
    patterns: list[URLPattern | URLResolver], spaces: tuple[str, ...], before: frozenset[str]
) -> Iterator[Address]:
    for one in patterns:
        spoken = before | set(one.pattern.converters) | set(one.pattern.regex.groupindex)
        if isinstance(one, URLResolver):
            yield from _below(one.url_patterns, (*spaces, one.namespace) if one.namespace else spaces, spoken)
        else:
            yield Address(":".join((*spaces, one.name or str(one.pattern))), spoken, bool(one.name))


def outcome(response: HttpResponse) -> str:
    """What came of it, in a word."""
    if response.status_code in (301, 302):
        return ELSEWHERE.get(response["Location"].split("?")[0], OPENS)
    if response.status_code == 401:
        return LOG_IN
    return BROKEN if response.status_code >= 500 else SHUT if response.status_code in (403, 404, 405) else OPENS


def expected(door: Door, member: Member, *, ours: bool) -> str:
    """What the matrix says comes of it; ``ours``: the object is of the member's team, or the member's own."""
    everywhere = member.role is not None and not member.team
    reached = {
        Reach.ANYBODY: True,
        Reach.LOGGED_IN: True,
        Reach.OWN: ours,
        Reach.SOMEWHERE: member.role in door.roles,
        Reach.TEAM: member.role in door.roles and (everywhere or ours),
        Reach.ORGANISATION: member.role in door.roles and everywhere,
    }[door.reach]
    return OPENS if reached else SHUT


def walks(door: Door, site: Site) -> Iterator[tuple[Member, bool]]:
    """Who goes through a door, and to whose object.

    Where a log-in is all it takes, three stand for everybody: no grant ever takes leave away (a property of ``may``).
    """
    asked = site.members
    if door.reach in (Reach.ANYBODY, Reach.LOGGED_IN, Reach.OWN):
        asked = tuple(one for one in site.members if one.said in ("nobody of all", "viewer of serving", "admin of all"))
    read = door.method == "GET" and door.roles == frozenset(Role)
    for member in asked:
        if read and door.reach is Reach.TEAM and member.role not in (None, Role.VIEWER, Role.ADMIN):
            yield member, True
        elif door.reach is Reach.TEAM and member.role and not member.team:
            yield member, False  # whom theirs opens ours does too
        elif door.reach in (Reach.TEAM, Reach.OWN):
            yield from ((member, True), (member, False))
        else:
            yield member, True


def went(
    door: Door, pattern: Address, member: Member, site: Site, *, ours: bool, client: Client | None = None
) -> HttpResponse:
    """The answer to going through a door, undone again."""
    things = site.objects[OURS if ours else THEIRS]
    own = member.own if ours else next(one for one in site.members if one is not member).own
    spoken = {**USUAL, **SPOKEN.get(door.name, {})}
    filled = _filled({name: spoken[name] for name in pattern.spoken}, things, own)
    address = reverse(door.name, kwargs=filled) if pattern.named else f"/accounts/{door.name}"
    with undone():
        return _asked(client or member.client, door, address, things, own)


def _asked(
    client: Client, door: Door, address: str, things: Mapping[str, object], own: Mapping[str, object]
) -> HttpResponse:
    query = _filled(QUERIES.get(door.name, {}), things, own)
    if door.method == "GET":
        return client.get(address, query)
    body = _filled(BODIES.get(door.name, {}), things, own)
    if door.name.startswith("api:"):
        return client.generic(door.method, address, json.dumps(body), content_type="application/json")
    return client.post(address, body)


def _filled(spoken: Mapping[str, object], things: Mapping[str, object], own: Mapping[str, object]) -> dict[str, object]:
    from_where = {"<": own, "{": things}
    return {
        name: from_where[str(said)[0]][str(said)[1:-1]] if str(said)[0] in "<{" else said
        for name, said in spoken.items()
    }


@contextmanager
def undone() -> Iterator[None]:
    """A part of a transaction whose writes do not stay."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(point)
