"""Whether a new version keeps the approvals of the one before: only where nothing material changed."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from reservations.domain.procurement.authority import RequiredStep, open_steps
from reservations.domain.procurement.content import FIELD_WORDS, Edit, RequestContent, content_of, edit
from reservations.domain.procurement.lapse import price_moved, why_not_compared
from reservations.domain.procurement.request_state import RequestMove, RequestState
from reservations.domain.procurement.rule import Rule
from reservations.domain.procurement.separation import Part
from reservations.models import ExceptionApproval, ExceptionMove, ExceptionPart, ExceptionVersion
from reservations.services.exceptions.acting import Locked
from reservations.services.exceptions.authority import GLASS_STEP, frozen_price, given_on

KEEPS = frozenset({RequestState.SUBMITTED.value, RequestState.APPROVED.value})
"""States from which a revision may keep approvals: from all others they ended."""


@dataclass(frozen=True, slots=True)
class Carried:
    """How many approvals were kept, whether they are all it needs, and what became of them in words."""

    kept: int = 0
    complete: bool = False
    told: str = ""


def carry_approvals(on: Locked, content: RequestContent, rule: Rule, required: Sequence[RequiredStep]) -> Carried:
    """Bring the approvals of the version before over to this one, if it was only edited in minor fields."""
    before = ExceptionVersion.objects.filter(request=on.request, submitted_at__isnull=False)
    last = before.exclude(pk=on.version.pk).order_by("-number").first()
    if last is None or not _was_standing(on):
        return Carried()
    # What one person approved in an emergency was of that version alone.
    approvals = list(ExceptionApproval.objects.filter(version=last).exclude(step=GLASS_STEP))
    if not approvals:
        return Carried()
    files = [sorted(json.loads(one.content)["attachments"]) for one in (last, on.version)]
    changed = edit(content_of(last.content), content, files_before=files[0], files_after=files[1])
    roots = [given_on(one) for one in approvals]
    why_void = _why_void(changed, last, on.version, rule, required) or _why_dearer(roots, on.version, rule)
    if why_void:
        count = len(approvals)
        return Carried(told=f"{why_void}, so {'an approval is' if count == 1 else f'{count} approvals are'} void.")
    for found in approvals:
        _copy(found, on.version)
    signed = {user_id for one in approvals for user_id in (one.person_id, one.acting_for_id) if user_id is not None}
    parts = ExceptionPart.objects.filter(version=last, user_id__in=signed).exclude(part=Part.REQUESTER.value)
    ExceptionPart.objects.bulk_create(
        ExceptionPart(version=on.version, user_id=one.user_id, part=one.part) for one in parts
    )
    complete = not open_steps(required, [one.step for one in approvals])
    return Carried(len(approvals), complete, f"{_named(changed.minor)} changed, so its approvals stand.")


def _was_standing(on: Locked) -> bool:
    """Whether it was submitted or approved when this version was begun."""
    trail = ExceptionMove.objects.filter(request=on.request).order_by("-number")
    begun = trail.filter(move=RequestMove.REVISE.value).values_list("number", flat=True).first()
    if begun is None:
        return False
    return trail.filter(number__lt=begun).values_list("state", flat=True).first() in KEEPS


def _why_void(
    changed: Edit, last: ExceptionVersion, new: ExceptionVersion, rule: Rule, required: Sequence[RequiredStep]
) -> str:
    if changed.material:
        return f"{_named(changed.material)} changed"
    if last.required != [asdict(step) for step in required] or last.rule_id != new.rule_id:
        return "The rule asks for other approvals now"
    askers = ExceptionPart.objects.filter(version=new, part=Part.REQUESTER.value).values_list("user_id", flat=True)
    signers = ExceptionPart.objects.filter(version=last).exclude(part=Part.REQUESTER.value)
    if signers.filter(user_id__in=list(askers)).exists():
        return "Somebody who approved it asks for it now"
    return ""


def _why_dearer(roots: Sequence[ExceptionVersion], new: ExceptionVersion, rule: Rule) -> str:
    """Against the versions that were read and approved, so that no row of small steps leads past a limit."""
    price, before = frozen_price(new), [frozen_price(root) for root in roots]
    if any(why_not_compared(one, price) for one in before):
        return "Its price is unknown now, or in another currency"
    moves = [price_moved(one, price) for one in before]
    if any(moved is not None and moved > rule.price_move_limit_share for moved in moves):
        return "The price moved too far"
    amounts = [root.authority_amount for root in roots]
    if any(new.authority_amount is None or amount is None or new.authority_amount > amount for amount in amounts):
        return "It costs more by the price book"
    return ""


def _copy(found: ExceptionApproval, version: ExceptionVersion) -> None:
    """Its conditions hang on the request and stay; the hash stays that of the text its person read."""
    found.carried_from_id, found.pk, found.version = found.pk, None, version
    found.save(force_insert=True)


def _named(names: Sequence[str]) -> str:
    words = [FIELD_WORDS[name] for name in names] or ["nothing"]
    said = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return said[0].upper() + said[1:]
