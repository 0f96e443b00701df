"""Delegating one's own authority for a time, and ending that (docs/exceptions.md#delegation)."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain.access import Action, may, may_somewhere
from reservations.domain.audit_chain import AuditAct
from reservations.domain.form_key import UnableToReadKey, form_key
from reservations.domain.procurement.authority import limit_of
from reservations.domain.procurement.delegation import Delegated, why_not_delegate
from reservations.domain.procurement.exception_type import ExceptionType
from reservations.models import Delegation, User
from reservations.selectors.access import person_of
from reservations.selectors.approvers import delegations_of
from reservations.selectors.procurement import rule_in_force
from reservations.services.audit import record_event


class UnableToDelegate(ValueError):
    """It may not be delegated so; the message is one sentence."""


@transaction.atomic
def delegate_authority(
    *,
    delegate: int,
    start: datetime,
    end: datetime,
    up_to: Decimal,
    reason: str,
    by: int,
    at: datetime,
    today: date,
    types: Sequence[ExceptionType] = (),
    key: UUID | str | None = None,
) -> int:
    """Lend one's own authority to approve to somebody from ``start`` until ``end``, up to an amount; its key.

    In the currency of the rule in force; no ``types``: of every type. The same ``key`` again changes nothing.
    """
    try:
        key = form_key(key)
    except UnableToReadKey as unable:
        raise UnableToDelegate(str(unable)) from None
    known = Delegation.objects.filter(key=key, delegator_id=by).values_list("pk", flat=True).first() if key else None
    if known is not None:
        return known
    people = User.objects.select_for_update().filter(pk__in=[by, delegate], is_active=True).order_by("pk")
    found = {one.pk: one for one in people}
    if by not in found or delegate not in found:
        raise UnableToDelegate("Both need an active log-in.")
    rule = rule_in_force(today)
    if rule is None:
        raise UnableToDelegate("No procurement rule is in force, so nobody has an authority to delegate.")
    person = person_of(found[by])
    if not may_somewhere(person, Action.DELEGATE):
        raise UnableToDelegate("You may not delegate.")
    teams = {grant.team for grant in person.grants}
    own = max(limit_of(rule, person, team) for team in teams)
    asked = Delegated(by, delegate, start, end, up_to, rule.currency, tuple(types))
    others = [one.given for one in delegations_of(by)]
    why = why_not_delegate(
        asked, own_limit=own, most_days=rule.delegation_most_days, now=at, others=others, reason=reason
    )
    if why:
        raise UnableToDelegate(why)
    return _keep(asked, found, reason.strip(), at, key)


@transaction.atomic
def end_delegation(*, delegation_id: int, by: int, at: datetime) -> bool:
    """End a delegation now, by the delegator or an administrator; False where it is over already."""
    row = Delegation.objects.select_for_update().filter(pk=delegation_id).first()
    user = User.objects.filter(pk=by, is_active=True).first()
    if row is None or user is None:
        raise UnableToDelegate("There is no such delegation.")
    if by != row.delegator_id and not may(person_of(user), Action.CONFIGURE):
        raise UnableToDelegate("Only who delegated it ends it, or an administrator.")
    if row.ended_at is not None or row.period.upper is None or row.period.upper <= at:
        return False
    before = row.period.upper
    row.period = DateTimeTZRange(row.period.lower, max(at, row.period.lower))
    row.ended_at, row.ended_by_name = at, user.get_username()
    row.save()
    record_event(
        what=AuditAct.DELEGATION_ENDED,
        about="delegation",
        ident=str(row.pk),
        by=user,
        before={"until": before.isoformat()},
        after={"until": at.isoformat()},
    )
    return True


def _keep(asked: Delegated, found: dict[int, User], reason: str, at: datetime, key: UUID | str | None) -> int:
    try:
        with transaction.atomic():
            row = Delegation.objects.create(
                delegator_id=asked.delegator,
                delegate_id=asked.delegate,
                period=DateTimeTZRange(asked.start, asked.end),
                up_to=asked.up_to,
                currency=asked.currency,
                types=[kind.value for kind in asked.types],
                reason=reason,
                key=key,
                made_at=at,
            )
    except IntegrityError:
        raise UnableToDelegate("You delegate to this person at that time already: end that delegation first.") from None
    record_event(
        what=AuditAct.AUTHORITY_DELEGATED,
        about="delegation",
        ident=str(row.pk),
        by=found[asked.delegator],
        after={
            "delegator": found[asked.delegator].get_username(),
            "delegate": found[asked.delegate].get_username(),
            "from": asked.start.isoformat(),
            "until": asked.end.isoformat(),
            "up_to": str(asked.up_to),
            "currency": asked.currency,
            "types": [kind.value for kind in asked.types],
        },
        why=reason,
    )
    return row.pk
