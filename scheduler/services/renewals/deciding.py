"""What people do with a renewal: decide, revise, execute; each is looked at again under the renewal's lock."""

from datetime import datetime

from django.db import transaction

from reservations.domain import notation
from reservations.selectors.ends import ReservationEnd
from scheduler.domain.renewal.basis import frozen_basis
from scheduler.domain.renewal.possible import why_not_decide
from scheduler.domain.renewal.standing import Choice, RenewalMove, RenewalState, why_not_move
from scheduler.models import Renewal
from scheduler.selectors.renewal_case import RenewalFacts, outcome_of, renewal_facts
from scheduler.services.renewals.stepping import FollowsAnother, Mover, Said, step_on


class UnableToRenew(Exception):
    """The move is not legal or not possible any more; the message is one sentence."""


@transaction.atomic
def decide_renewal(
    *,
    pk: int,
    choice: Choice,
    nodes: int | None = None,
    until_at: datetime | None = None,
    reason: str = "",
    by: Mover,
    at: datetime,
) -> bool:
    """Decide what follows an end; False where the very same stands already. UnableToRenew otherwise.

    ``nodes`` None beside a renewal: as many as it holds.
    """
    found, facts, end = _locked(pk, at)
    if choice is Choice.RENEW and nodes is None:
        nodes = end.nodes
    said = Said(choice.value, nodes, until_at)
    if found.state == RenewalState.DECIDED.value and said == Said(found.choice, found.nodes, found.until_at):
        return False
    _legal(found, RenewalMove.DECIDE, reason)
    _stands(found, end, at)
    basis = facts.basis(end)
    why = why_not_decide(basis.possible, choice=choice, nodes=nodes, until=until_at, end=found.end_at, kind=end.kind)
    if why:
        raise UnableToRenew(why)
    told = {"move": RenewalMove.DECIDE, "choice": choice, "nodes": nodes, "until": until_at, "reason": reason.strip()}
    step_on(
        found, RenewalMove.DECIDE, evidence=frozen_basis(basis, told), at=at, by=by, said=said, reason=reason.strip()
    )
    return True


@transaction.atomic
def revise_renewal(*, pk: int, reason: str, by: Mover, at: datetime) -> None:
    """Take a decision back, with a reason; UnableToRenew once it is executed."""
    found, facts, end = _locked(pk, at)
    _legal(found, RenewalMove.REVISE, reason)
    told = {"move": RenewalMove.REVISE, "reason": reason.strip(), "was": found.choice, "was_nodes": found.nodes}
    evidence = frozen_basis(facts.basis(end), told)
    step_on(found, RenewalMove.REVISE, evidence=evidence, at=at, by=by, said=Said(), reason=reason.strip())


@transaction.atomic
def execute_renewal(*, pk: int, reason: str = "", by: Mover, at: datetime) -> None:
    """Say that what was decided has come to be, as the inventory shows; a gap or an overlap needs a reason.

    UnableToRenew where the inventory shows something else.
    """
    found, facts, end = _locked(pk, at)
    _legal(found, RenewalMove.EXECUTE, reason)
    shown = outcome_of(found, facts)
    if shown is None or not (shown.fits or shown.only_gap):
        raise UnableToRenew(shown.sentence if shown else "Nothing is decided.")
    if shown.only_gap and not reason.strip():
        raise UnableToRenew(f"{shown.sentence} Say why that is taken.")
    told = {"move": RenewalMove.EXECUTE, "shown": shown.sentence, "gap_seconds": int(shown.gap.total_seconds())}
    try:
        step_on(
            found,
            RenewalMove.EXECUTE,
            evidence=frozen_basis(facts.basis(end), told),
            at=at,
            by=by,
            reason=reason.strip(),
            followed_by=shown.follower.id if shown.follower else None,
        )
    except FollowsAnother as error:
        raise UnableToRenew("What follows was taken for another reservation meanwhile: look again.") from error


def _locked(pk: int, at: datetime) -> tuple[Renewal, RenewalFacts, ReservationEnd]:
    found = Renewal.objects.select_for_update().filter(pk=pk).first()
    if found is None:
        raise UnableToRenew("There is no such renewal.")
    facts = renewal_facts(as_of=at, also=[found.reservation_id])
    end = facts.end(found.reservation_id)
    if end is None:
        raise UnableToRenew("Its reservation is not stored any more.")
    return found, facts, end


def _legal(found: Renewal, move: RenewalMove, reason: str) -> None:
    why = why_not_move(RenewalState(found.state), move, reason=reason)
    if why:
        raise UnableToRenew(why)


def _stands(found: Renewal, end: ReservationEnd, at: datetime) -> None:
    """That the inventory still has the end that is to be decided about."""
    if end.gone and at < found.end_at:
        raise UnableToRenew("It is over before the end that this is about.")
    if end.end_at != found.end_at:
        moved = "is gone" if end.end_at is None else f"moved to {notation.instant(end.end_at)}"
        raise UnableToRenew(f"Its end {moved}: what follows is decided on the renewal of that end.")
