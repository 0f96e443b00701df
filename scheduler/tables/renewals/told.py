"""Renewals as the command prints them, the API answers them and the files hold them: one set of names."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.renewal.words import lead_words
from scheduler.selectors.renewals import RenewalRow

COLUMNS = (
    Column("reservation", "reservation", Kind.TEXT),
    Column("pool", "pool", Kind.TEXT),
    Column("owner", "owner", Kind.TEXT),
    Column("end", "end", Kind.INSTANT),
    Column("decision_date", "decide by", Kind.DAY, term="decision_date"),
    Column("lead", "lead", Kind.TEXT),
    Column("state", "state", Kind.TEXT),
    Column("overdue", "overdue", Kind.YES_NO),
    Column("held_nodes", "held", Kind.COUNT, "nodes"),
    Column("choice", "choice", Kind.TEXT),
    Column("nodes", "decided", Kind.COUNT, "nodes"),
    Column("until", "until", Kind.INSTANT),
    Column("possible", "possible", Kind.TEXT),
    Column("why", "what the provider allows", Kind.TEXT),
    Column("inventory", "the inventory shows", Kind.TEXT),
    Column("term_cost", "cost of the term", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("at_end", "work at the end", Kind.TEXT),
    Column("fallback", "fallback", Kind.TEXT),
    Column("resume_tested_on", "resume tested", Kind.DAY),
    Column("resume_test", "result", Kind.TEXT),
)


def renewal_told(row: RenewalRow, *, today: date, prices: bool = True) -> dict[str, Any]:
    """One renewal; without ``prices`` it tells no money."""
    money, plan = row.money if prices else None, row.plan
    return {
        "id": row.id,
        "reservation": row.reservation.external_id,
        "pool": row.reservation.pool or None,
        "owner": row.reservation.owner or None,
        "end": row.end_at,
        "decision_date": row.decide_on,
        "lead": lead_words(row.lead, row.reservation.kind),
        "state": row.state.value,
        "overdue": row.due(today),
        "held_nodes": row.reservation.nodes,
        "choice": row.choice.value if row.choice else None,
        "nodes": row.decided_nodes,
        "until": row.until_at,
        "possible": [choice.value for choice in row.possible.choices],
        "why": row.possible.why,
        "inventory": row.outcome.sentence if row.outcome else None,
        "term_cost": money,
        "currency": row.price.currency if money is not None and row.price else None,
        "at_end": plan.at_end.value if plan else None,
        "fallback": plan.fallback or None if plan else None,
        "resume_tested_on": plan.resume_tested_on if plan else None,
        "resume_test": plan.resume_test.value if plan and plan.resume_test else None,
    }


def renewals_sheet(
    rows: Iterable[tuple[RenewalRow, bool]], *, today: date, about: tuple[tuple[str, str], ...] = ()
) -> Sheet:
    """Every row, each with whether its money may be seen, in the order given."""
    cells = tuple(_cells(renewal_told(row, today=today, prices=prices)) for row, prices in rows)
    return Sheet("renewals", "Renewals", COLUMNS, cells, about)


def _cells(told: dict[str, Any]) -> tuple[object, ...]:
    return tuple(", ".join(told[column.name]) if column.name == "possible" else told[column.name] for column in COLUMNS)
