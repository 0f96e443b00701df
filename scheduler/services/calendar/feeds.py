"""Making and revoking calendar feeds; a secret leaves here once and is not kept."""

import secrets
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest

from reservations.domain.free_text import why_not_kept
from reservations.domain.tokens import USE_NOTED_EVERY
from reservations.selectors.teams import team_id
from reservations.services.audit import AuditAct, record_event
from scheduler.domain.calendar.feed import SECRET_BYTES, feed_prefix, secret_hash
from scheduler.models import CalendarFeed

MOST_FEEDS = 50
"""So many may stand in one person's name at a time: whoever has more has lost count of them."""

LONGEST_NAME = 80
FEEDS = 0x66656564


class UnableToMakeFeed(ValueError):
    """A feed may not be made this way; the message is one sentence."""


@transaction.atomic
def make_feed(*, user_id: int, name: str, owner: str = "", at: datetime) -> str:
    """The secret of a new feed of a team's events, or of all, to be shown once; UnableToMakeFeed otherwise."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME:
        raise UnableToMakeFeed(f"Give it a name of at most {LONGEST_NAME} characters.")
    why = why_not_kept(name, owner)
    if why:
        raise UnableToMakeFeed(why)
    owner_id = team_id(owner) if owner else None
    if owner and owner_id is None:
        raise UnableToMakeFeed(f"There is no team “{owner[:60]}”.")
    _one_at_a_time(user_id)
    if CalendarFeed.objects.filter(made_by_id=user_id, revoked_at=None).count() >= MOST_FEEDS:
        raise UnableToMakeFeed(f"You have {MOST_FEEDS} feeds already: revoke one that is no longer used.")
    secret = secrets.token_hex(SECRET_BYTES)
    made = CalendarFeed.objects.create(
        name=name,
        owner_id=owner_id,
        prefix=feed_prefix(secret),
        secret_hash=secret_hash(secret),
        made_by_id=user_id,
        made_at=at,
    )
    record_event(what=AuditAct.CALENDAR_CHANGED, about="calendar_feed", ident=str(made.pk), after=_told(made))
    return secret


@transaction.atomic
def revoke_feed(*, feed_id: int, user_id: int | None, at: datetime) -> bool:
    """Whether a feed of this person (None: of anybody, for an administrator) stood there to be revoked from now on."""
    feeds = CalendarFeed.objects.filter(pk=feed_id, revoked_at=None)
    if user_id is not None:
        feeds = feeds.filter(made_by_id=user_id)
    found = feeds.select_for_update().first()
    if found is None:
        return False
    feeds.update(revoked_at=Greatest(F("made_at"), at))
    record_event(what=AuditAct.CALENDAR_CHANGED, about="calendar_feed", ident=str(feed_id), before=_told(found))
    return True


def note_feed_read(*, feed_id: int, at: datetime) -> None:
    """Write down that a feed was read, unless somebody did so a moment ago."""
    stale = Q(read_at=None) | Q(read_at__lte=at - USE_NOTED_EVERY)
    CalendarFeed.objects.filter(stale, pk=feed_id).update(read_at=at)


def _told(feed: CalendarFeed) -> dict[str, object]:
    return {"name": feed.name, "prefix": feed.prefix, "owner_id": feed.owner_id, "made_by_id": feed.made_by_id}


def _one_at_a_time(user_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [FEEDS, user_id])
