"""Reservations as they stand at an instant, as one query: pool, owner and state now, filtered and ordered."""

from collections.abc import Mapping
from datetime import datetime

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Case,
    CharField,
    DateTimeField,
    Exists,
    F,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from reservations.domain.period import Period
from reservations.domain.renewal import LeadTimes
from reservations.domain.reservation_filter import HELD_FIRST, MISSING, UNOWNED, ReservationFilter
from reservations.domain.reservation_state import Kind, State
from reservations.domain.usable_end import CountedEnd, counted_end
from reservations.models import Queue, Reservation, ReservationSize

TO_COME = Q(state__in=(State.REQUESTED.value, State.SCHEDULED.value))
OVER = Q(state_now__in=(State.ENDED.value, State.FAILED.value)) | Q(missing_since__isnull=False)
BY_HAND = Q(kind=Kind.MANUAL.value, state=State.ACTIVE.value)

UnpaidEnds = Mapping[int, CountedEnd]

#: What nobody reads in a list: it would only be carried.
NOT_READ = ("raw", "usage_by_account", "seen_by", "first_listed_by", "entered_sizes")


def standing(
    as_of: datetime, *, seen_by: frozenset[str] | None, priced_for: frozenset[str] | None
) -> QuerySet[Reservation]:
    """The reservations of some teams with pool, owner and state now; None: all of them.

    Of a team: by their own owner, their pool's owner or its queues' owners. ``fee_seen`` is known to some only.
    """
    # At most one membership holds at an instant, so that the join keeps one row a reservation.
    now = FilteredRelation("memberships", condition=Q(memberships__period__contains=as_of))
    rows = Reservation.objects.defer(*NOT_READ).annotate(
        now=now,
        pool_now=F("now__pool_id"),
        pool_name=F("now__pool__name"),
        pool_owner=F("now__pool__owner__name"),
        pool_gpus=F("now__pool__gpus_per_node"),
        own_owner=F("owner__name"),
        owner_now=Coalesce(F("owner__name"), F("now__pool__owner__name")),
        state_now=_state(as_of),
        count_now=_count(as_of),
        used_now=Case(When(~TO_COME, then=F("total_count") - F("available_count"))),
    )
    rows = rows.annotate(gpus_now=F("count_now") * Coalesce(F("pool_gpus"), F("gpus_per_instance")))
    if seen_by is not None:
        rows = rows.filter(_of_teams(seen_by))
    fee = F("upfront_fee")
    return rows.annotate(fee_seen=fee if priced_for is None else Case(When(_of_teams(priced_for), then=fee)))


def _count(as_of: datetime) -> Case:
    """What it holds, or is planned to before its start; people may enter a resize that lies ahead."""
    sizes = ReservationSize.objects.filter(reservation=OuterRef("pk"), period__contains=as_of)
    by_hand = Coalesce(Subquery(sizes.values("instances")[:1]), F("total_count"))
    planned = When(TO_COME, then=Coalesce(F("planned_count"), F("total_count")))
    return Case(When(BY_HAND, then=by_hand), planned, default=F("total_count"))


def _of_teams(teams: frozenset[str]) -> Q:
    queues = Queue.objects.filter(pool_id=OuterRef("pool_now"), owner__name__in=teams)
    return Q(own_owner__in=teams) | Q(pool_owner__in=teams) | Q(Exists(queues))


def with_teams(rows: QuerySet[Reservation]) -> QuerySet[Reservation]:
    """The same with ``pool_teams``: the owners of the pool's queues."""
    return rows.annotate(
        pool_teams=ArraySubquery(Queue.objects.filter(pool_id=OuterRef("pool_now")).values("owner__name"))
    )


def unpaid_ends() -> UnpaidEnds:
    """By id the end that counts of each whose listed end is not paid; in one query, over the few with extensions."""
    extended = Reservation.objects.filter(raw__has_key="CapacityBlockExtensions", end_at__isnull=False)
    told = extended.values_list("pk", "kind", "shape", "end_at", "usable_until", "raw__CapacityBlockExtensions")
    ends = {
        pk: counted_end(kind=kind, shape=shape, end_at=end_at, told=until, extensions=extensions)
        for pk, kind, shape, end_at, until, extensions in told
    }
    return {pk: end for pk, end in ends.items() if end.unpaid_end_at is not None}


