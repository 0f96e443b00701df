"""Reservations that a few typed characters may mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from reservations.domain.access import Action, Person, reach
from reservations.domain.tags import told_tags
from reservations.models import Reservation
from reservations.selectors.standing import standing

SHORTEST_TAG = 2
"""So many characters must be typed before tags are looked through: one stands in all of them."""


@dataclass(frozen=True, slots=True)
class FoundReservation:
    """One reservation that matched; ``tag`` is the ``key=value`` it matched by, blank where its id or ARN did."""

    id: int
    external_id: str
    arn: str
    kind: str
    state: str
    pool: str | None
    owner: str | None
    tag: str


def reservations_like(*, text: str, person: Person, as_of: datetime, limit: int) -> list[FoundReservation]:
    """Those a person may see with a text in their id, ARN or tags, the exact id first, in one query."""
    rows = standing(as_of, seen_by=reach(person, Action.SEE_RESERVATION), priced_for=frozenset())
    # Every ARN holds the word “reservation”, so a text is looked for in ARNs only if it looks like a part of one.
    named = Q(external_id__icontains=text) | (Q(arn__icontains=text) if {":", "/"} & set(text) else Q())
    key, equals, value = text.partition("=")
    tagged = Q(tags__contains={key: value}) if equals else Q(tags__icontains=text)
    matches = named | tagged if len(text) >= SHORTEST_TAG else named
    found = rows.filter(matches).order_by("missing_since", "-last_seen_at", "external_id")[:limit]
    return sorted((_found(one, text) for one in found), key=lambda one: text not in (one.external_id, one.arn))


def _found(one: Reservation, text: str) -> FoundReservation:
    named = text.lower() in one.external_id.lower() or text.lower() in one.arn.lower()
    return FoundReservation(
        id=one.pk,
        external_id=one.external_id,
        arn=one.arn,
        kind=one.kind,
        state=one.state_now,
        pool=one.pool_name,
        owner=one.owner_now,
        tag="" if named else _tag(told_tags(one.tags), text.lower()),
    )


def _tag(tags: Mapping[str, str], text: str) -> str:
    written = [f"{key}={value}" for key, value in tags.items()]
    return next((tag for tag in written if text in tag.lower()), "")
