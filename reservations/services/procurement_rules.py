"""Versions of the procurement rule: drafted by one person, published by another, never changed afterwards."""

from collections.abc import Mapping
from datetime import date, datetime
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.db.models import Max

from reservations.domain.access import Action, may
from reservations.domain.audit_chain import AuditAct
from reservations.domain.audit_state import state_text
from reservations.domain.free_text import why_not_kept
from reservations.domain.procurement.rule import UnableToReadRule, rule_of
from reservations.models import Owner, ProcurementRule, User
from reservations.selectors.access import person_of
from reservations.services.audit import record_event

LONGEST_NOTE = 500


class UnableToChangeRule(ValueError):
    """A version may not be drafted or published so; the message is one sentence."""


@transaction.atomic
def draft_rule(
    *,
    document: Mapping[str, object],
    owner: str,
    by: int,
    at: datetime,
    note: str = "",
    version: int | None = None,
    effective_from: date | None = None,
    effective_to: date | None = None,
) -> int:
    """Keep a version as a draft, a new one without ``version``; its number. UnableToChangeRule otherwise."""
    user = _who(by, Action.DRAFT_RULE, "draft a rule")
    team = Owner.objects.filter(name=owner).first()
    if team is None:
        raise UnableToChangeRule(f"There is no team “{owner}”.")
    _check(document, owner, note, effective_from, effective_to)
    row = _draft(version)
    before = _state(row) if row.pk else None
    row.document, row.owner, row.note = dict(document), team, note.strip()
    row.effective_from, row.effective_to = effective_from, effective_to
    row.author, row.author_name, row.drafted_at = user, user.get_username(), at
    row.writers = sorted({*row.writers, user.pk})
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise UnableToChangeRule("Somebody drafted a version at the same time: look again.") from None
    record_event(
        what=AuditAct.RULE_DRAFTED,
        about="procurement_rule",
        ident=str(row.version),
        by=user,
        before=before,
        after=_state(row),
        why=row.note,
    )
    return row.version


@transaction.atomic
def publish_rule(*, version: int, by: int, at: datetime, today: date) -> bool:
    """Put a draft in force from its date on, by somebody who did not write it; False where it is published already.

    What was submitted under older versions keeps those. UnableToChangeRule otherwise.
    """
    user = _who(by, Action.PUBLISH_RULE, "publish a rule")
    row = (
        ProcurementRule.objects.select_for_update(of=("self",)).select_related("owner").filter(version=version).first()
    )
    if row is None:
        raise UnableToChangeRule(f"There is no version {version} of the rule.")
    if row.status == ProcurementRule.Status.PUBLISHED:
        return False
    if by in (row.author_id, *row.writers):
        raise UnableToChangeRule("You wrote this version: somebody else has to publish it.")
    if row.effective_from is not None and row.effective_from < today:
        raise UnableToChangeRule("A rule does not bind backwards: let it hold from today on or later.")
    if row.effective_from is None:
        row.effective_from = today
    _check(row.document, row.owner.name, row.note, row.effective_from, row.effective_to)
    row.status = ProcurementRule.Status.PUBLISHED
    row.published_by, row.published_by_name, row.published_at = user, user.get_username(), at
    row.save()
    record_event(
        what=AuditAct.RULE_PUBLISHED,
        about="procurement_rule",
        ident=str(version),
        by=user,
        before={"status": "draft"},
        after={"status": "published", "author": row.author_name, **_state(row)},
    )
    return True


def _state(row: ProcurementRule) -> dict[str, object]:
    """What a version says, as the trail tells it: the hash binds a publication to the document that was drafted."""
    return {
        "owner": row.owner.name,
        "effective_from": row.effective_from,
        "effective_to": row.effective_to,
        "document": dict(row.document),
        "document_sha256": sha256(state_text(row.document).encode()).hexdigest(),
    }


def _who(by: int, action: Action, what: str) -> User:
    user = User.objects.filter(pk=by, is_active=True).first()
    if user is None or not may(person_of(user), action):
        raise UnableToChangeRule(f"You may not {what}.")
    return user


def _draft(version: int | None) -> ProcurementRule:
    if version is None:
        newest = ProcurementRule.objects.aggregate(newest=Max("version"))["newest"] or 0
        return ProcurementRule(version=newest + 1)
    row = ProcurementRule.objects.select_for_update().filter(version=version).first()
    if row is None:
        raise UnableToChangeRule(f"There is no version {version} of the rule.")
    if row.status != ProcurementRule.Status.DRAFT:
        raise UnableToChangeRule(f"Version {version} is published and never changes: draft a new one.")
    return row


def _check(
    document: Mapping[str, object], owner: str, note: str, effective_from: date | None, effective_to: date | None
) -> None:
    try:
        rule_of(document, version=1, owner=owner)
    except UnableToReadRule as unable:
        raise UnableToChangeRule(str(unable)) from None
    if effective_to is not None and effective_from is not None and effective_to <= effective_from:
        raise UnableToChangeRule("The last day must come after the first.")
    if len(note) > LONGEST_NOTE or why_not_kept(note):
        raise UnableToChangeRule(why_not_kept(note) or f"A note has {LONGEST_NOTE} characters at most.")