def with_counted_ends(rows: QuerySet[Reservation], unpaid: UnpaidEnds) -> QuerySet[Reservation]:
    """The same with ``end_counted`` and ``usable_counted``: without extensions that are not paid."""
    ends = [When(pk=pk, then=Value(end.end_at)) for pk, end in unpaid.items()]
    usable = [When(pk=pk, usable_until__isnull=False, then=Value(end.usable_until)) for pk, end in unpaid.items()]
    return rows.annotate(
        end_counted=Case(*ends, default=F("end_at"), output_field=DateTimeField()),
        usable_counted=Case(*usable, default=F("usable_until"), output_field=DateTimeField()),
    )


def reaching(rows: QuerySet[Reservation], during: Period | None) -> QuerySet[Reservation]:
    """Those whose term, to the end that counts, reaches into a period; what has vanished goes no further than that."""
    if during is None:
        return rows
    begun = Q(start_at__isnull=True) | Q(start_at__lt=during.end)
    goes_on = Q(end_counted__isnull=True) | Q(end_counted__gt=during.start)
    return rows.filter(begun, goes_on, Q(missing_since__isnull=True) | Q(missing_since__gt=during.start))


def filtered(rows: QuerySet[Reservation], asked: ReservationFilter) -> QuerySet[Reservation]:
    """Those that are as asked."""
    if asked.text:
        # Every ARN holds the word “reservation”, so a text is looked for in ARNs only if it looks like a part of one.
        named = Q(external_id__icontains=asked.text)
        rows = rows.filter(named | Q(arn__icontains=asked.text) if {":", "/"} & set(asked.text) else named)
    if asked.owner:
        theirs = Q(owner_now=asked.owner)
        rows = rows.filter(theirs | Q(owner_now__isnull=True) if asked.owner == UNOWNED else theirs)
    if asked.state:
        listed = Q(missing_since__isnull=False) if asked.state == MISSING else _listed(asked.state)
        rows = rows.filter(listed)
    if asked.tag:
        key, equals, value = asked.tag.partition("=")
        rows = rows.filter(tags__contains={key: value}) if equals else rows.filter(tags__has_key=key)
    exact = {"zone_id": asked.zone, "kind": asked.kind, "pool_name": asked.pool}
    return rows.filter(**{field: value for field, value in exact.items() if value})


def ordered(rows: QuerySet[Reservation], order: str, lead: LeadTimes | None) -> QuerySet[Reservation]:
    """By one of ``ORDERS``, turned round with a minus before it; what is unknown always comes last."""
    name = order.removeprefix("-")
    if name == HELD_FIRST:
        over = Case(When(OVER, then=Value(1)), default=Value(0))
        return rows.order_by(over, F("end_counted").asc(nulls_last=True), "external_id", "pk")
    by = _decision(lead) if name == "decision" else F(_ORDERED_BY[name])
    first = by.desc(nulls_last=True) if order.startswith("-") else by.asc(nulls_last=True)
    then = ("start_at",) if name == "pool" else ()
    return rows.order_by(first, *then, "external_id", "pk")


_ORDERED_BY = {
    "id": "external_id",
    "owner": "owner_now",
    "pool": "pool_name",
    "state": "state_now",
    "kind": "kind",
    "shape": "shape",
    "gpus": "gpus_now",
    "used": "used_now",
    "zone": "zone_id",
    "start": "start_at",
    "end": "end_counted",
    "usable": "usable_counted",
    "fee": "fee_seen",
}


def _decision(lead: LeadTimes | None) -> F | Case:
    if lead is None:
        return F("end_counted")
    block = When(kind=Kind.BLOCK.value, then=F("end_counted") - Value(lead.of(Kind.BLOCK)))
    return Case(block, default=F("end_counted") - Value(lead.of(Kind.ON_DEMAND)))


def _listed(state: str) -> Q:
    """A state that a list shows; of what is no longer listed only its end is known."""
    over = (State.ENDED.value, State.FAILED.value)
    return Q(state_now=state) if state in over else Q(state_now=state, missing_since__isnull=True)


def _state(as_of: datetime) -> Case:
    """One entered by hand is as its dates say; of the others the provider says it."""
    return Case(
        When(BY_HAND & Q(end_at__lte=as_of), then=Value(State.ENDED.value)),
        When(BY_HAND & Q(start_at__gt=as_of), then=Value(State.SCHEDULED.value)),
        default=F("state"),
        output_field=CharField(),
    )
