"""Tokens of programs that no person stands behind: which there are, and what a secret opens."""

from datetime import datetime

from reservations.domain.access import Grant, Person, Role
from reservations.domain.tokens import is_alive, is_secret, secret_hash
from reservations.models import ServiceToken


def service_tokens() -> list[ServiceToken]:
    """Every token that was not revoked, with its team, the newest first."""
    return list(ServiceToken.objects.select_related("owner").filter(revoked_at=None))


def service_token_of(*, secret: str, as_of: datetime) -> ServiceToken | None:
    """The token of a secret; None when it is unknown, revoked or expired."""
    if not is_secret(secret):
        return None
    found = ServiceToken.objects.select_related("owner").filter(secret_hash=secret_hash(secret)).first()
    alive = found is not None and is_alive(expires_at=found.expires_at, revoked_at=found.revoked_at, at=as_of)
    return found if alive else None


def program_of(token: ServiceToken) -> Person:
    """The program as one who asks: with one grant of its own, and never more than programs may."""
    grant = Grant(Role(token.role), None if token.whole_organisation else token.owner.name)
    return Person(f"service:{token.name}", (grant,), program=True)
