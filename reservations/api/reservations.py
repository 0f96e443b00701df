"""``/reservations`` and ``/reservations/{id}``: what a caller may see of what we hold."""

from datetime import date, datetime
from typing import Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from reservations.api.callers import opens
from reservations.api.problems import NOT_FOUND, PROBLEMS, not_there
from reservations.api.shapes import NAME, Number, PageAsked, PageTold, page_of
from reservations.domain.access import Action, Person, may
from reservations.domain.held_now import ReservationRow
from reservations.domain.reservation_filter import MISSING, UNOWNED, ReservationFilter
from reservations.domain.reservation_state import Kind, State
from reservations.domain.tokens import Scope
from reservations.selectors.reservations import (
    UnableToFindReservation,
    reservation_named,
    reservation_rows,
    reservation_totals,
)

router = Router(tags=["reservations"])
LONGEST = 200


class ReservationsAsked(PageAsked):
    """Which reservations; each filter that is given must hold."""

    id: str = Field("", max_length=LONGEST, pattern=NAME, description="a part of the provider's id or ARN")
    owner: str = Field("", max_length=LONGEST, pattern=NAME, description=f"a team, or `{UNOWNED}`")
    state: Literal["", *(state.value for state in State), MISSING] = Field(  # type: ignore[valid-type]
        "", description=f"a state, or `{MISSING}`: no longer listed by its provider"
    )
    zone: str = Field("", max_length=LONGEST, pattern=NAME, description="a zone id", examples=["use1-az4"])
    tag: str = Field("", max_length=LONGEST, pattern=NAME, description="a key, or `key=value`", examples=["team=ml"])
    pool: str = Field("", max_length=LONGEST, pattern=NAME, description="the name of a pool")


class ReservationTold(Schema):
    """One reservation as it stands now; null is unknown, never zero."""

    id: str = Field(description="the provider's id", examples=["cr-0aaa"])
    arn: str
    provider: str = Field(examples=["aws"])
    region: str = Field(examples=["us-east-1"])
    zone_id: str = Field(examples=["use1-az4"])
    kind: Kind
    state: State
    instance_type: str = Field(examples=["p5.48xlarge"])
    owner: str | None = Field(description="who answers for it: its own owner, else its pool's")
    pool: str | None
    total_instances: int | None
    available_instances: int | None = Field(description="with nothing launched into them, where that is known")
    gpus: Number | None = Field(description="GPUs of all its instances")
    start_at: datetime | None
    end_at: datetime | None = Field(description="the end of its billed life")
    usable_until: datetime | None = Field(description="when it stops working")
    decision_on: date | None = Field(description="by when it must be decided what follows")
    first_seen_at: datetime
    last_seen_at: datetime
    missing_since: datetime | None = Field(description="since when its provider lists it no more")
    upfront_fee: Number | None = Field(description="null too where your roles do not include prices")
    upfront_fee_currency: str
    tags: dict[str, str]


class ReservationPage(PageTold):
    rows: list[ReservationTold]


@router.get(
    "/reservations",
    response={200: ReservationPage, **PROBLEMS},
    auth=opens(Scope.READ_RESERVATIONS),
    summary="The reservations you may see",
)
def reservations(request: HttpRequest, asked: Query[ReservationsAsked]) -> dict[str, Any]:
    """The next to end first. Needs the scope `read:reservations`."""
    person, as_of = request.auth.person, timezone.now()
    wanted = ReservationFilter(
        text=asked.id, owner=asked.owner, state=asked.state, zone=asked.zone, tag=asked.tag, pool=asked.pool
    )
    rows = reservation_rows(person=person, as_of=as_of, asked=wanted, offset=asked.offset, limit=asked.limit)
    total = reservation_totals(person=person, as_of=as_of, asked=wanted).count
    return page_of([_told(row, person) for row in rows], total, asked)


@router.get(
    "/reservations/{path:id}",
    response={200: ReservationTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_RESERVATIONS),
    summary="One reservation",
)
def reservation(request: HttpRequest, id: str) -> dict[str, Any]:
    """By its provider's id or its ARN. One you may not see is answered as one that does not exist.

    Needs the scope `read:reservations`.
    """
    person = request.auth.person
    if "\0" in id:
        raise not_there("There is no reservation whose id holds a null character.")
    try:
        return _told(reservation_named(name=id, person=person, as_of=timezone.now()), person)
    except UnableToFindReservation as unable:
        raise not_there(str(unable)) from unable


def _told(row: ReservationRow, person: Person) -> dict[str, Any]:
    priced = may(person, Action.SEE_PRICES, row.teams)
    same = {name: getattr(row, name) for name in ReservationTold.model_fields if hasattr(row, name)}
    return same | {
        "id": row.external_id,
        "instance_type": row.shape,
        "total_instances": row.total_count,
        "available_instances": row.available_count,
        "upfront_fee": row.upfront_fee if priced else None,
        "upfront_fee_currency": row.upfront_fee_currency if priced else "",
    }
