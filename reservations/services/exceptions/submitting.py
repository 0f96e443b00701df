"""Submitting freezes what a request says with its evidence; withdrawing and revising make way for a new version."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from uuid import UUID

from django.db import transaction

from reservations.domain import notation
from reservations.domain.access import Action
from reservations.domain.procurement.authority import (
    RequiredStep,
    UnableToRoute,
    required_steps,
    why_not_enough,
)
from reservations.domain.procurement.content import RequestContent, canonical_content, content_hash
from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.request_state import RequestMove, RequestState
from reservations.domain.procurement.rule import Rule
from reservations.domain.procurement.separation import Part
from reservations.domain.procurement.typed import UnableToReadRequest, request_content
from reservations.models import ExceptionPart, ExceptionVersion, ProcurementRule
from reservations.selectors.approvers import role_holders
from reservations.selectors.procurement import rule_in_force
from reservations.services.exceptions.acting import (
    Locked,
    Moved,
    UnableToMoveRequest,
    locked,
    move_on,
    note_writer,
    repeated,
    require_leave,
    require_legal,
    require_own,
)
from reservations.services.exceptions.carrying import carry_approvals

NOT_LATE = frozenset({ExceptionType.LATE, ExceptionType.EMERGENCY})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a request is frozen with: canonical text and its hash, and of it what the rules are asked about.

    ``priced_amount`` is the term at the price book's price: the steps are chosen by it where it is the greater one.
    Not ``priced``: nobody knows what it costs in the rule's currency, and every step of the rule is asked for.
    """

    text: str
    hash: str
    priced_amount: Decimal | None = None
    node_hour_price: Decimal | None = None
    priced: bool = True
    decide_by: date | None = None
    # Reservations this request is about, as the inventory names them; told for the trail only.
    about: Sequence[str] = field(default_factory=tuple)


@transaction.atomic
def submit_exception(
    *,
    request_id: int,
    saves: int | None,
    evidence: Evidence,
    by: int,
    at: datetime,
    today: date,
    key: UUID | str | None = None,
) -> Moved:
    """Freeze the draft that was seen as ``saves`` with its evidence, and ask for the approvals of the rule in force.

    A minor edit keeps the approvals of the version before, a material one voids them. UnableToReadRequest for fields
    at fault, UnableToMoveRequest otherwise (no rule, no authority, too few approvers, saved elsewhere meanwhile).
    """
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    require_legal(on, RequestMove.SUBMIT)
    require_leave(on, Action.REQUEST_EXCEPTION, "submit requests")
    if saves is not None and saves != on.version.saves:
        raise UnableToMoveRequest(
            "The draft was saved in another window meanwhile: look at it again before you submit."
        )
    if sha256(evidence.text.encode()).hexdigest() != evidence.hash:
        raise UnableToMoveRequest("The evidence is not whole: open the form again.")
    content = request_content(on.version.typed)
    if content.pool != on.request.pool.name:
        raise UnableToReadRequest({"pool": "The pool was changed meanwhile: save the draft again."})
    rule = _rule(content, today, evidence)
    floor = (evidence.priced_amount or Decimal(0)) if evidence.priced else rule.limit
    amount = max(content.amount, floor)
    required = _required(on, rule, content, amount)
    _freeze(on, rule, content, amount, required, evidence, at)
    return _ask(on, content, rule, required, at, key)


@transaction.atomic
def withdraw_exception(
    *, request_id: int, by: int, at: datetime, reason: str = "", key: UUID | str | None = None
) -> Moved:
    """Take a request back; what was approved of it is void. UnableToMoveRequest once it is over."""
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    require_legal(on, RequestMove.WITHDRAW, reason)
    require_leave(on, Action.REQUEST_EXCEPTION, "withdraw requests")
    require_own(on, "withdraw")
    if on.user.pk not in _asking_before(on) and not reason.strip():
        raise UnableToMoveRequest("Say why: it is not you who asked for it.")
    return move_on(
        on.request, RequestMove.WITHDRAW, at=at, by=on.user, told="Withdrew it.", reason=reason.strip(), key=key
    )


@transaction.atomic
def revise_exception(
    *, request_id: int, by: int, at: datetime, reason: str = "", key: UUID | str | None = None
) -> Moved:
    """Open a new version of a request as a draft that begins with what the last one says and its files.

    Who revises asks as well, and so does not approve. UnableToMoveRequest once it is over.
    """
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    require_legal(on, RequestMove.REVISE, reason)
    require_leave(on, Action.REQUEST_EXCEPTION, "revise requests")
    require_own(on, "revise")
    if hasattr(on.version, "glass") and not on.version.glass.verdict:
        raise UnableToMoveRequest("It was approved in an emergency: its second sign-off comes first.")
    if on.state not in (RequestState.SUBMITTED, RequestState.APPROVED):
        on.request.approved_at = on.request.valid_until = None
    number = on.version.number + 1
    new = ExceptionVersion.objects.create(
        request=on.request,
        number=number,
        typed=on.version.typed,
        saved_at=at,
        author=on.user,
        author_name=on.user.get_username(),
    )
    for file in on.version.attachments.all():
        file.pk, file.version = None, new
        file.save(force_insert=True)
    note_writer(new, on.user)
    on.request.version = number
    told = f"Began version {number}."
    return move_on(on.request, RequestMove.REVISE, at=at, by=on.user, told=told, reason=reason.strip(), key=key)


