"""Asking for hours once more, and taking that back: what a worker does about it stands beside, in recollecting."""

import hashlib
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain import notation
from reservations.domain.period import HOUR_MS, Period
from reservations.services.audit import AuditAct, record_event
from telemetry.domain.recollection import LIVE, RecollectionState, UnableToRecollect, may_become, recollected_period
from telemetry.models import Recollection


def request_recollection(
    *,
    pool_id: int,
    start: datetime,
    end: datetime,
    force: bool,
    key: str,
    asked_by_id: int,
    asked_by_name: str,
    as_of: datetime,
) -> int:
    """Put a range of one pool's hours in the queue and give the request's id; the same click twice is one request.

    ``key`` is one form's own: the same key, pool and range are the same click. UnableToRecollect when the range is
    no good, or when a request for some of its hours is under way already.
    """
    period = recollected_period(start, end, as_of=as_of)
    click = f"{key} {asked_by_id} {pool_id} {period.start_ms} {period.end_ms} {force}"
    asked_key = hashlib.sha256(click.encode()).hexdigest()[:40]
    try:
        with transaction.atomic():
            made, new = Recollection.objects.get_or_create(
                asked_key=asked_key,
                defaults={
                    "pool_id": pool_id,
                    "period": DateTimeTZRange(period.start, period.end),
                    "force": force,
                    "asked_by_id": asked_by_id,
                    "asked_by_name": asked_by_name,
                    "asked_at": as_of,
                    "total_hours": period.length_ms // HOUR_MS,
                },
            )
            if new:
                told = {"pool_id": pool_id, "from": period.start, "to": period.end, "force": force}
                _record(made.pk, asked_by_name, after=told)
    except IntegrityError as error:
        raise UnableToRecollect(_under_way(pool_id, period)) from error
    return int(made.pk)


@transaction.atomic
def cancel_recollection(*, recollection_id: int, cancelled_by_name: str, as_of: datetime) -> bool:
    """Take a request back, and say whether there was still something to take back; hours already stored stay."""
    moved = Recollection.objects.filter(pk=recollection_id, state__in=may_become(RecollectionState.CANCELLED)).update(
        state=RecollectionState.CANCELLED,
        finished_at=as_of,
        cancelled_by_name=cancelled_by_name,
        message=f"{cancelled_by_name} took it back; the hours that were done by then stay as they became.",
    )
    if moved:
        _record(recollection_id, cancelled_by_name, after={"state": RecollectionState.CANCELLED})
    return bool(moved)


def _record(recollection_id: int, by: str, *, after: dict[str, object]) -> None:
    record_event(what=AuditAct.MEASURED_AGAIN, about="recollection", ident=str(recollection_id), by=by, after=after)


def _under_way(pool_id: int, period: Period) -> str:
    other = (
        Recollection.objects.filter(
            pool_id=pool_id, state__in=LIVE, period__overlap=DateTimeTZRange(period.start, period.end)
        )
        .order_by("period")
        .first()
    )
    if other is None:  # it ended in this very moment
        return "Some of these hours were just being collected again: ask once more."
    since, until = notation.instant(other.period.lower), notation.instant(other.period.upper)
    return (
        f"{other.asked_by_name} asked for the hours from {since} to {until} already, and that is {other.state}:"
        " wait for it, or take it back first."
    )
