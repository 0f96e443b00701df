"""Recommendations as the command prints them, the API answers them and the files hold them: one set of names."""

from collections.abc import Iterable
from typing import Any

from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.selectors.recommendations import RecommendationRow

COLUMNS = (
    Column("pool", "pool", Kind.TEXT),
    Column("action", "action", Kind.TEXT, term="recommendation"),
    Column("current_nodes", "held", Kind.COUNT, "nodes"),
    Column("proposed_nodes", "proposed", Kind.COUNT, "nodes"),
    Column("rule_nodes", "by price", Kind.COUNT, "nodes", term="rule_size"),
    Column("adjusted_rule_nodes", "adjusted", Kind.COUNT, "nodes", term="adjusted_size"),
    Column("packed_nodes", "packed", Kind.COUNT, "nodes", term="packed_size"),
    Column("decides", "decides", Kind.TEXT),
    Column("saving", "saves", Kind.MONEY, "a month"),
    Column("saving_low", "from", Kind.MONEY),
    Column("saving_high", "to", Kind.MONEY),
    Column("regret", "regret of staying", Kind.MONEY, "a month", term="regret"),
    Column("currency", "currency", Kind.TEXT),
    Column("confidence", "confidence", Kind.TEXT),
    Column("decision_date", "decide by", Kind.DAY, term="decision_date"),
    Column("standing", "state", Kind.TEXT),
    Column("month", "until the end of", Kind.DAY),
    Column("revision", "revision", Kind.COUNT),
    Column("reasons", "why", Kind.TEXT),
    Column("evidence_hash", "evidence", Kind.TEXT),
)


def recommendation_told(row: RecommendationRow, *, prices: bool = True) -> dict[str, Any]:
    """One pool's recommendation; without ``prices`` it tells no money."""
    money = prices and row.saving is not None
    return {
        "pool": row.pool.name,
        "action": row.action.value,
        "current_nodes": row.current_nodes,
        "rule_nodes": row.rule_nodes,
        "adjusted_rule_nodes": row.adjusted_rule_nodes,
        "packed_nodes": row.packed_nodes,
        "proposed_nodes": row.proposed_nodes,
        "decides": row.decides.value,
        "reasons": list(row.reasons),
        "saving": (
            {"amount": row.saving, "low": row.saving_low, "high": row.saving_high, "currency": row.currency or None}
            if money
            else None
        ),
        "regret": row.regret if money else None,
        "confidence": row.confidence.value,
        "decision_date": row.decision_date,
        "evidence_hash": row.evidence_hash,
    }


def recommendations_sheet(
    rows: Iterable[tuple[RecommendationRow, bool]], about: tuple[tuple[str, str], ...] = ()
) -> Sheet:
    """Every row, each with whether its money may be seen, in the order given."""
    return Sheet(
        "recommendations", "Recommendations", COLUMNS, tuple(_cells(row, prices) for row, prices in rows), about
    )


def _cells(row: RecommendationRow, prices: bool) -> tuple[object, ...]:
    told = recommendation_told(row, prices=prices)
    money = told["saving"] or {"amount": None, "low": None, "high": None, "currency": None}
    flat = {
        **told,
        "saving": money["amount"],
        "saving_low": money["low"],
        "saving_high": money["high"],
        "currency": money["currency"],
        "reasons": " ".join(row.reasons),
        "standing": row.standing.value,
        "month": row.month,
        "revision": row.revision,
    }
    return tuple(flat[column.name] for column in COLUMNS)
