"""The audit trail: what people and configuration did, written in the transaction that does it (docs/audit.md)."""

from reservations.domain.audit_chain import AuditAct, Via
from reservations.services.audit.origin import Origin, coming_from, origin
from reservations.services.audit.recording import UnableToRecordEvent, record_event

__all__ = ["AuditAct", "Origin", "UnableToRecordEvent", "Via", "coming_from", "origin", "record_event"]
