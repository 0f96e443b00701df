"""Requests for exceptions as calls and commands tell them: the same keys in JSON and CSV."""

from collections.abc import Mapping
from typing import Any

from reservations.domain.access import Action, Person, may
from reservations.domain.procurement.rule import Rule
from reservations.domain.procurement.rule_words import rule_sentences
from reservations.selectors.exception_told import ExceptionCase, StepTold
from reservations.selectors.exceptions import ExceptionRow
from reservations.selectors.procurement import RuleVersion

MONEY = ("term_cost", "rule_term_cost", "regret_month", "regret_month_low", "regret_month_high")
PRICES = ("reserved_node_hour", "on_demand_node_hour")


def exception_told(row: ExceptionRow, person: Person | None = None) -> dict[str, Any]:
    """One request; its amount is null for who does not see prices (without a person: as a command tells it)."""
    priced = sees_prices(row, person)
    return {
        "id": row.id,
        "version": row.version,
        "state": row.state.value,
        "pool": row.pool,
        "team": row.team,
        "type": row.kind.value if row.kind else None,
        "requester": row.requester,
        "nodes": row.nodes,
        "shape": row.shape or None,
        "term_start": row.term_start,
        "term_end": row.term_end,
        "amount": row.amount if priced else None,
        "authority_amount": row.authority_amount if priced else None,
        "currency": row.currency or None,
        "waiting_for": [step.role.value for step in row.waiting],
        "rule_version": row.rule_version,
        "content_hash": row.content_hash or None,
        "created_at": row.created_at,
        "submitted_at": row.submitted_at,
        "decide_by": row.decide_by,
        "approved_at": row.approved_at,
        "valid_until": row.valid_until,
        "conditions_open": row.conditions_open,
        "second_sign_off_due_at": row.glass_due_at,
    }


def case_told(case: ExceptionCase, person: Person | None = None) -> dict[str, Any]:
    """One request whole: its newest version, evidence, steps with who gave them, conditions and trail."""
    priced = sees_prices(case.row, person)
    hidden = () if priced else (*MONEY, *PRICES)
    evidence = {key: None if key in hidden else value for key, value in case.newest.evidence.items()}
    typed = {key: None if key == "amount" and not priced else value for key, value in case.newest.typed.items()}
    return {
        **exception_told(case.row, person),
        "saves": case.newest.saves,
        "typed": typed,
        "evidence": evidence,
        "evidence_hash": case.newest.evidence_hash or None,
        "files": [{"name": one.name, "size": one.size, "sha256": one.sha256} for one in case.newest.files],
        "steps": [_step(one) for one in case.steps],
        "conditions": [
            {"id": one.id, "text": one.text, "due_on": one.due_on, "met_at": one.met_at, "met_by": one.met_by or None}
            for one in case.conditions
        ],
        "trail": [
            {
                "at": one.at,
                "version": one.version,
                "move": one.move.value,
                "state": one.state.value,
                "by": one.by or None,
                "acting_for": one.acting_for or None,
                "told": one.told,
                "reason": one.reason or None,
            }
            for one in case.trail
        ],
    }


def rule_told(one: RuleVersion) -> dict[str, Any]:
    """One version of the rule, with its text as it is stored and in plain sentences."""
    return {
        "version": one.version,
        "status": one.status,
        "in_force": one.in_force,
        "owner": one.owner,
        "author": one.author or None,
        "published_by": one.published_by or None,
        "effective_from": one.effective_from,
        "effective_to": one.effective_to,
        "document": dict(one.document),
        "sentences": _sentences(one.rule),
        "unread": one.why_unread or None,
    }


def sees_prices(row: ExceptionRow, person: Person | None) -> bool:
    """Whether amounts are told."""
    return person is None or may(person, Action.SEE_PRICES, row.teams)


def _sentences(rule: Rule | None) -> list[str]:
    return [] if rule is None else rule_sentences(rule)


def _step(one: StepTold) -> Mapping[str, Any]:
    return {
        "step": one.step.key,
        "role": one.step.role.value,
        "quorum": one.step.quorum,
        "why": one.step.why,
        "open": one.is_open,
        "approvals": [
            {
                "by": said.person,
                "acting_for": said.acting_for or None,
                "authority": said.authority,
                "role_is_recent": said.role_is_recent,
                "at": said.approved_at,
                "content_hash": said.content_hash,
            }
            for said in one.given
        ],
    }
