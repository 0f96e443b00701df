"""All there is to one reservation, besides the row itself: sizes, pools it backed, what it saw, what people did."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, F, OuterRef, TextField, Value
from django.db.models.functions import Cast, JSONObject

from reservations.domain.held import SizeSpan
from reservations.domain.row_history import Saved
from reservations.models import (
    PoolMembership,
    PriceQuote,
    Queue,
    Reservation,
    ReservationNote,
    ReservationObservation,
    ReservationSize,
)

#: What people set of a reservation, by the names of the form: where each stands in what is saved.
SET_BY_PEOPLE = {
    "owner": "owner__name",
    "instance_type": "shape",
    "gpus_per_instance": "gpus_per_instance",
    "zone": "zone_id",
    "start": "start_at",
    "end": "end_at",
    "usable_until": "usable_until",
    "upfront_fee": "upfront_fee",
    "currency": "upfront_fee_currency",
    "state": "state",
    "sizes": "entered_sizes",
}
_QUOTED = {
    "start": F("period__startswith"),
    "end": F("period__endswith"),
    "reserved": Cast("reserved", TextField()),
    "on_demand": Cast("on_demand", TextField()),
    "currency": F("currency"),
    "unit": F("unit"),
}
_AS_TEXT = {"gpus_per_instance", "upfront_fee"}


@dataclass(frozen=True, slots=True)
class DatedSize:
    """One size and whose word its beginning rests on."""

    span: SizeSpan
    dated_by: str


@dataclass(frozen=True, slots=True)
class BackedPool:
    """One pool it backed in ``[start, end)``; ``teams`` may see the pool."""

    pool_id: int
    pool: str
    gpus_per_node: Decimal
    teams: frozenset[str]
    start: datetime | None
    end: datetime | None


@dataclass(frozen=True, slots=True)
class Event:
    """Something people did: ``what`` is ``reservation``, ``pool``, ``note`` or ``price``, ``saved`` as it was then."""

    what: str
    saved: Saved


@dataclass(frozen=True, slots=True)
class Observed:
    """What one sweep saw."""

    at: datetime
    present: bool
    state: str
    total: int | None
    available: int | None


def dated_sizes(*, pk: int) -> list[DatedSize]:
    """Its sizes in time order."""
    return [
        DatedSize(SizeSpan(row.period.lower, row.period.upper, row.instances, row.usable), row.dated_by)
        for row in ReservationSize.objects.filter(reservation_id=pk).order_by("period")
    ]


def backed_pools(*, pk: int) -> list[BackedPool]:
    """Which pool it backed when, in time order."""
    queues = ArraySubquery(Queue.objects.filter(pool_id=OuterRef("pool_id")).values("owner__name"))
    rows = PoolMembership.objects.filter(reservation_id=pk).select_related("pool__owner").annotate(queue_owners=queues)
    return [
        BackedPool(
            pool_id=row.pool_id,
            pool=row.pool.name,
            gpus_per_node=row.pool.gpus_per_node,
            teams=frozenset({row.pool.owner.name, *row.queue_owners}),
            start=row.period.lower,
            end=row.period.upper,
        )
        for row in rows.order_by("period")
    ]


def what_people_did(*, pk: int, pool_id: int | None = None) -> list[Event]:
    """Every save by a person or a pool's rule, every note, and every price of a pool, in time order and one query.

    ``pool_id`` None: of no pool.
    """
    fields = {name: Cast(place, TextField()) if name in _AS_TEXT else F(place) for name, place in SET_BY_PEOPLE.items()}
    columns = ("what", "at", "who", "how", "reason", "said")
    saved = {"at": F("history_date"), "who": F("history_user__username"), "how": F("history_type")}
    reason = {"reason": F("history_change_reason")}
    rows = Reservation.history.filter(id=pk).annotate(
        what=Value("reservation", CharField()), **saved, **reason, said=JSONObject(**fields)
    )
    backed = JSONObject(pool="pool__name", start="period__startswith", end="period__endswith")
    pools = PoolMembership.history.filter(reservation_id=pk).annotate(
        what=Value("pool", CharField()), **saved, **reason, said=backed
    )
    notes = ReservationNote.objects.filter(reservation_id=pk).annotate(
        what=Value("note", CharField()),
        at=F("written_at"),
        who=F("written_by__username"),
        how=Value("+", CharField()),
        reason=Value("", CharField()),
        said=JSONObject(text="text"),
    )
    quotes = PriceQuote.history.filter(subject__pool_id__in=[] if pool_id is None else [pool_id]).annotate(
        what=Value("price", CharField()), **saved, **reason, said=JSONObject(**_QUOTED)
    )
    parts = [part.order_by().values_list(*columns) for part in (pools, notes, quotes)]
    every = rows.order_by().values_list(*columns).union(*parts, all=True)
    return [
        Event(what, Saved(at, who, how, _mapping(said), reason or ""))
        for what, at, who, how, reason, said in every.order_by("at", "what", "how")
    ]


def observations(*, pk: int, before: datetime | None, limit: int) -> list[Observed]:
    """The newest observations before an instant, newest first."""
    rows = ReservationObservation.objects.filter(reservation_id=pk)
    if before is not None:
        rows = rows.filter(observed_at__lt=before)
    told = rows.order_by("-observed_at").values_list(
        "observed_at", "present", "state_raw", "total_count", "available_count"
    )
    return [Observed(*one) for one in told[:limit]]


def raw_fields(*, pk: int) -> dict[str, object]:
    """The provider's own fields as last seen."""
    raw = Reservation.objects.values_list("raw", flat=True).get(pk=pk)
    return dict(raw) if isinstance(raw, Mapping) else {}


def _mapping(said: object) -> Mapping[str, object]:
    return said if isinstance(said, Mapping) else {}


def sizes_of(*, ids: Collection[int]) -> dict[int, list[SizeSpan]]:
    """The sizes of several reservations in time order, in one query."""
    found: defaultdict[int, list[SizeSpan]] = defaultdict(list)
    for row in ReservationSize.objects.filter(reservation_id__in=ids).order_by("period"):
        found[row.reservation_id].append(SizeSpan(row.period.lower, row.period.upper, row.instances, row.usable))
    return found
