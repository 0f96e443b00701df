"""Recommendations as pages, calls and commands read them: plain rows, never models."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from django.db.models import QuerySet

from reservations.selectors.any_of import any_of
from reservations.selectors.pools import PoolRow
from scheduler.domain.recommendation.confidence import Confidence
from scheduler.domain.recommendation.decision import Action, Decides
from scheduler.domain.recommendation.standing import Standing
from scheduler.models import Recommendation


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One decision: who, when, what and why."""

    standing: Standing
    reason: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RecommendationRow:
    """One revision of one pool's month; money is of a month of 730 hours, None where there is none."""

    id: int
    pool: PoolRow
    month: date
    revision: int
    made_at: datetime
    as_of: datetime
    replaced_at: datetime | None
    action: Action
    current_nodes: int
    rule_nodes: int | None
    adjusted_rule_nodes: int | None
    packed_nodes: int | None
    proposed_nodes: int | None
    decides: Decides
    reasons: tuple[str, ...]
    saving: Decimal | None
    saving_low: Decimal | None
    saving_high: Decimal | None
    regret: Decimal | None
    currency: str
    confidence: Confidence
    why_confidence: str
    decision_date: date | None
    why_no_date: str
    evidence_hash: str
    standing: Standing
    evidence: str = field(default="", repr=False)
    decisions: tuple[DecisionRow, ...] = ()

    @property
    def open(self) -> bool:
        """Whether somebody has to decide on it: a change that is open and in force."""
        changes = self.action in (Action.GROW, Action.SHRINK, Action.LAPSE)
        return changes and self.replaced_at is None and self.standing in (Standing.OPEN, Standing.EXCEPTION_ASKED)


_PLAIN = (
    "id", "month", "revision", "made_at", "as_of", "replaced_at", "current_nodes", "rule_nodes",
    "adjusted_rule_nodes", "packed_nodes", "proposed_nodes", "saving", "saving_low", "saving_high", "regret",
    "currency", "why_confidence", "decision_date", "why_no_date", "evidence_hash",
)  # fmt: skip


def recommendations_in_force(*, pools: Collection[PoolRow]) -> list[RecommendationRow]:
    """The newest recommendation of each pool, most money first, in one query; evidence is left out."""
    found = (
        Recommendation.objects.filter(pool_id__in=any_of(pool.id for pool in pools), replaced_at__isnull=True)
        .defer("evidence")
        .order_by("pool_id", "-month")
        .distinct("pool_id")
    )
    return sorted(_rows(found, pools), key=_most_money_first)


def recommendation_with(*, pk: int, pools: Collection[PoolRow]) -> RecommendationRow | None:
    """One with its evidence and decisions, in two queries; None where there is none of these pools."""
    found = Recommendation.objects.filter(pk=pk, pool_id__in=[pool.id for pool in pools]).prefetch_related("decisions")
    return next(iter(_rows(found, pools, whole=True)), None)


def revisions_of(*, pool: PoolRow, limit: int = 24) -> list[RecommendationRow]:
    """What was recommended about a pool, newest first, with decisions, in two queries; evidence is left out."""
    found = Recommendation.objects.filter(pool_id=pool.id).defer("evidence").prefetch_related("decisions")
    return _rows(found.order_by("-month", "-revision")[:limit], [pool], whole=True, evidence=False)


def recommendation_of_month(*, pool: PoolRow, month: date) -> RecommendationRow | None:
    """The revision in force of a pool's month, in one query."""
    found = Recommendation.objects.filter(pool_id=pool.id, month=month, replaced_at__isnull=True).defer("evidence")
    return next(iter(_rows(found, [pool])), None)


def _rows(
    found: QuerySet[Recommendation] | Iterable[Recommendation],
    pools: Collection[PoolRow],
    *,
    whole: bool = False,
    evidence: bool = True,
) -> list[RecommendationRow]:
    by_id: Mapping[int, PoolRow] = {pool.id: pool for pool in pools}
    return [_row(one, by_id[one.pool_id], whole, whole and evidence) for one in found]


def _row(one: Recommendation, pool: PoolRow, whole: bool, evidence: bool) -> RecommendationRow:
    return RecommendationRow(
        pool=pool,
        **{name: getattr(one, name) for name in _PLAIN},
        action=Action(one.action),
        decides=Decides(one.decides),
        confidence=Confidence(one.confidence),
        standing=Standing(one.standing),
        reasons=tuple(one.reasons),
        evidence=one.evidence if evidence else "",
        decisions=tuple(
            DecisionRow(Standing(said.standing), said.reason, said.decided_by_name, said.decided_at)
            for said in (one.decisions.all() if whole else ())
        ),
    )


def _most_money_first(row: RecommendationRow) -> tuple[object, ...]:
    """By money saved, then those that change something, then by name."""
    saving = row.saving or Decimal(0)
    return (not row.open, row.saving is None, -saving, row.pool.name)
