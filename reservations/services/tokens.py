"""Making and revoking access tokens; a secret leaves here once and is not kept."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest

from reservations.domain.tokens import (
    LONGEST_LIFE,
    PREFIX,
    SECRET_BYTES,
    USE_NOTED_EVERY,
    Scope,
    secret_hash,
    token_prefix,
)
from reservations.models import AccessToken, User
from reservations.services.audit import AuditAct, record_event

MOST_TOKENS = 50
"""So many may stand in one person's name at a time: whoever has more has lost count of them."""


class UnableToMakeToken(ValueError):
    """A token may not be made this way; the message is one sentence."""


@transaction.atomic
def make_token(*, user_id: int, name: str, scopes: Collection[Scope], life: timedelta, at: datetime) -> str:
    """The secret of a new token, to be shown once; UnableToMakeToken for a life or a number that is too large."""
    if not timedelta(0) < life <= LONGEST_LIFE:
        raise UnableToMakeToken(f"a token lives {LONGEST_LIFE.days} days at most")
    User.objects.select_for_update().filter(pk=user_id).values_list("pk").first()
    if AccessToken.objects.filter(user_id=user_id, revoked_at=None, expires_at__gt=at).count() >= MOST_TOKENS:
        raise UnableToMakeToken(f"you have {MOST_TOKENS} tokens already: revoke one that is no longer used")
    secret = PREFIX + secrets.token_hex(SECRET_BYTES)
    made = AccessToken.objects.create(
        user_id=user_id,
        name=name,
        prefix=token_prefix(secret),
        secret_hash=secret_hash(secret),
        scopes=[scope.value for scope in Scope if scope in scopes],
        created_at=at,
        expires_at=at + life,
    )
    record_event(what=AuditAct.TOKEN_MADE, about="access_token", ident=str(made.pk), after=_told(made))
    return secret


@transaction.atomic
def revoke_token(*, token_id: int, user_id: int | None, at: datetime) -> bool:
    """Whether a token of this person (None: of anybody, for an administrator) stood there to be revoked from now on."""
    tokens = AccessToken.objects.filter(pk=token_id, revoked_at=None)
    if user_id is not None:
        tokens = tokens.filter(user_id=user_id)
    found = tokens.select_for_update().first()
    if found is None:
        return False
    tokens.update(revoked_at=Greatest(F("created_at"), at))
    record_event(what=AuditAct.TOKEN_REVOKED, about="access_token", ident=str(token_id), before=_told(found))
    return True


def note_token_use(*, token_id: int, at: datetime) -> None:
    """Write down that a token was used, unless somebody did so a moment ago."""
    stale = Q(last_used_at=None) | Q(last_used_at__lte=at - USE_NOTED_EVERY)
    AccessToken.objects.filter(stale, pk=token_id).update(last_used_at=at)


def _told(token: AccessToken) -> dict[str, object]:
    told = ("name", "prefix", "scopes", "created_at", "expires_at", "user_id")
    return {name: getattr(token, name) for name in told}
