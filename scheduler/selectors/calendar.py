"""The calendar's events as they should be and as they are told, and whose feed a secret opens."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from hmac import compare_digest

from django.db.models import Q, QuerySet

from reservations.domain.access import Action, may, reach
from reservations.domain.period import Period
from reservations.domain.renewal import LeadTimes, decision_date
from reservations.domain.tokens import is_use_worth_noting
from reservations.selectors.access import person_of
from reservations.selectors.ends import ReservationEnd, reservation_ends
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.procurement import published_lead_times
from scheduler.domain.calendar.event import Dated, Event, EventKind, events_of
from scheduler.domain.calendar.feed import is_feed_secret, secret_hash
from scheduler.domain.calendar.ics import calendar_text, with_address
from scheduler.domain.renewal.words import choice_words, lead_words
from scheduler.models import CalendarEntry, CalendarFeed
from scheduler.selectors.renewal_decisions import RenewalDecided, decisions_for

EVERYBODY = "all teams"


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One event as a page shows it; ``on`` is its whole day."""

    kind: EventKind
    at: datetime
    on: date | None
    summary: str
    description: str
    owner: str
    reservation_id: int | None
    cancelled: bool

    def day(self, zone: tzinfo) -> date:
        """The day it stands on: its whole day, else that of its instant in a zone."""
        return self.on or self.at.astimezone(zone).date()


@dataclass(frozen=True, slots=True)
class FeedRow:
    """One feed as its person sees it: never the secret, which nobody has any more. ``owner`` blank: all teams."""

    id: int
    name: str
    owner: str
    prefix: str
    made_at: datetime
    read_at: datetime | None


@dataclass(frozen=True, slots=True)
class OpenFeed:
    """A feed that a secret opens; ``owners`` None: whatever there is, also what is nobody's."""

    id: int
    name: str
    owners: frozenset[str] | None
    note_read: bool


def calendar_events(*, as_of: datetime) -> list[Event]:
    """Every event that the inventory and the decisions bring at an instant, in five queries."""
    zone, lead = accounting_zone(), published_lead_times()
    ends = [one for one in reservation_ends(as_of=as_of) if not one.gone]
    decided = decisions_for([(one.id, one.end_at) for one in ends if one.end_at is not None])
    told = (_dated(one, lead, zone, decided.get((one.id, one.end_at)) if one.end_at else None) for one in ends)
    return events_of(told, zone)


def entries_in(*, period: Period, owners: Collection[str] | None, owner: str = "") -> list[EntryRow]:
    """What happens in a period for these owners (None: for all and for nobody), by time, in one query."""
    found = _of_owners(CalendarEntry.objects.filter(at__gte=period.start, at__lt=period.end), owners)
    found = found.filter(cancelled_at__isnull=True)
    if owner:
        found = found.filter(owner=owner)
    return [_row(one) for one in found.defer("text")]


def feeds_of(*, user_id: int) -> list[FeedRow]:
    """A person's feeds that were not revoked, the newest first, in one query."""
    found = CalendarFeed.objects.filter(made_by_id=user_id, revoked_at=None)
    told = found.values_list("pk", "name", "owner__name", "prefix", "made_at", "read_at")
    return [FeedRow(pk, name, owner or "", *rest) for pk, name, owner, *rest in told]


def feed_opened_by(*, secret: str, as_of: datetime) -> OpenFeed | None:
    """The feed of a secret; None when it is unknown or revoked, or its person may not see what it tells any more."""
    if not is_feed_secret(secret):
        return None
    wanted = secret_hash(secret)
    feed = CalendarFeed.objects.select_related("made_by", "owner").filter(secret_hash=wanted).first()
    # The index finds it by its hash, from which nobody learns a secret; the last word has a comparison of one length.
    if feed is None or not compare_digest(feed.secret_hash, wanted) or feed.revoked_at is not None:
        return None
    person, owner = person_of(feed.made_by), feed.owner.name if feed.owner else ""
    if not may(person, Action.SEE_RESERVATION, {owner} if owner else reach(person, Action.SEE_RESERVATION)):
        return None
    return OpenFeed(
        id=feed.pk,
        name=f"Moorage: {owner or EVERYBODY}",
        owners=frozenset({owner}) if owner else reach(person, Action.SEE_RESERVATION),
        note_read=is_use_worth_noting(feed.read_at, as_of),
    )


def feed_text(feed: OpenFeed, *, addresses: str) -> str:
    """The calendar of a feed, in one query; ``addresses`` is a reservation's page with ``{}`` for its id."""
    told = _of_owners(CalendarEntry.objects.all(), feed.owners).values_list("text", "reservation_id")
    return calendar_text(feed.name, (with_address(text, addresses.format(pk) if pk else "") for text, pk in told))


def _of_owners(found: QuerySet[CalendarEntry], owners: Collection[str] | None) -> QuerySet[CalendarEntry]:
    return found if owners is None else found.filter(Q(owner__in=owners) & ~Q(owner=""))


def _dated(one: ReservationEnd, lead: LeadTimes | None, zone: tzinfo, decided: RenewalDecided | None) -> Dated:
    return Dated(
        arn=one.arn,
        external_id=one.external_id,
        kind=one.kind,
        state=one.state,
        owner=one.owner,
        pool=one.pool,
        shape=one.shape,
        nodes=one.nodes,
        start_at=one.start_at,
        end_at=one.end_at,
        usable_until=one.usable_until,
        decide_on=decision_date(end_at=one.end_at, kind=one.kind, lead=lead, zone=zone).on,
        lead_words=lead_words(lead, one.kind),
        decided=choice_words(decided.choice, decided.nodes, decided.until_at) if decided else "",
        reservation_id=one.id,
    )


def _row(one: CalendarEntry) -> EntryRow:
    return EntryRow(
        kind=EventKind(one.kind),
        at=one.at,
        on=one.on,
        summary=one.summary,
        description=one.description,
        owner=one.owner,
        reservation_id=one.reservation_id,
        cancelled=one.cancelled_at is not None,
    )
