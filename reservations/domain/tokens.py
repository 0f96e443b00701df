"""Access tokens: a secret with which a program asks in a person's name, for some of what that person may see."""

import hashlib
import re
from datetime import datetime, timedelta
from enum import StrEnum

from reservations.domain.access import SECOND_FACTOR_ROLES, Role

LONGEST_LIFE = timedelta(days=366)
SECRET_BYTES = 32
PREFIX = "moorage_"
SHOWN = len(PREFIX) + 6
"""How much of a secret is kept to tell tokens apart: 24 of its 256 random bits."""

USE_NOTED_EVERY = timedelta(minutes=10)
"""Last use is for people who tidy up: a write for each call would cost more than the answer."""

_SHAPE = re.compile(rf"{PREFIX}[0-9a-f]{{{2 * SECRET_BYTES}}}", re.ASCII)


class Scope(StrEnum):
    """What a token may be used for; it narrows what its person may do and never widens it."""

    READ_USAGE = "read:usage"
    READ_RESERVATIONS = "read:reservations"
    READ_POOLS = "read:pools"
    READ_HEALTH = "read:health"
    ALLOCATE = "allocate"
    JOBS = "jobs"
    READ_ALERTS = "read:alerts"
    ALERTS = "alerts"
    READ_EXCEPTIONS = "read:exceptions"
    REQUEST_EXCEPTIONS = "exceptions"
    APPROVE_EXCEPTIONS = "approve:exceptions"


SCOPE_MEANINGS: dict[Scope, str] = {
    Scope.READ_USAGE: "what became of the reserved hours",
    Scope.READ_RESERVATIONS: "reservations with their sizes and dates",
    Scope.READ_POOLS: "pools and their months, with money where your roles include prices",
    Scope.READ_HEALTH: "how fresh each source is",
    Scope.ALLOCATE: "scenarios that are sent to the allocator, and its runs of your own",
    Scope.JOBS: "jobs on blocks that end: registering them, reporting on them, and the block's clock",
    Scope.READ_ALERTS: "alerts, with money where your roles include prices",
    Scope.ALERTS: "acknowledging, putting off and resolving alerts",
    Scope.READ_EXCEPTIONS: "requests for exceptions, with the procurement rule",
    Scope.REQUEST_EXCEPTIONS: "drafting and submitting requests for exceptions",
    Scope.APPROVE_EXCEPTIONS: "approving, returning and rejecting requests for exceptions, with the roles you hold",
}


SERVICE_SCOPES = (
    Scope.READ_USAGE,
    Scope.READ_RESERVATIONS,
    Scope.READ_POOLS,
    Scope.READ_HEALTH,
    Scope.JOBS,
    Scope.READ_ALERTS,
    Scope.ALERTS,
)
"""What a program of its own may be used for: nothing that is kept for a person, and nothing about approvals."""

SERVICE_ROLES = tuple(role for role in Role if role not in SECOND_FACTOR_ROLES)


def token_prefix(secret: str) -> str:
    """The beginning of a secret that is shown in lists."""
    return secret[:SHOWN]


def secret_hash(secret: str) -> str:
    """SHA-256 in hex. Nobody can try out 256 random bits, so a slow hash would only slow every call down."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_secret(text: str) -> bool:
    """Whether a text has the form of a secret: all else is unknown without asking the database."""
    return _SHAPE.fullmatch(text) is not None


def is_alive(*, expires_at: datetime, revoked_at: datetime | None, at: datetime) -> bool:
    """Whether a token opens anything at an instant."""
    return at < expires_at and (revoked_at is None or at < revoked_at)


def is_use_worth_noting(last_used_at: datetime | None, at: datetime) -> bool:
    """Whether the last use that was noted is long enough ago."""
    return last_used_at is None or at - last_used_at >= USE_NOTED_EVERY
