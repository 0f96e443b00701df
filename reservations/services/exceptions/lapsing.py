"""What does not hold any more: approvals past their days, their price or their decision date; nothing is approved."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction

from reservations.domain.procurement.lapse import HourPrice, price_moved, why_lapsed
from reservations.domain.procurement.request_state import RequestMove, RequestState
from reservations.models import ExceptionRequest, ExceptionVersion
from reservations.services.exceptions.acting import move_on
from reservations.services.exceptions.authority import approved_price, rule_of_version

ENDS = [RequestState.SUBMITTED.value, RequestState.RETURNED.value, RequestState.APPROVED.value]


@dataclass(frozen=True, slots=True)
class Lapsed:
    """A request that lapsed now, with why."""

    request_id: int
    why: str


def lapse_exceptions(
    *, at: datetime, today: date, prices: Mapping[int, HourPrice | None] | None = None
) -> list[Lapsed]:
    """Let requests lapse that are past their time; ``prices`` are today's per node-hour by request. Again: nothing."""
    ids = ExceptionRequest.objects.filter(state__in=ENDS).order_by("pk").values_list("pk", flat=True)
    found = [_lapse(pk, at, today, (prices or {}).get(pk)) for pk in ids]
    return [one for one in found if one is not None]


@transaction.atomic
def _lapse(request_id: int, at: datetime, today: date, price: HourPrice | None) -> Lapsed | None:
    request = ExceptionRequest.objects.select_for_update().filter(pk=request_id, state__in=ENDS).first()
    if request is None:
        return None
    version = ExceptionVersion.objects.select_related("rule__owner").get(request=request, number=request.version)
    approved = request.state == RequestState.APPROVED.value
    why = why_lapsed(
        now=at,
        today=today,
        valid=request.valid_until if approved else None,
        decide_by=request.decide_by,
        moved=price_moved(approved_price(version), price) if approved else None,
        limit=rule_of_version(version).price_move_limit_share,
    )
    if not why:
        return None
    move_on(request, RequestMove.LAPSE, at=at, by=None, told=f"It lapsed. {why}", reason=why)
    return Lapsed(request_id, why)
