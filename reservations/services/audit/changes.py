"""What a file or a form wrote, object by object, as events."""

from collections.abc import Iterable

from reservations.domain.audit_chain import AuditAct
from reservations.domain.change import Change, Outcome
from reservations.services.audit.origin import By
from reservations.services.audit.recording import record_event
from reservations.services.audit.row_state import stated

ACTS = {
    "grant": AuditAct.ROLE_GRANTED,
    "person": AuditAct.USER_MADE,
    "price": AuditAct.PRICE_CHANGED,
    "exchange rate": AuditAct.PRICE_CHANGED,
    "shortage": AuditAct.PRICE_CHANGED,
    "commitment": AuditAct.PRICE_CHANGED,
    "growth": AuditAct.PRICE_CHANGED,
    "purchase": AuditAct.PRICE_CHANGED,
}
"""The acts of kinds of objects; every other kind is configuration."""


def record_changes(*, changes: Iterable[Change], by: By = None, why: str = "", via: str = "") -> int:
    """One event for every object that was written, and how many there were; in the transaction that wrote them."""
    written = [change for change in changes if change.outcome is not Outcome.UNCHANGED]
    for change in written:
        told = {"outcome": change.outcome.value} | ({"fields": change.fields} if change.fields else {})
        record_event(
            what=ACTS.get(change.kind, AuditAct.CONFIGURATION_CHANGED),
            about=change.kind,
            ident=change.name,
            by=by,
            before=stated(change.before, of=change.kind),
            after=told | (stated(change.after, of=change.kind) or {}),
            why=why,
            via=via,
        )
    return len(written)
