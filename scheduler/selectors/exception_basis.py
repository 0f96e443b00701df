"""What a request is pre-filled with and frozen with, read for one instant from a pool or its recommendation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal

from reservations.domain.period import month_period
from reservations.domain.pricing import Unit, per_node_hour
from reservations.domain.procurement.exception_type import ExceptionType
from reservations.domain.procurement.typed import request_content
from reservations.selectors.backing import backing_by_pool
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import TermsOn, terms_on
from scheduler.domain.exception.basis import Advised, Asked, Basis, exception_basis
from scheduler.domain.recommendation.advice import earliest_decision
from scheduler.domain.renewal.basis import NodePrice
from scheduler.models import Recommendation
from scheduler.selectors.past_advice import months_back
from scheduler.selectors.recommendation_case import recommendation_case
from telemetry.selectors.busy_shares import busy_by_pool, busy_together

SPANS = (3, 6, 12)
"""Months over which it is told how busy a pool was."""

STEP = Decimal("0.000001")
TERM = timedelta(days=365)
"""A term nobody chose yet: a year, as most commitments are."""


@dataclass(frozen=True, slots=True)
class Prefilled:
    """A new draft: the fields as texts, and the rule's own numbers beside them."""

    typed: Mapping[str, str]
    basis: Basis
    recommendation: int | None


def prefilled(*, pool: PoolRow, as_of: datetime, nodes: int | None = None, reservation: str = "") -> Prefilled:
    """A draft for a pool: of the size chosen, else of the one recommended, else of the rule's."""
    advised = advice_in_force(pool.id)
    today = as_of.astimezone(accounting_zone()).date()
    basis = basis_of(pool=pool, as_of=as_of, asked=Asked(nodes, today, today + TERM))
    size = nodes
    if size is None:
        size = advised.proposed_nodes if advised and advised.proposed_nodes is not None else basis.rule_nodes
    if size is not None and nodes is None:
        basis = basis_of(pool=pool, as_of=as_of, asked=Asked(size, today, today + TERM))
    return Prefilled(_typed(pool, basis, size, reservation, today), basis, advised.id if advised else None)


def basis_of(*, pool: PoolRow, as_of: datetime, asked: Asked, shape: str = "") -> Basis:
    """The rule's own numbers about a pool beside what is asked for, at the price of the shape that is asked for."""
    zone = accounting_zone()
    backing = backing_by_pool(as_of=as_of).get(pool.id, ())
    case = recommendation_case(pool=pool, backing=backing, as_of=as_of, zone=zone, code="")
    on, why = earliest_decision(case)
    advised, price = advice_in_force(pool.id), node_price(pool=pool, shape=shape, terms=terms_at(as_of))
    shares = busy_shares(pool_id=pool.id, last=case.month, zone=zone)
    return exception_basis(case, asked, price=price, advised=advised, decide_by=on, why_no_date=why, busy_shares=shares)


def busy_shares(*, pool_id: int, last: date, zone: tzinfo) -> dict[int, Decimal | None]:
    """Σ busy ÷ Σ reserved over the last 3, 6 and 12 whole months up to ``last``, to a millionth; None: unknown."""
    months = months_back(last, max(SPANS))
    found = busy_by_pool(pool_ids=[pool_id], periods={month: month_period(month, zone) for month in months})
    told = {}
    for count in SPANS:
        share = busy_together([found[pool_id, month] for month in months[-count:] if (pool_id, month) in found]).share
        told[count] = None if share is None else share.quantize(STEP)
    return told


def terms_at(as_of: datetime) -> TermsOn:
    """The quotes of an instant's UTC day, read once however many prices are looked up."""
    return terms_on(day=as_of.astimezone(UTC).date())


def node_price(*, pool: PoolRow, shape: str, terms: TermsOn) -> NodePrice | None:
    """The reserved price of a node-hour of a shape for a pool; None where nobody knows one.

    The pool's own quote is of its own shape. How many GPUs another has nobody says, so that one needs a price by node.
    """
    own = shape in ("", pool.instance_type)
    span = terms.price(pool_id=pool.id if own else None, shape=shape or pool.instance_type)
    if span is None or not (own or span.unit is Unit.NODE_HOUR):
        return None
    price = per_node_hour(span.reserved, unit=span.unit, gpus_per_node=pool.gpus_per_node)
    return None if price is None else NodePrice(price, span.currency, span.source)


def basis_of_typed(*, pool: PoolRow, as_of: datetime, typed: Mapping[str, str]) -> Basis:
    """The same beside a draft that is complete; UnableToReadRequest where it is not."""
    content = request_content(typed)
    asked = Asked(content.nodes, content.term_start, content.term_end)
    return basis_of(pool=pool, as_of=as_of, asked=asked, shape=content.shape)


def advice_in_force(pool_id: int) -> Advised | None:
    """The newest recommendation about a pool that no other replaced."""
    found = Recommendation.objects.filter(pool_id=pool_id, replaced_at__isnull=True).defer("evidence")
    one = found.order_by("-month").first()
    if one is None:
        return None
    return Advised(one.pk, one.evidence_hash, one.action, one.proposed_nodes, one.decision_date)


def _typed(pool: PoolRow, basis: Basis, size: int | None, reservation: str, today: date) -> dict[str, str]:
    cost = basis.term_cost
    return {
        "kind": _kind(basis, size).value,
        "pool": pool.name,
        "reservation": reservation,
        "shape": pool.instance_type,
        "nodes": "" if size is None else str(size),
        "term_start": today.isoformat(),
        "term_end": (today + TERM).isoformat(),
        "amount": "" if cost is None else f"{cost:f}",
        "currency": basis.currency,
    }


def _kind(basis: Basis, size: int | None) -> ExceptionType:
    if basis.rule_nodes is None:
        return ExceptionType.SHORT_HISTORY
    return ExceptionType.UNDER_RULE if size is not None and size < basis.rule_nodes else ExceptionType.OVER_RULE
