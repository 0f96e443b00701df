"""Renewals from the inventory: new ends get a record, moved ones another, and what came to be is executed."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from reservations.selectors.ends import ReservationEnd
from scheduler.domain.policy import DEFAULT_POLICY, Policy
from scheduler.domain.recommendation.evidence import evidence_hash
from scheduler.domain.renewal.basis import frozen_basis
from scheduler.domain.renewal.proposable import is_renewed
from scheduler.domain.renewal.settling import Settled, settled
from scheduler.domain.renewal.standing import Choice, RenewalMove, RenewalState
from scheduler.models import Renewal, RenewalStep
from scheduler.selectors.renewal_case import RenewalFacts, following_now, outcome_of, renewal_facts, seen_of
from scheduler.services.renewals.stepping import FollowsAnother, Said, step_on

KEEPS_NOTHING = frozenset({RenewalMove.SUPERSEDE, RenewalMove.REOPEN})
"""Moves after which nothing is decided any more."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """What one run did: how many renewals are new, and how many of the others it moved."""

    new: int = 0
    executed: int = 0
    superseded: int = 0
    reopened: int = 0


def propose_renewals(*, as_of: datetime, policy: Policy = DEFAULT_POLICY) -> Proposed:
    """Bring the renewals to what the inventory shows; a second run, at the same time or after, changes nothing more."""
    live = Q(state__in=[RenewalState.PROPOSED.value, RenewalState.DECIDED.value]) | Q(end_at__gt=as_of)
    standing = list(Renewal.objects.filter(live))
    facts = renewal_facts(as_of=as_of, also={one.reservation_id for one in standing})
    moved = [move for one in standing if (move := _settle(one, facts)) is not None]
    new = _propose([one for one in facts.ends if _due(one, facts, policy)], facts)
    counts = {move: moved.count(move) for move in RenewalMove}
    return Proposed(new, counts[RenewalMove.EXECUTE], counts[RenewalMove.SUPERSEDE], counts[RenewalMove.REOPEN])


def _due(one: ReservationEnd, facts: RenewalFacts, policy: Policy) -> bool:
    """Whether its end or the day of its decision is near enough to be decided about."""
    if one.gone or one.end_at is None or one.end_at <= facts.as_of:
        return False
    if not is_renewed(one.kind, one.state):
        return False
    horizon, on = facts.as_of + policy.ends_within, facts.decision(one).on
    return one.end_at <= horizon or (on is not None and on <= horizon.astimezone(facts.zone).date())


@transaction.atomic
def _propose(ends: Collection[ReservationEnd], facts: RenewalFacts) -> int:
    """Whoever comes second finds the rows there, and the first step of each."""
    by_end = {(one.id, one.end_at): one for one in ends}
    at = facts.as_of
    Renewal.objects.bulk_create(
        [
            Renewal(reservation_id=one.id, end_at=one.end_at, proposed_at=at, moved_at=at)
            for one in sorted(ends, key=lambda one: one.id)
        ],
        ignore_conflicts=True,
    )
    bare = Renewal.objects.filter(reservation_id__in=[one.id for one in ends], steps__isnull=True)
    new = [found for found in bare.order_by("pk") if (found.reservation_id, found.end_at) in by_end]
    RenewalStep.objects.bulk_create(
        (_first(found, by_end[found.reservation_id, found.end_at], facts) for found in new), ignore_conflicts=True
    )
    return len(new)


def _first(found: Renewal, one: ReservationEnd, facts: RenewalFacts) -> RenewalStep:
    evidence = frozen_basis(facts.basis(one), {"move": RenewalMove.PROPOSE})
    return RenewalStep(
        renewal=found,
        number=1,
        move=RenewalMove.PROPOSE.value,
        evidence=evidence,
        evidence_hash=evidence_hash(evidence),
        moved_at=facts.as_of,
    )


@transaction.atomic
def _settle(one: Renewal, facts: RenewalFacts) -> RenewalMove | None:
    """The move the inventory makes with a renewal, if any; looked at again under its lock.

    What has been taken to follow another since is left to it: the next run looks what else there is.
    """
    if _move(one, facts) is None:
        return None
    found = Renewal.objects.select_for_update().filter(pk=one.pk).first()
    facts = replace(facts, following=following_now())
    due = None if found is None else _move(found, facts)
    end = facts.end(one.reservation_id)
    if found is None or due is None or end is None:
        return None
    shown = outcome_of(found, facts)
    told = {"move": due.move, "why": due.reason, "end_decided_about": found.end_at}
    try:
        step_on(
            found,
            due.move,
            evidence=frozen_basis(facts.basis(end), told),
            at=facts.as_of,
            said=Said() if due.move in KEEPS_NOTHING else None,
            reason=due.reason,
            followed_by=shown.follower.id if shown and shown.follower and due.move is RenewalMove.EXECUTE else None,
        )
    except FollowsAnother:
        return None
    return due.move


def _move(one: Renewal, facts: RenewalFacts) -> Settled | None:
    end = facts.end(one.reservation_id)
    return settled(
        RenewalState(one.state),
        end_at=one.end_at,
        seen=seen_of(end),
        outcome=outcome_of(one, facts),
        choice=Choice(one.choice) if one.choice else None,
        followed=one.followed_by_id is not None,
        now=facts.as_of,
    )
