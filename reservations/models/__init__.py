from reservations.models.approvals import (
    BreakGlass,
    Delegation,
    ExceptionApproval,
    ExceptionCondition,
    ExceptionPart,
)
from reservations.models.audit import AuditEvent, AuditHead
from reservations.models.commitments import Commitment, CommitmentFetch, CommitmentReport
from reservations.models.exceptions import ExceptionAttachment, ExceptionMove, ExceptionRequest, ExceptionVersion
from reservations.models.exchange import ExchangeRate
from reservations.models.instances import InstanceSpan
from reservations.models.inventory import (
    PoolMembership,
    Reservation,
    ReservationNote,
    ReservationObservation,
    ReservationSize,
    SyncRun,
)
from reservations.models.money import PriceQuote, PriceSubject, PriceUnit, ProcurementRule
from reservations.models.people import Organisation, Owner, RoleGrant, User
from reservations.models.pools import Account, Pool, PoolReservationRule, Queue, Workload
from reservations.models.saved_views import SavedView
from reservations.models.service_tokens import ServiceToken
from reservations.models.shortage import LaunchReport, ShortageRecord
from reservations.models.tokens import AccessToken

__all__ = [
    "AccessToken",
    "Account",
    "AuditEvent",
    "AuditHead",
    "BreakGlass",
    "Commitment",
    "CommitmentFetch",
    "CommitmentReport",
    "Delegation",
    "ExceptionApproval",
    "ExceptionAttachment",
    "ExceptionCondition",
    "ExceptionMove",
    "ExceptionPart",
    "ExceptionRequest",
    "ExceptionVersion",
    "ExchangeRate",
    "InstanceSpan",
    "LaunchReport",
    "Organisation",
    "Owner",
    "Pool",
    "PoolMembership",
    "PoolReservationRule",
    "PriceQuote",
    "PriceSubject",
    "PriceUnit",
    "ProcurementRule",
    "Queue",
    "Reservation",
    "ReservationNote",
    "ReservationObservation",
    "ReservationSize",
    "RoleGrant",
    "SavedView",
    "ServiceToken",
    "ShortageRecord",
    "SyncRun",
    "User",
    "Workload",
]
