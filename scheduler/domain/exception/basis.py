"""A size that somebody asks for beside the rule's: what it costs over its term, and what it costs more a month."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from reservations.domain.pricing import PriceKind, money
from reservations.domain.procurement.term_cost import term_cost
from scheduler.domain.recommendation.advice import term_ahead, trusted
from scheduler.domain.recommendation.case import Case
from scheduler.domain.recommendation.evidence import canonical_json, trace_digest
from scheduler.domain.recommendation.money import Money, Weighed, money_of
from scheduler.domain.renewal.basis import NodePrice
from scheduler.domain.sizing.enough import why_not_enough
from scheduler.domain.sizing.given import Given
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Answer, Manner, answer_of
from telemetry.domain.demand import DemandTrace


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: nodes over the days ``[start, end)``; None where a draft does not say it yet."""

    nodes: int | None
    start: date | None
    end: date | None


@dataclass(frozen=True, slots=True)
class Advised:
    """The recommendation in force about the pool, if there is one."""

    id: int
    hash: str
    action: str
    proposed_nodes: int | None
    decision_date: date | None


@dataclass(frozen=True, slots=True)
class Basis:
    """What is known beside what is asked for; None is unknown, and ``why_no_rule`` says why the rule has no size.

    ``regret`` is of the size asked for over the rule's, a month of 730 hours; ``saving`` in it is that amount, below 0
    where the size asked for costs less. Costs are over the term at today's reserved price.
    """

    pool: str
    as_of: datetime
    month: date
    current_nodes: int | None
    rule_nodes: int | None
    adjusted_rule_nodes: int | None
    packed_nodes: int | None
    break_even_share: Decimal | None
    adjusted_break_even_share: Decimal | None
    coverage_share: Decimal | None
    hours: int
    hours_missing: int
    mean_nodes: Decimal | None
    peak_nodes: int | None
    trace_hash: str
    reserved: Decimal | None
    on_demand: Decimal | None
    currency: str
    price_source: str
    asked: Asked
    busy_shares: Mapping[int, Decimal | None]
    regret: Money | None
    term_cost: Decimal | None
    rule_term_cost: Decimal | None
    advised: Advised | None
    decide_by: date | None
    why_no_date: str
    why_no_rule: str

    @property
    def deviation_nodes(self) -> int | None:
        """Nodes asked for − the rule's."""
        return None if self.rule_nodes is None or self.asked.nodes is None else self.asked.nodes - self.rule_nodes


def exception_basis(
    case: Case,
    asked: Asked,
    *,
    price: NodePrice | None,
    advised: Advised | None,
    decide_by: date | None,
    why_no_date: str = "",
    busy_shares: Mapping[int, Decimal | None] | None = None,
) -> Basis:
    """The rule's own numbers from the same case that a recommendation is made from, beside what is asked for.

    ``price`` is today's, which a term ahead costs; ``busy_shares`` are Σ busy ÷ Σ reserved of so many months before.
    """
    trace = trusted(case.trace, case.thin)
    why, answer = _answer(case, trace)
    sized = answer.sizing.sized if answer else None
    rule = sized.sizes.rule if sized else None
    prices = answer.priced.prices if answer else None
    reserved = price.per_node_hour if price else None
    return Basis(
        pool=case.pool,
        as_of=case.as_of,
        month=case.month,
        current_nodes=case.known.current,
        rule_nodes=rule,
        adjusted_rule_nodes=sized.sizes.adjusted if sized else None,
        packed_nodes=case.packed.nodes,
        break_even_share=prices.break_even if prices else None,
        adjusted_break_even_share=prices.adjusted_break_even if prices else None,
        coverage_share=_rounded(trace.coverage_share if trace.hours else None),
        hours=len(trace.hours),
        hours_missing=len(trace.missing),
        mean_nodes=_rounded(answer.sizing.curve.mean_nodes if answer else None),
        peak_nodes=max(trace.nodes, default=None),
        trace_hash=trace_digest(trace),
        reserved=reserved,
        on_demand=case.known.prices.get(PriceKind.ON_DEMAND),
        currency=price.currency if price else case.known.currency,
        price_source=price.source if price else "",
        asked=asked,
        busy_shares=busy_shares or {},
        regret=_regret(case, answer, rule, asked.nodes),
        term_cost=_cost(asked.nodes, asked, reserved),
        rule_term_cost=_cost(rule, asked, reserved),
        advised=advised,
        decide_by=decide_by,
        why_no_date=why_no_date,
        why_no_rule=why,
    )


