"""One request whole: its versions with their frozen evidence, steps, decisions, trail and files."""

import json
from collections.abc import Sequence
from datetime import datetime

from reservations.domain.procurement.content import content_of
from reservations.domain.procurement.request_state import RequestMove, RequestState
from reservations.domain.procurement.rule import rule_of
from reservations.models import (
    BreakGlass,
    ExceptionApproval,
    ExceptionAttachment,
    ExceptionCondition,
    ExceptionMove,
    ExceptionVersion,
)
from reservations.selectors.approvers import Lent, delegations_of, role_holders
from reservations.selectors.exception_told import (
    ApprovalTold,
    ConditionTold,
    ExceptionCase,
    FileTold,
    GlassTold,
    MoveTold,
    StepTold,
    VersionTold,
)
from reservations.selectors.exceptions import ExceptionRow


def exception_case(row: ExceptionRow) -> ExceptionCase:
    """A request that was looked up for who asks (``exception_row``), whole, in eight queries."""
    versions = list(ExceptionVersion.objects.filter(request_id=row.id).select_related("rule__owner"))
    approvals = _approvals(row.id)
    files = _files(row.id)
    told = tuple(_version(one, files.get(one.pk, ()), approvals.get(one.pk, ())) for one in versions)
    newest = versions[0]
    rule = newest.rule
    return ExceptionCase(
        row=row,
        versions=told,
        steps=_steps(row, approvals.get(newest.pk, ())),
        trail=_trail(row.id),
        conditions=_conditions(row.id),
        glass=_glass(row.id),
        rule=rule_of(rule.document, version=rule.version, owner=rule.owner.name) if rule else None,
    )


def attachment(request_id: int, attachment_id: int) -> tuple[str, str, bytes] | None:
    """(name, media type, bytes) of a file of a request; None where it has none such."""
    found = ExceptionAttachment.objects.filter(pk=attachment_id, version__request_id=request_id).first()
    return None if found is None else (found.name, found.media_type, bytes(found.content))


def acting_choices(user_id: int, *, at: datetime) -> list[Lent]:
    """Delegations that a person may use now."""
    return [one for one in delegations_of(user_id, at=at) if one.given.delegate == user_id]


def _steps(row: ExceptionRow, approvals: Sequence[ApprovalTold]) -> tuple[StepTold, ...]:
    holders = role_holders(row.team) if row.required else {}
    waiting = {step.key for step in row.waiting}
    return tuple(
        StepTold(
            step,
            tuple(one for one in approvals if one.step == step.key),
            step.key in waiting,
            tuple(holders.get(step.role, ())),
        )
        for step in row.required
    )


def _version(one: ExceptionVersion, files: Sequence[FileTold], approvals: Sequence[ApprovalTold]) -> VersionTold:
    return VersionTold(
        number=one.number,
        author=one.author_name,
        saved_at=one.saved_at,
        saves=one.saves,
        typed=one.typed,
        content=content_of(one.content) if one.content else None,
        content_hash=one.content_hash,
        evidence=json.loads(one.evidence) if one.evidence else {},
        evidence_hash=one.evidence_hash,
        submitted_at=one.submitted_at,
        files=tuple(files),
        approvals=tuple(approvals),
        rule_version=one.rule.version if one.rule else None,
    )


def _files(request_id: int) -> dict[int, list[FileTold]]:
    found: dict[int, list[FileTold]] = {}
    for row in ExceptionAttachment.objects.filter(version__request_id=request_id).defer("content"):
        told = FileTold(row.pk, row.name, row.media_type, row.size, row.sha256, row.added_by_name, row.added_at)
        found.setdefault(row.version_id, []).append(told)
    return found


def _approvals(request_id: int) -> dict[int, list[ApprovalTold]]:
    found: dict[int, list[ApprovalTold]] = {}
    for row in ExceptionApproval.objects.filter(version__request_id=request_id):
        told = ApprovalTold(
            id=row.pk,
            step=row.step,
            person=row.person_name,
            acting_for=row.acting_for_name,
            role=row.role,
            authority=row.authority,
            role_is_recent=row.role_is_recent,
            note=row.note,
            approved_at=row.approved_at,
            content_hash=row.content_hash,
            carried=row.carried_from_id is not None,
        )
        found.setdefault(row.version_id, []).append(told)
    return found


def _trail(request_id: int) -> tuple[MoveTold, ...]:
    return tuple(
        MoveTold(
            row.number,
            row.version,
            RequestMove(row.move),
            RequestState(row.state),
            row.told,
            row.reason,
            row.by_name,
            row.acting_for_name,
            row.at,
        )
        for row in ExceptionMove.objects.filter(request_id=request_id)
    )


def _conditions(request_id: int) -> tuple[ConditionTold, ...]:
    rows = ExceptionCondition.objects.filter(request_id=request_id).select_related("approval")
    return tuple(
        ConditionTold(row.pk, row.text, row.due_on, row.approval.person_name, row.met_at, row.met_by_name, row.met_note)
        for row in rows
    )


def _glass(request_id: int) -> GlassTold | None:
    row = BreakGlass.objects.filter(version__request_id=request_id).order_by("-version__number").first()
    if row is None:
        return None
    return GlassTold(
        row.reason,
        row.opened_by_name,
        row.opened_at,
        row.sign_off_due_at,
        row.signed_by_name,
        row.signed_at,
        row.verdict,
        row.note,
    )
