"""Tries that were refused: nothing of them is done, and the trail tells who tried what of which request."""

from django.db import transaction

from reservations.services.audit import AuditAct, record_event
from reservations.services.audit.origin import By


@transaction.atomic
def record_refusal(*, request_id: int, tried: str, why: str, by: By = None, acting_for: int | None = None) -> None:
    """Write a refused try down, in a transaction of its own: that of the try is undone."""
    record_event(
        what=AuditAct.EXCEPTION_REFUSED,
        about="exception_request",
        ident=str(request_id),
        by=by,
        after={"tried": tried, "acting_for_id": acting_for},
        why=why,
    )
