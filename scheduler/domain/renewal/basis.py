"""What a move of a renewal rests on, frozen with it; and what a term costs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from reservations.domain.pricing import money
from reservations.domain.renewal import LeadTimes
from scheduler.domain.recommendation.evidence import canonical_json
from scheduler.domain.recommendation.moves import moves_of
from scheduler.domain.renewal.possible import Ending, Possible


@dataclass(frozen=True, slots=True)
class NodePrice:
    """The reserved price of a node-hour on the day asked."""

    per_node_hour: Decimal
    currency: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Recommended:
    """The recommendation in force about its pool."""

    id: int
    hash: str
    action: str
    nodes: int | None


@dataclass(frozen=True, slots=True)
class Basis:
    """All that was known of a reservation's end at an instant; None is unknown, or there is none."""

    as_of: datetime
    ending: Ending
    possible: Possible
    pool: str
    owner: str
    decide_on: date | None
    why_no_day: str = ""
    lead: LeadTimes | None = None
    price: NodePrice | None = None
    recommended: Recommended | None = None


def term_cost(price: NodePrice | None, nodes: int | None, length: timedelta | None) -> Decimal | None:
    """nodes × hours × price of a node-hour, rounded once to a millionth; None where one of them is unknown."""
    if price is None or nodes is None or length is None:
        return None
    exact = Fraction(price.per_node_hour) * nodes * Fraction(length // timedelta(microseconds=1), 3_600_000_000)
    return money(exact.numerator, exact.denominator)


def frozen_basis(basis: Basis, said: Mapping[str, object]) -> str:
    """A move's evidence as canonical JSON: ``said`` is what was decided or happened, beside what was known."""
    part = basis.ending.part
    return canonical_json(
        {
            "said": dict(said),
            "as_of": basis.as_of,
            "reservation": part.external_id,
            "pool": basis.pool,
            "owner": basis.owner,
            "kind": part.kind,
            "state": part.state,
            "end": part.end_at,
            "nodes": basis.ending.nodes,
            "extension_pending": basis.ending.extension_pending,
            "decide_on": basis.decide_on,
            "why_no_day": basis.why_no_day,
            "lead_days": _lead(basis.lead),
            "price": _price(basis.price),
            "recommendation": _recommended(basis.recommended),
            "provider": {"rule": moves_of(part, basis.as_of).why, **_possible(basis.possible)},
        }
    )


def _lead(lead: LeadTimes | None) -> object:
    return None if lead is None else {"procurement": lead.procurement, "block_booking": lead.block_booking}


def _price(price: NodePrice | None) -> object:
    if price is None:
        return None
    return {"reserved_node_hour": price.per_node_hour, "currency": price.currency, "source": price.source}


def _recommended(one: Recommended | None) -> object:
    return None if one is None else {"id": one.id, "hash": one.hash, "action": one.action, "nodes": one.nodes}


def _possible(possible: Possible) -> dict[str, object]:
    ways = [
        {
            "choice": way.choice,
            "how": way.how,
            "opens": way.opens_at,
            "closes": way.closes_at,
            "sure_until": way.sure_until,
            "least_nodes": way.least,
            "most_nodes": way.most,
        }
        for way in possible.ways
    ]
    return {"ways": ways, "why": possible.why}
