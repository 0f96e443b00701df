"""Reservations that nobody answers for."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from scheduler.domain.attention.item import Item, Kind, NextStep, Price, weekly_of


@dataclass(frozen=True, slots=True)
class UnownedFact:
    """One reservation that is held and backs no pool; ``free`` None: how much of it is used is not known."""

    reservation_id: int
    external_id: str
    shape: str
    total: int | None
    free: int | None
    gpus_per_node: Decimal | None
    since: datetime | None
    price: Price


def unowned(seen: Iterable[UnownedFact]) -> list[Item]:
    """One item for each; a week of it is the whole reservation, since nobody answers for any of it."""
    return [
        Item(
            kind=Kind.UNOWNED,
            name=fact.external_id,
            sentence=f"{_what(fact)} that no team answers for",
            step=NextStep("Open reservation", "reservations:detail", (("pk", str(fact.reservation_id)),)),
            since=fact.since,
            weekly=weekly_of(fact.total, fact.gpus_per_node, fact.price),
            cause=_use(fact),
        )
        for fact in seen
    ]


def _what(fact: UnownedFact) -> str:
    shape = fact.shape or "machines of an unknown type"
    return shape if fact.total is None else f"{fact.total} × {shape}"


def _use(fact: UnownedFact) -> str:
    if fact.free is None or fact.total is None:
        return "It backs no pool, and how much of it is used is not known."
    if fact.free == fact.total:
        return "It backs no pool, and nothing is launched into it."
    return f"It backs no pool; {fact.total - fact.free} of {fact.total} nodes are launched."
