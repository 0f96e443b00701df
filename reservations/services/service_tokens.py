"""Making and revoking the tokens of programs that no person stands behind."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest

from reservations.domain.access import Role
from reservations.domain.tokens import (
    LONGEST_LIFE,
    PREFIX,
    SECRET_BYTES,
    SERVICE_ROLES,
    SERVICE_SCOPES,
    USE_NOTED_EVERY,
    Scope,
    secret_hash,
    token_prefix,
)
from reservations.models import Owner, ServiceToken
from reservations.services.audit import AuditAct, record_event
from reservations.services.tokens import UnableToMakeToken


@transaction.atomic
def make_service_token(
    *,
    name: str,
    owner: str,
    role: Role,
    whole_organisation: bool,
    scopes: Collection[Scope],
    life: timedelta,
    made_by: str,
    at: datetime,
) -> str:
    """The secret of a new token, to be shown once; UnableToMakeToken for what no program may be let to do."""
    if not timedelta(0) < life <= LONGEST_LIFE:
        raise UnableToMakeToken(f"a token lives {LONGEST_LIFE.days} days at most")
    if role not in SERVICE_ROLES or not scopes or not set(scopes) <= set(SERVICE_SCOPES):
        raise UnableToMakeToken("a program never approves, configures or owns anything: choose another role or scope")
    team = Owner.objects.filter(name=owner).first()
    if team is None:
        raise UnableToMakeToken(f"there is no team {owner}")
    secret = PREFIX + secrets.token_hex(SECRET_BYTES)
    made = ServiceToken.objects.create(
        name=name,
        owner=team,
        role=role,
        whole_organisation=whole_organisation,
        prefix=token_prefix(secret),
        secret_hash=secret_hash(secret),
        scopes=[scope.value for scope in SERVICE_SCOPES if scope in scopes],
        made_by=made_by,
        created_at=at,
        expires_at=at + life,
    )
    record_event(what=AuditAct.TOKEN_MADE, about="service_token", ident=str(made.pk), by=made_by, after=_told(made))
    return secret


@transaction.atomic
def revoke_service_token(*, token_id: int, by: str, at: datetime) -> bool:
    """Whether such a token stood there to be revoked from now on."""
    found = ServiceToken.objects.select_for_update().filter(pk=token_id, revoked_at=None).first()
    if found is None:
        return False
    ServiceToken.objects.filter(pk=token_id).update(revoked_at=Greatest(F("created_at"), at))
    record_event(what=AuditAct.TOKEN_REVOKED, about="service_token", ident=str(token_id), by=by, before=_told(found))
    return True


def note_service_token_use(*, token_id: int, at: datetime) -> None:
    """Write down that a token was used, unless somebody did so a moment ago."""
    stale = Q(last_used_at=None) | Q(last_used_at__lte=at - USE_NOTED_EVERY)
    ServiceToken.objects.filter(stale, pk=token_id).update(last_used_at=at)


def _told(token: ServiceToken) -> dict[str, object]:
    told = ("name", "owner_id", "role", "whole_organisation", "prefix", "scopes", "created_at", "expires_at")
    return {name: getattr(token, name) for name in told}
