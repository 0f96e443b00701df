"""Beginning, submitting and executing requests with what this floor knows: the rule's numbers and today's price."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db import transaction

from reservations.domain.procurement.lapse import HourPrice
from reservations.domain.procurement.typed import UnableToReadRequest
from reservations.selectors.draft import draft_of
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import PoolRow, UnableToFindPool, pool_named, pool_rows
from reservations.selectors.procurement import rule_in_force
from reservations.services import exceptions
from reservations.services.exceptions import Evidence, Moved, SavedDraft, UnableToMoveRequest
from scheduler.domain.exception.basis import frozen_basis
from scheduler.domain.recommendation.evidence import evidence_hash
from scheduler.domain.recommendation.standing import Standing
from scheduler.models import Recommendation
from scheduler.selectors.exception_basis import basis_of_typed, node_price, prefilled, terms_at
from scheduler.services.recommendations import decide_on


def begin_exception(
    *,
    pool: PoolRow,
    by: int,
    at: datetime,
    nodes: int | None = None,
    reservation: str = "",
    fields: Mapping[str, str] | None = None,
    key: UUID | str | None = None,
) -> SavedDraft:
    """A new draft that says what the rule and the recommendation in force say, of the size chosen or recommended.

    ``fields`` are laid over that.
    """
    found = prefilled(pool=pool, as_of=at, nodes=nodes, reservation=reservation)
    return exceptions.save_draft_exception(
        typed={**found.typed, **(fields or {})}, by=by, at=at, recommendation=found.recommendation, key=key
    )


@transaction.atomic
def ask_for_exception(
    *, recommendation_id: int, pool: PoolRow, reason: str, by: int, by_name: str, at: datetime, key: UUID | str | None
) -> SavedDraft:
    """Say of a recommendation that an exception is asked for, and begin its request with the reason; both or none.

    UnableToDecide as ``decide_on`` says it, UnableToReadRequest for a reason too long.
    """
    # The same order of locks as whoever decides on it: the recommendation, then the trail.
    Recommendation.objects.select_for_update().filter(pk=recommendation_id).first()
    found = prefilled(pool=pool, as_of=at)
    draft = exceptions.save_draft_exception(
        typed={**found.typed, "reason": reason}, by=by, at=at, recommendation=recommendation_id, key=key
    )
    decide_on(pk=recommendation_id, to=Standing.EXCEPTION_ASKED, reason=reason, user_id=by, user_name=by_name, at=at)
    return draft


def submit_exception_with_evidence(
    *, request_id: int, saves: int | None, by: int, at: datetime, key: UUID | str | None = None
) -> Moved:
    """Freeze the rule's own numbers of this moment, and submit the draft with them and their hash.

    UnableToReadRequest and UnableToMoveRequest as ``submit_exception`` says them.
    """
    draft = draft_of(request_id)
    if draft is None:
        raise UnableToMoveRequest("There is no such request.")
    try:
        pool = pool_named(draft.typed.get("pool", ""))
    except UnableToFindPool:
        raise UnableToReadRequest({"pool": "Choose the pool it is for."}) from None
    today = at.astimezone(accounting_zone()).date()
    rule = rule_in_force(today)
    basis = basis_of_typed(pool=pool, as_of=at, typed=draft.typed)
    text = frozen_basis(basis, rule_version=rule.version if rule else None)
    same_money = rule is not None and basis.currency == rule.currency
    evidence = Evidence(
        text=text,
        hash=evidence_hash(text),
        priced_amount=basis.term_cost if same_money else None,
        priced=rule is None or (same_money and basis.term_cost is not None),
        node_hour_price=basis.reserved,
        decide_by=basis.decide_by,
    )
    # Without a number of saves, what was read above is what is frozen: a save in between is refused.
    seen = draft.saves if saves is None else saves
    return exceptions.submit_exception(
        request_id=request_id, saves=seen, evidence=evidence, by=by, at=at, today=today, key=key
    )


def execute_exception(
    *,
    request_id: int,
    pool_id: int,
    by: int,
    at: datetime,
    reservation_id: int | None = None,
    note: str = "",
    key: UUID | str | None = None,
) -> Moved:
    """``mark_executed`` at today's price, so that an approval whose price moved too far is not used."""
    draft = draft_of(request_id)
    pool = next((row for row in pool_rows() if row.id == pool_id), None)
    shape = draft.typed.get("shape", "") if draft else ""
    price = node_price(pool=pool, shape=shape, terms=terms_at(at)) if draft and pool else None
    return exceptions.mark_executed(
        request_id=request_id,
        by=by,
        at=at,
        today=at.astimezone(accounting_zone()).date(),
        reservation_id=reservation_id,
        node_hour_price=HourPrice(price.per_node_hour, price.currency) if price else None,
        note=note,
        key=key,
    )
