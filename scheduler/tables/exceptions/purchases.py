"""Purchases beside approvals as one table, and the outcome of a request in words."""

from collections.abc import Collection, Mapping

from reservations.domain.procurement.matching import FATE_WORDS, Fate
from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.selectors.exception_purchases import Purchase

TONES: Mapping[Fate, str] = {
    Fate.UNAPPROVED_PURCHASE: "bad",
    Fate.BOUGHT_OTHERWISE: "late",
    Fate.APPROVED_NOT_BOUGHT: "none",
    Fate.BOUGHT_AS_APPROVED: "good",
}
"""The order of the page as well: what nobody approved stands first."""

COLUMNS = (
    Column("fate", "what became of it", Kind.TEXT),
    Column("pool", "pool", Kind.TEXT),
    Column("request", "request", Kind.COUNT),
    Column("approved_nodes", "approved", Kind.COUNT, "nodes"),
    Column("approved_start", "approved from", Kind.DAY),
    Column("approved_end", "approved until", Kind.DAY),
    Column("reservation", "reservation", Kind.TEXT),
    Column("bought_nodes", "bought", Kind.COUNT, "nodes"),
    Column("bought_start", "bought from", Kind.DAY),
    Column("bought_end", "bought until", Kind.DAY),
    Column("differences", "what differs", Kind.TEXT),
)


def counts(found: Collection[Purchase]) -> list[tuple[str, str, int]]:
    """Each fate with its words and how many there are, in the order of the page."""
    return [(fate.value, FATE_WORDS[fate], sum(one.fate is fate for one in found)) for fate in TONES]


def ordered(found: Collection[Purchase]) -> list[Purchase]:
    """What nobody approved first, and within a fate by pool."""
    rank = {fate: place for place, fate in enumerate(TONES)}
    return sorted(found, key=lambda one: (rank[one.fate], pool_of(one)))


def pool_of(one: Purchase) -> str:
    """The pool of the request, else of the reservation; blank where it backs none."""
    return one.request.pool if one.request else one.reservation.pool if one.reservation else ""


def purchases_sheet(found: Collection[Purchase], *, about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """Every match in the order given."""
    return Sheet("purchases", "Purchases and approvals", COLUMNS, tuple(_cells(one) for one in found), about)


def _cells(one: Purchase) -> tuple[object, ...]:
    approved, bought = one.match.approved, one.match.bought
    return (
        one.fate.value,
        pool_of(one) or None,
        approved.request_id if approved else None,
        approved.nodes if approved else None,
        approved.start if approved else None,
        approved.end if approved else None,
        bought.external_id if bought else None,
        bought.nodes if bought else None,
        bought.start if bought else None,
        bought.end if bought else None,
        "; ".join(one.match.differences) or None,
    )
