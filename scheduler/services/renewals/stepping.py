"""One move of a renewal: its state and its step are written together or not at all."""

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from reservations.services.audit import AuditAct, record_event
from scheduler.domain.recommendation.evidence import evidence_hash
from scheduler.domain.renewal.standing import LEGAL, RenewalMove
from scheduler.models import Renewal, RenewalStep


@dataclass(frozen=True, slots=True)
class Mover:
    """Who moves it; a blank name is the inventory."""

    user_id: int | None = None
    name: str = ""


INVENTORY = Mover()

FOLLOWS_ONE = "renewal_follower_follows_one"


class FollowsAnother(Exception):
    """What is to follow was taken by another renewal at the same time: it follows one reservation only."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a move decides; ``until_at`` None beside nodes: no end."""

    choice: str = ""
    nodes: int | None = None
    until_at: datetime | None = None


def step_on(
    found: Renewal,
    move: RenewalMove,
    *,
    evidence: str,
    at: datetime,
    by: Mover = INVENTORY,
    said: Said | None = None,
    reason: str = "",
    followed_by: int | None = None,
) -> None:
    """Move a locked renewal and keep the step; without ``said`` what was decided stays as it was.

    FollowsAnother, with nothing written, where ``followed_by`` follows another reservation already.
    """
    told = Said(found.choice, found.nodes, found.until_at) if said is None else said
    before = _stands(found)
    found.state = LEGAL[move].after.value
    found.choice, found.nodes, found.until_at = told.choice, told.nodes, told.until_at
    found.followed_by_id, found.moved_at, found.moves = followed_by, at, found.moves + 1
    try:
        with transaction.atomic():
            found.save()
    except IntegrityError as error:
        if FOLLOWS_ONE in str(error):
            raise FollowsAnother(FOLLOWS_ONE) from error
        raise
    RenewalStep.objects.create(
        renewal=found,
        number=found.moves,
        move=move.value,
        choice=told.choice,
        nodes=told.nodes,
        until_at=told.until_at,
        reason=reason,
        evidence=evidence,
        evidence_hash=evidence_hash(evidence),
        moved_by_id=by.user_id,
        moved_by_name=by.name,
        moved_at=at,
    )
    if by is not INVENTORY:
        after = {**_stands(found), "move": move.value, "evidence_hash": evidence_hash(evidence)}
        told_of = {"about": "renewal", "ident": str(found.pk), "by": by.name, "why": reason}
        record_event(what=AuditAct.RENEWAL_MOVED, before=before, after=after, **told_of)


def _stands(found: Renewal) -> dict[str, object]:
    names = ("state", "choice", "nodes", "until_at", "followed_by_id")
    return {name: getattr(found, name) for name in names}
