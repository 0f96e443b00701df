"""Requests for exceptions and the renewals they are about, each way."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from reservations.selectors.exceptions import ExceptionRow
from scheduler.domain.renewal.standing import RenewalState
from scheduler.models import Renewal


@dataclass(frozen=True, slots=True)
class RenewalAbout:
    """A renewal of the reservation that a request names, or that what it bought follows."""

    id: int
    reservation: str
    end_at: datetime
    state: RenewalState


def renewals_about(row: ExceptionRow) -> list[RenewalAbout]:
    """The renewals a request is about, by end: of the reservation it names, and of the one its purchase follows."""
    named = Q(reservation__external_id=row.reservation) if row.reservation else Q(pk__in=())
    followed = Q(followed_by_id=row.executed_with) if row.executed_with else Q(pk__in=())
    found = Renewal.objects.filter(named | followed).order_by("end_at", "pk")
    told = found.values_list("pk", "reservation__external_id", "end_at", "state")
    return [RenewalAbout(pk, name, end_at, RenewalState(state)) for pk, name, end_at, state in told]


def requests_about(rows: list[ExceptionRow], *, reservation: str, reservation_id: int) -> list[ExceptionRow]:
    """Those of some requests that name a reservation or were executed with it, in the order given."""
    return [row for row in rows if row.reservation == reservation or row.executed_with == reservation_id]
