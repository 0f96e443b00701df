"""Recommendations that nobody has decided on."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from reservations.domain import notation
from scheduler.domain.attention.item import Item, Kind, NextStep


@dataclass(frozen=True, slots=True)
class RecommendedFact:
    """One open recommendation; ``saving`` a month is None where there is none or it is not for this person."""

    recommendation_id: int
    pool: str
    current: int
    proposed: int
    saving: Decimal | None
    currency: str
    why_no_money: str
    reason: str
    made_at: datetime
    decide_on: date | None


def recommended(seen: Iterable[RecommendedFact]) -> list[Item]:
    """One item for each; its money stands in the sentence, for other items may cost the same nodes already."""
    return [
        Item(
            kind=Kind.RECOMMENDED,
            name=fact.pool,
            sentence=f"{_change(fact)}{_money(fact)}",
            step=NextStep("Decide", "scheduler:recommendation", (("pk", str(fact.recommendation_id)),)),
            since=fact.made_at,
            decide_on=fact.decide_on,
            cause=fact.reason,
        )
        for fact in seen
    ]


def _change(fact: RecommendedFact) -> str:
    if not fact.proposed:
        return f"let all {fact.current} nodes lapse"
    verb = "grow" if fact.proposed > fact.current else "shrink"
    return f"{verb} from {fact.current} to {fact.proposed} nodes"


def _money(fact: RecommendedFact) -> str:
    if fact.saving is None:
        return f"; {fact.why_no_money}" if fact.why_no_money else ""
    amount = notation.amount(abs(fact.saving), fact.currency)
    return f", which {'saves' if fact.saving >= 0 else 'costs'} {amount} a month"
