"""Reservations as pages, searches and the API show them: plain rows, only those a person may see."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum

from reservations.domain.access import Action, Person, reach
from reservations.domain.held_now import ReservationRow
from reservations.domain.period import Period
from reservations.domain.renewal import Decision, LeadTimes, decision_date
from reservations.domain.reservation_filter import ReservationFilter
from reservations.domain.reservation_state import Kind, State
from reservations.domain.tags import told_tags
from reservations.domain.usable_end import CountedEnd, counted_end
from reservations.models import Reservation
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.procurement import published_lead_times
from reservations.selectors.standing import (
    UnpaidEnds,
    filtered,
    ordered,
    reaching,
    standing,
    unpaid_ends,
    with_counted_ends,
    with_teams,
)

EVERYTHING = ReservationFilter()


class UnableToFindReservation(LookupError):
    """There is none, or not for this person; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class ReservationTotals:
    """All that match: how many, and over those that promise something, what they add up to; None: none is known.

    ``used`` is of ``observed`` instances: of the others nobody knows how many are in use.
    """

    count: int = 0
    holding: int = 0
    instances: int | None = None
    gpus: Decimal | None = None
    used: int | None = None
    observed: int | None = None
    first_start_at: datetime | None = None
    last_end_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Choices:
    """What one may filter by, among the reservations a person may see."""

    owners: tuple[str, ...]
    pools: tuple[str, ...]
    zones: tuple[str, ...]
    kinds: tuple[str, ...]
    states: tuple[str, ...]


def reservation_rows(
    *,
    person: Person,
    as_of: datetime,
    asked: ReservationFilter = EVERYTHING,
    order: str = "end",
    offset: int = 0,
    limit: int | None = None,
    during: Period | None = None,
    zone: tzinfo | None = None,
    unpaid: UnpaidEnds | None = None,
) -> list[ReservationRow]:
    """Those a person may see and asked for, as they stand at an instant, in one of ``ORDERS``; in four queries.

    ``during``: only those whose term reaches into a period; ``zone`` and ``unpaid``: the accounting zone and ends that
    are not paid, where they are known already.
    """
    lead = published_lead_times()
    rows = _told(ordered(_reaching(person, as_of, asked, during, unpaid), order, lead))
    return _rows(rows[offset : None if limit is None else offset + limit], lead, zone)


def reservation_totals(
    *,
    person: Person,
    as_of: datetime,
    asked: ReservationFilter = EVERYTHING,
    during: Period | None = None,
    unpaid: UnpaidEnds | None = None,
) -> ReservationTotals:
    """How many match, and the sums over those that are not over."""
    holding = ~Q(state_now__in=(State.ENDED.value, State.FAILED.value)) & Q(missing_since__isnull=True)
    found = _visible(person, as_of, asked) if during is None else _reaching(person, as_of, asked, during, unpaid)
    sums = found.aggregate(
        count=Count("pk"),
        holding=Count("pk", filter=holding),
        instances=Sum("count_now", filter=holding),
        gpus=Sum("gpus_now", filter=holding),
        used=Sum("used_now", filter=holding),
        observed=Sum("count_now", filter=holding & Q(used_now__isnull=False)),
    )
    return ReservationTotals(**sums)


def reservation_extent(
    *,
    person: Person,
    as_of: datetime,
    asked: ReservationFilter = EVERYTHING,
    unpaid: UnpaidEnds | None = None,
) -> ReservationTotals:
    """How many match and from when to when all of them reach, without the sums, which take longer."""
    reach_of = {"count": Count("pk"), "first_start_at": Min("start_at"), "last_end_at": Max("end_counted")}
    return ReservationTotals(**_reaching(person, as_of, asked, None, unpaid).aggregate(**reach_of))


def reservation_count(
    *,
    person: Person,
    as_of: datetime,
    asked: ReservationFilter,
    during: Period | None,
    unpaid: UnpaidEnds | None = None,
) -> int:
    """How many match whose term reaches into a period."""
    return _reaching(person, as_of, asked, during, unpaid).count()