def frozen_basis(basis: Basis, *, rule_version: int | None) -> str:
    """The basis as canonical JSON: what a request is frozen with."""
    return canonical_json({"rule_version": rule_version, **basis_figures(basis)})


def basis_figures(basis: Basis) -> Mapping[str, object]:
    """Every figure by its name with its unit, for the frozen text and for a call alike."""
    regret, asked, advised = basis.regret, basis.asked, basis.advised
    return {
        "pool": basis.pool,
        "as_of": basis.as_of,
        "month": basis.month,
        "current_nodes": basis.current_nodes,
        "rule_nodes": basis.rule_nodes,
        "adjusted_rule_nodes": basis.adjusted_rule_nodes,
        "packed_nodes": basis.packed_nodes,
        "why_no_rule_nodes": basis.why_no_rule,
        "asked_nodes": asked.nodes,
        "deviation_nodes": basis.deviation_nodes,
        "term_start": asked.start,
        "term_end": asked.end,
        "term_cost": basis.term_cost,
        "rule_term_cost": basis.rule_term_cost,
        "currency": basis.currency,
        "regret_month": None if regret is None else regret.saving,
        "regret_month_low": None if regret is None else regret.low,
        "regret_month_high": None if regret is None else regret.high,
        "break_even_share": basis.break_even_share,
        "adjusted_break_even_share": basis.adjusted_break_even_share,
        "coverage_share": basis.coverage_share,
        "hours": basis.hours,
        "hours_missing": basis.hours_missing,
        "mean_nodes": basis.mean_nodes,
        "peak_nodes": basis.peak_nodes,
        **{f"busy_share_{months}_months": share for months, share in sorted(basis.busy_shares.items())},
        "trace_sha256": basis.trace_hash,
        "reserved_node_hour": basis.reserved,
        "on_demand_node_hour": basis.on_demand,
        "price_source": basis.price_source,
        "decision_date": basis.decide_by,
        "why_no_decision_date": basis.why_no_date,
        "recommendation": None
        if advised is None
        else {
            "id": advised.id,
            "evidence_hash": advised.hash,
            "action": advised.action,
            "proposed_nodes": advised.proposed_nodes,
        },
    }


def _answer(case: Case, trace: DemandTrace) -> tuple[str, Answer | None]:
    why = why_not_enough(trace)
    if why:
        return why, None
    growth = case.growth if (term := term_ahead(case)) else ()
    try:
        answer = answer_of(
            trace, Given(term=term), case.known, growth=growth, manner=Manner(draws=0, seed=case.policy.seed)
        )
    except UnableToSize as unable:
        return str(unable), None
    return "", answer


def _regret(case: Case, answer: Answer | None, rule: int | None, nodes: int | None) -> Money | None:
    if answer is None or rule is None or nodes is None:
        return None
    sizing = answer.sizing
    return money_of(
        Weighed(
            measured=sizing.measured,
            hours=sizing.hours,
            current=nodes,
            proposed=rule,
            packed=None,
            draws=case.policy.draws,
            seed=case.policy.seed,
        )
    )


def _cost(nodes: int | None, asked: Asked, reserved: Decimal | None) -> Decimal | None:
    if nodes is None or asked.start is None or asked.end is None or asked.end <= asked.start:
        return None
    return term_cost(nodes=nodes, start=asked.start, end=asked.end, node_hour=reserved)


def _rounded(value: Fraction | None) -> Decimal | None:
    return None if value is None else money(value.numerator, value.denominator)
