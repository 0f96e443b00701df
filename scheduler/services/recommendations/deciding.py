"""Deciding on a recommendation: accept it, reject it, or ask for an exception; the same twice is once."""

from datetime import datetime

from django.db import transaction

from reservations.services.audit import AuditAct, record_event
from scheduler.domain.recommendation.decision import Action
from scheduler.domain.recommendation.standing import Standing, why_not_move
from scheduler.models import Recommendation, RecommendationDecision


class UnableToDecide(Exception):
    """The move is not legal; the message is one sentence."""


@transaction.atomic
def decide_on(*, pk: int, to: Standing, reason: str, user_id: int | None, user_name: str, at: datetime) -> bool:
    """Move a recommendation and keep who did it; False where it stands so already. UnableToDecide otherwise."""
    found = Recommendation.objects.select_for_update().defer("evidence").filter(pk=pk).first()
    if found is None:
        raise UnableToDecide("There is no such recommendation.")
    reason = reason.strip()
    if found.standing == to.value and to is not Standing.OPEN:
        return False
    why = why_not_move(
        Standing(found.standing),
        to,
        reason=reason,
        recommends=found.action != Action.NONE.value,
        replaced=found.replaced_at is not None,
    )
    if why:
        raise UnableToDecide(why)
    before = {"standing": found.standing}
    found.standing = to.value
    found.save(update_fields=["standing"])
    RecommendationDecision.objects.create(
        recommendation=found,
        standing=to.value,
        reason=reason,
        decided_by_id=user_id,
        decided_by_name=user_name,
        decided_at=at,
    )
    record_event(
        what=AuditAct.RECOMMENDATION_DECIDED,
        about="recommendation",
        ident=str(pk),
        by=user_name,
        before=before,
        after={"standing": to.value, "pool_id": found.pool_id, "evidence_hash": found.evidence_hash},
        why=reason,
    )
    return True