def reservation_choices(*, person: Person, as_of: datetime) -> Choices:
    """Every owner, pool, zone, kind and state there is among the reservations a person may see, in one query."""
    told = _visible(person, as_of, EVERYTHING).values_list("owner_now", "pool_name", "zone_id", "kind", "state_now")
    columns = list(zip(*told.distinct(), strict=True)) or [()] * 5
    return Choices(*(tuple(sorted({value for value in column if value})) for column in columns))


def reservation_row(*, pk: int, person: Person, as_of: datetime, zone: tzinfo | None = None) -> ReservationRow:
    """The reservation of an id of ours; UnableToFindReservation when there is none this person may see."""
    return _one(_visible(person, as_of, EVERYTHING).filter(pk=pk), f"There is no reservation {pk}", zone)


def reservation_named(*, name: str, person: Person, as_of: datetime) -> ReservationRow:
    """The reservation of a provider's id or ARN, as :func:`reservation_row`; the newest where an id stands twice."""
    named = _visible(person, as_of, EVERYTHING).filter(Q(external_id=name) | Q(arn=name))
    return _one(named.order_by("-last_seen_at", "pk"), f"There is no reservation “{name}”")


def _one(found: QuerySet[Reservation], otherwise: str, zone: tzinfo | None = None) -> ReservationRow:
    rows = _rows(_told(found)[:1], published_lead_times(), zone)
    if not rows:
        raise UnableToFindReservation(f"{otherwise}, or it belongs to a team whose reservations you may not see.")
    return rows[0]


def _visible(person: Person, as_of: datetime, asked: ReservationFilter) -> QuerySet[Reservation]:
    seen_by, priced_for = reach(person, Action.SEE_RESERVATION), reach(person, Action.SEE_PRICES)
    return filtered(standing(as_of, seen_by=seen_by, priced_for=priced_for), asked)


def _reaching(
    person: Person, as_of: datetime, asked: ReservationFilter, during: Period | None, unpaid: UnpaidEnds | None
) -> QuerySet[Reservation]:
    ends = unpaid_ends() if unpaid is None else unpaid
    return reaching(with_counted_ends(_visible(person, as_of, asked), ends), during)


def _told(rows: QuerySet[Reservation]) -> QuerySet[Reservation]:
    return with_teams(rows).annotate(extensions=F("raw__CapacityBlockExtensions"))


def _rows(found: Iterable[Reservation], lead: LeadTimes | None, zone: tzinfo | None) -> list[ReservationRow]:
    counted_in = zone or accounting_zone()
    ends = ((one, _end(one)) for one in found)
    return [
        _row(one, end, decision_date(end_at=end.end_at, kind=Kind(one.kind), lead=lead, zone=counted_in))
        for one, end in ends
    ]


def _end(one: Reservation) -> CountedEnd:
    return counted_end(
        kind=one.kind, shape=one.shape, end_at=one.end_at, told=one.usable_until, extensions=one.extensions
    )


_SAME = (
    "external_id",
    "arn",
    "provider",
    "region",
    "zone_id",
    "state_raw",
    "shape",
    "matching",
    "own_owner",
    "pool_owner",
    "available_count",
    "start_at",
    "upfront_fee_currency",
    "first_seen_at",
    "last_seen_at",
    "missing_since",
)


def _row(one: Reservation, end: CountedEnd, decision: Decision) -> ReservationRow:
    teams = (one.own_owner, one.pool_owner, *one.pool_teams)
    unsaid = one.usable_until is None and one.kind != Kind.BLOCK.value
    return ReservationRow(
        id=one.pk,
        kind=Kind(one.kind),
        state=State(one.state_now),
        owner=one.owner_now,
        pool=one.pool_name,
        pool_id=one.pool_now,
        teams=frozenset(team for team in teams if team is not None),
        gpus_each=one.gpus_per_instance if one.pool_gpus is None else one.pool_gpus,
        end_at=end.end_at,
        usable_until=None if unsaid else end.usable_until,
        unpaid_end_at=end.unpaid_end_at,
        decision=decision,
        total_count=one.count_now,
        used_count=one.used_now,
        upfront_fee=one.fee_seen,
        tags=told_tags(one.tags),
        **{name: getattr(one, name) for name in _SAME},
    )
