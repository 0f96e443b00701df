"""Making the recommendations of an instant: new evidence makes a new revision, the same evidence makes nothing."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from reservations.selectors.backing import backing_by_pool
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import PoolRow, pool_rows
from scheduler.domain.recommendation.advice import Advice, advice
from scheduler.models import Recommendation
from scheduler.selectors.recommendation_case import recommendation_case
from scheduler.services.recommendations.code import code_version

RECOMMENDING = 0x7265636F
"""With a pool's id it is the lock under which its revisions are numbered."""


@dataclass(frozen=True, slots=True)
class Made:
    """One pool's recommendation; ``new`` False: the same evidence stood already."""

    pool: PoolRow
    advice: Advice
    new: bool


def recommend(*, as_of: datetime, made_at: datetime, pools: Collection[PoolRow] | None = None) -> list[Made]:
    """Recommend for the last whole month before an instant, a pool at a time, each stored whole or not at all.

    Without ``pools`` about every pool.
    """
    zone, backing, code = accounting_zone(), backing_by_pool(as_of=as_of), code_version()
    made = []
    for pool in pool_rows() if pools is None else pools:
        case = recommendation_case(pool=pool, backing=backing.get(pool.id, ()), as_of=as_of, zone=zone, code=code)
        told = advice(case)
        made.append(Made(pool, told, _store(pool.id, told, made_at)))
    return made


@transaction.atomic
def _store(pool_id: int, told: Advice, made_at: datetime) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [RECOMMENDING, pool_id])
    newest = (
        Recommendation.objects.filter(pool_id=pool_id, month=told.case.month)
        .defer("evidence")
        .order_by("-revision")
        .first()
    )
    if newest is not None and newest.evidence_hash == told.hash:
        return False
    if newest is not None:
        newest.replaced_at = made_at
        newest.save(update_fields=["replaced_at"])
    _new(pool_id, told, made_at, 1 if newest is None else newest.revision + 1).save()
    return True


def _new(pool_id: int, told: Advice, made_at: datetime, revision: int) -> Recommendation:
    case, decided, money = told.case, told.decided, told.money
    return Recommendation(
        pool_id=pool_id,
        month=case.month,
        revision=revision,
        made_at=made_at,
        as_of=case.as_of,
        action=decided.action.value,
        current_nodes=case.known.current or 0,
        rule_nodes=told.rule,
        adjusted_rule_nodes=told.adjusted,
        packed_nodes=case.packed.nodes if told.rule is not None else None,
        proposed_nodes=decided.proposed,
        decides=decided.decides.value,
        reasons=list(decided.reasons),
        saving=money.saving if money else None,
        saving_low=money.low if money else None,
        saving_high=money.high if money else None,
        regret=money.regret if money else None,
        currency=money.currency if money else "",
        confidence=told.confidence.value,
        why_confidence=told.why_confidence,
        decision_date=told.decide_on,
        why_no_date=told.why_no_day,
        evidence=told.evidence,
        evidence_hash=told.hash,
    )
