"""From when until when approvals held, and since when the inventory has had reservations."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from reservations.domain.procurement.matching import DAYS_OFF
from reservations.domain.procurement.request_state import RequestMove, RequestState
from reservations.models import BreakGlass, ExceptionMove, Reservation
from reservations.selectors.exceptions import ExceptionRow

ENDS = (RequestMove.LAPSE, RequestMove.EXECUTE)


@dataclass(frozen=True, slots=True)
class ApprovalSpan:
    """An approval holds for what is bought from ``since`` until ``until``; None: that end is not known."""

    since: datetime
    until: datetime | None


def approval_spans(rows: Collection[ExceptionRow]) -> dict[int, ApprovalSpan]:
    """When the approvals of requests held, by request; whose second sign-off was refused has none: nobody approved."""
    ids = [row.id for row in rows]
    refused = set(
        BreakGlass.objects.filter(version__request_id__in=ids, verdict=BreakGlass.Verdict.REFUSED.value).values_list(
            "version__request_id", "version__number"
        )
    )
    moves = ExceptionMove.objects.filter(request_id__in=ids, move__in=[move.value for move in ENDS])
    ended = {(pk, move): at for pk, move, at in moves.order_by("number").values_list("request_id", "move", "at")}
    found = {}
    for row in rows:
        if row.approved_at is None or (row.id, row.version) in refused:
            continue
        found[row.id] = ApprovalSpan(row.approved_at, _until(row, ended))
    return found


def _until(row: ExceptionRow, ended: Mapping[tuple[int, str], datetime]) -> datetime | None:
    """Of what was said to be bought that saying ends it: what the inventory had then was looked at then."""
    if row.state is RequestState.EXECUTED:
        said = ended.get((row.id, RequestMove.EXECUTE.value))
        return None if row.executed_with or said is None else said + DAYS_OFF
    lapsed = ended.get((row.id, RequestMove.LAPSE.value)) if row.state is RequestState.LAPSED else None
    return min((at for at in (row.valid_until, lapsed) if at), default=None)


def first_seen_at(reservation_ids: Collection[int]) -> dict[int, datetime]:
    """When each of these reservations was first seen in the inventory."""
    return dict(Reservation.objects.filter(pk__in=reservation_ids).values_list("pk", "first_seen_at"))