def _rule(content: RequestContent, today: date, evidence: Evidence) -> Rule:
    rule = rule_in_force(today)
    if rule is None:
        raise UnableToMoveRequest(
            "No procurement rule is in force, so nobody has the authority to approve: publish one."
        )
    problems = {}
    if content.currency != rule.currency:
        problems["currency"] = f"The rule's approval steps are in {rule.currency}: write the amount in {rule.currency}."
    longest = rule.longest_term_days
    if longest is not None and content.days > longest and content.kind is not ExceptionType.LONG_TERM:
        label = TYPES[ExceptionType.LONG_TERM].label
        problems["term_end"] = (
            f"The rule foresees {longest} days at most, and this is {content.days}: ask as “{label}”."
        )
    if evidence.decide_by is not None and today > evidence.decide_by and content.kind not in NOT_LATE:
        passed = f"The decision date, {notation.day(evidence.decide_by)}, has passed"
        problems["kind"] = f"{passed}: ask as “{TYPES[ExceptionType.LATE].label}”."
    if problems:
        raise UnableToReadRequest(problems)
    return rule


def _required(on: Locked, rule: Rule, content: RequestContent, amount: Decimal) -> tuple[RequiredStep, ...]:
    try:
        required = required_steps(rule, amount=amount, kind=content.kind)
    except UnableToRoute as unable:
        raise UnableToMoveRequest(str(unable)) from None
    holders = {role: [one.user_id for one in held] for role, held in role_holders(on.team).items()}
    why = why_not_enough(required, holders, _asking(on))
    if why:
        raise UnableToMoveRequest(why)
    return required


def _asking(on: Locked) -> set[int]:
    """Everybody who wrote in a version of it, if only a letter or a file, and who submits it."""
    return {on.user.pk, *_asking_before(on)}


def _asking_before(on: Locked) -> set[int]:
    asked = ExceptionPart.objects.filter(version__request=on.request, part=Part.REQUESTER.value)
    return {on.request.requester_id, *asked.values_list("user_id", flat=True)}


def _freeze(
    on: Locked,
    rule: Rule,
    content: RequestContent,
    amount: Decimal,
    required: Sequence[RequiredStep],
    evidence: Evidence,
    at: datetime,
) -> None:
    version = on.version
    files = version.attachments.values_list("sha256", flat=True)
    version.rule = ProcurementRule.objects.get(version=rule.version)
    version.required = [asdict(step) for step in required]
    version.kind, version.shape, version.nodes = content.kind.value, content.shape, content.nodes
    version.term_start, version.term_end = content.term_start, content.term_end
    version.amount, version.currency, version.authority_amount = content.amount, content.currency, amount
    version.node_hour_price = evidence.node_hour_price
    version.content = canonical_content(content, attachments=list(files), evidence_hash=evidence.hash)
    version.content_hash = content_hash(version.content)
    version.evidence, version.evidence_hash = evidence.text, evidence.hash
    version.submitted_at = at
    version.save()
    on.request.decide_by = evidence.decide_by if content.kind not in NOT_LATE else content.latest_useful_on
    ExceptionPart.objects.bulk_create(
        [ExceptionPart(version=version, user_id=one, part=Part.REQUESTER.value) for one in sorted(_asking(on))],
        ignore_conflicts=True,
    )


def _ask(
    on: Locked,
    content: RequestContent,
    rule: Rule,
    required: Sequence[RequiredStep],
    at: datetime,
    key: UUID | str | None,
) -> Moved:
    kept = carry_approvals(on, content, rule, required)
    move = RequestMove.KEEP if kept.complete and on.request.approved_at else RequestMove.SUBMIT
    if move is RequestMove.SUBMIT:
        on.request.approved_at = on.request.valid_until = None
    told = (
        f"Submitted version {on.version.number}: {kept.told}"
        if kept.told
        else f"Submitted version {on.version.number}."
    )
    after: dict[str, object] = {
        "content_hash": on.version.content_hash,
        "evidence_hash": on.version.evidence_hash,
        "rule_version": rule.version,
        "amount": str(on.version.amount),
        "authority_amount": str(on.version.authority_amount),
        "currency": on.version.currency,
        "steps": [step.key for step in required],
    }
    return move_on(on.request, move, at=at, by=on.user, told=told, key=key, after=after)
