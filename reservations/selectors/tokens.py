"""Access tokens: whose they are, and whom a secret speaks for."""

from dataclasses import dataclass
from datetime import datetime

from reservations.domain.access import Person
from reservations.domain.tokens import Scope, is_alive, is_secret, is_use_worth_noting, secret_hash
from reservations.models import AccessToken
from reservations.selectors.access import person_of
from reservations.selectors.service_tokens import program_of, service_token_of


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token as its person sees it: never the secret, which nobody has any more."""

    id: int
    name: str
    prefix: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    alive: bool


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whom a secret speaks for and what for; ``note_use``: its last use is worth writing down.

    ``user_id`` None: the token is a service's.
    """

    token_id: int
    user_id: int | None
    person: Person
    scopes: frozenset[Scope]
    note_use: bool


def tokens_of(*, user_id: int, as_of: datetime) -> list[TokenRow]:
    """A person's tokens that were not revoked, the newest first."""
    tokens = AccessToken.objects.filter(user_id=user_id, revoked_at=None).order_by("-created_at", "-pk")
    return [_row(token, as_of) for token in tokens]


def bearer_of(*, secret: str, as_of: datetime) -> Bearer | None:
    """Whom a secret speaks for; None when it is unknown, revoked or expired, or its person is no longer active."""
    if not is_secret(secret):
        return None
    token = AccessToken.objects.select_related("user").filter(secret_hash=secret_hash(secret)).first()
    if token is None:
        return _program(secret, as_of)
    if not token.user.is_active:
        return None
    if not is_alive(expires_at=token.expires_at, revoked_at=token.revoked_at, at=as_of):
        return None
    return Bearer(
        token_id=token.pk,
        user_id=token.user_id,
        person=person_of(token.user),
        scopes=frozenset(map(Scope, token.scopes)),
        note_use=is_use_worth_noting(token.last_used_at, as_of),
    )


def _program(secret: str, as_of: datetime) -> Bearer | None:
    token = service_token_of(secret=secret, as_of=as_of)
    if token is None:
        return None
    return Bearer(
        token_id=token.pk,
        user_id=None,
        person=program_of(token),
        scopes=frozenset(map(Scope, token.scopes)),
        note_use=is_use_worth_noting(token.last_used_at, as_of),
    )


def _row(token: AccessToken, as_of: datetime) -> TokenRow:
    return TokenRow(
        id=token.pk,
        name=token.name,
        prefix=token.prefix,
        scopes=tuple(scope for scope in Scope if scope in token.scopes),
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        alive=is_alive(expires_at=token.expires_at, revoked_at=None, at=as_of),
    )
