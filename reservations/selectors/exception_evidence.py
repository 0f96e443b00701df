"""What an auditor is given of one request for an exception: what was asked, who approved, by which authority."""

import re
from typing import Any

from django.db.models import Model

from reservations.models import (
    BreakGlass,
    Delegation,
    ExceptionApproval,
    ExceptionAttachment,
    ExceptionCondition,
    ExceptionMove,
    ExceptionPart,
    ExceptionRequest,
    ExceptionVersion,
    ProcurementRule,
)

UNSAFE = re.compile(r"[^\w.-]+", re.ASCII)
FILES = frozenset({"content", "evidence"})
"""Fields of a version that are files of their own, byte by byte as they were hashed."""


def exception_evidence(ident: str) -> list[tuple[str, str, object]]:
    """The documents of a request by its number; none where there is no such request."""
    request = ExceptionRequest.objects.filter(pk=int(ident)).first() if ident.isascii() and ident.isdigit() else None
    if request is None:
        return []
    versions = list(ExceptionVersion.objects.filter(request=request).order_by("number"))
    approvals = list(ExceptionApproval.objects.filter(version__request=request).order_by("approved_at", "pk"))
    moves = [_told(one) for one in ExceptionMove.objects.filter(request=request).order_by("number")]
    parts = _approvals(request, approvals)
    rules = _authority(versions, approvals)
    return [
        ("transaction.json", "the request and every version of it", _transaction(request, versions)),
        ("approvals.json", "approvals, their conditions, who took which part, emergencies", parts),
        ("authority.json", "the rules it was judged by, and the steps each version needed", rules),
        ("delegation.json", "the delegations that were used", _delegations(approvals)),
        ("moves.json", "every move of the request, in order", moves),
        *_frozen(versions),
        *_attachments(request),
    ]


def _transaction(request: ExceptionRequest, versions: list[ExceptionVersion]) -> dict[str, object]:
    return {"request": _told(request), "versions": [_told(one, but=FILES) for one in versions]}


def _approvals(request: ExceptionRequest, approvals: list[ExceptionApproval]) -> dict[str, object]:
    of = {"version__request": request}
    return {
        "approvals": [_told(one) for one in approvals],
        "conditions": [_told(one) for one in ExceptionCondition.objects.filter(request=request).order_by("pk")],
        "parts": [_told(one) for one in ExceptionPart.objects.filter(**of).order_by("pk")],
        "emergencies": [_told(one) for one in BreakGlass.objects.filter(**of).order_by("pk")],
    }


def _authority(versions: list[ExceptionVersion], approvals: list[ExceptionApproval]) -> dict[str, object]:
    rules = ProcurementRule.objects.filter(pk__in=[one.rule_id for one in versions]).order_by("version")
    return {
        "rules": [_told(one) for one in rules],
        "required": [{"version": one.number, "rule_id": one.rule_id, "steps": one.required} for one in versions],
        "used": [{"approval": one.pk, "role": one.role, "authority": one.authority} for one in approvals],
    }


def _delegations(approvals: list[ExceptionApproval]) -> list[dict[str, object]]:
    used = Delegation.objects.filter(pk__in=[one.delegation_id for one in approvals]).order_by("pk")
    return [_told(one, but=frozenset({"period"})) | {"from": one.period.lower, "to": one.period.upper} for one in used]


def _frozen(versions: list[ExceptionVersion]) -> list[tuple[str, str, object]]:
    """The texts whose hashes stand in the versions, byte by byte."""
    return [
        (f"version-{one.number}-{name}.json", f"{name} of version {one.number} as it was hashed", text.encode())
        for one in versions
        for name in sorted(FILES)
        if (text := getattr(one, name))
    ]


def _attachments(request: ExceptionRequest) -> list[tuple[str, str, object]]:
    files = ExceptionAttachment.objects.filter(version__request=request).order_by("pk").select_related("version")
    return [
        (
            f"attachments/{one.pk}-{UNSAFE.sub('-', one.name)[-80:]}",
            f"file of version {one.version.number}, SHA-256 {one.sha256} when it was added",
            bytes(one.content),
        )
        for one in files
    ]


def _told(row: Model, *, but: frozenset[str] = frozenset()) -> dict[str, Any]:
    names = [field.attname for field in row._meta.concrete_fields if field.name not in but]
    return {name: getattr(row, name) for name in names}
