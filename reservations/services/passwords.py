"""Passwords of log-ins that were made by a file, which never holds one."""

from collections.abc import Mapping

from django.db import transaction

from reservations.models import User
from reservations.services.audit import AuditAct, record_event


@transaction.atomic
def give_passwords(*, passwords: Mapping[str, str]) -> list[str]:
    """Give each of these log-ins its password unless it has one of its own; the names of those that got one."""
    given = []
    for user in User.objects.filter(username__in=passwords).order_by("username"):
        if user.has_usable_password():
            continue
        user.set_password(passwords[user.username])
        user.save(update_fields=["password"])
        given.append(user.username)
        record_event(what=AuditAct.PASSWORD_CHANGED, about="user", ident=str(user.pk), why="the first one was given")
    return given
