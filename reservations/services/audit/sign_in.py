"""Log-ins, log-outs, tries that failed, and what people change of how they log in; heard from who does it for us."""

from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as second_factor
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction

from reservations.domain.audit_chain import AuditAct
from reservations.services.audit.recording import record_event

UNKNOWN = "no such log-in"


def hear_sign_ins() -> None:
    """Have every later log-in and change of a way to log in written down."""
    user_logged_in.connect(_logged_in, dispatch_uid="audit")
    user_logged_out.connect(_logged_out, dispatch_uid="audit")
    user_login_failed.connect(_failed, dispatch_uid="audit")
    for signal in (account.password_set, account.password_changed, account.password_reset):
        signal.connect(_password, dispatch_uid="audit")
    second_factor.authenticator_added.connect(_factor_added, dispatch_uid="audit")
    second_factor.authenticator_removed.connect(_factor_removed, dispatch_uid="audit")
    second_factor.authenticator_reset.connect(_factor_added, dispatch_uid="audit")


def _logged_in(user: AbstractBaseUser, **told: Any) -> None:
    _record(AuditAct.LOGGED_IN, user)


def _logged_out(user: AbstractBaseUser | None = None, **told: Any) -> None:
    if user is not None and user.pk is not None:
        _record(AuditAct.LOGGED_OUT, user)


@transaction.atomic
def _failed(credentials: dict[str, Any], **told: Any) -> None:
    """Which log-in was tried where there is one; what a stranger typed is kept nowhere: it may be a password."""
    people = get_user_model()._default_manager
    name = credentials.get("username")
    tried = people.filter(username=name).first() if isinstance(name, str) and "\x00" not in name else None
    record_event(
        what=AuditAct.LOG_IN_FAILED,
        about="user",
        ident=str(tried.pk) if tried else "",
        after={"log_in": tried.get_username() if tried else None, "known": tried is not None},
        why="" if tried else UNKNOWN,
    )


def _password(user: AbstractBaseUser, **told: Any) -> None:
    _record(AuditAct.PASSWORD_CHANGED, user)


def _factor_added(user: AbstractBaseUser, authenticator: Any, **told: Any) -> None:
    _record(AuditAct.SECOND_FACTOR_ADDED, user, after={"kind": str(authenticator.type)})


def _factor_removed(user: AbstractBaseUser, authenticator: Any, **told: Any) -> None:
    _record(AuditAct.SECOND_FACTOR_REMOVED, user, before={"kind": str(authenticator.type)})


@transaction.atomic
def _record(what: AuditAct, user: AbstractBaseUser, **told: Any) -> None:
    record_event(what=what, about="user", ident=str(user.pk), by=user, **told)
