"""The audit trail: what people and configuration did, written in the transaction that does it (docs/audit.md)."""

from reservations.domain.audit_chain import AuditAct, Via
from reservations.services.audit.changes import record_changes
from reservations.services.audit.origin import Origin, coming_from, origin, speak_for
from reservations.services.audit.recording import UnableToRecordEvent, record_event
from reservations.services.audit.row_state import changed_state, differing, row_state, stated

__all__ = [
    "AuditAct",
    "Origin",
    "UnableToRecordEvent",
    "Via",
    "changed_state",
    "coming_from",
    "differing",
    "origin",
    "record_changes",
    "record_event",
    "row_state",
    "speak_for",
    "stated",
]
