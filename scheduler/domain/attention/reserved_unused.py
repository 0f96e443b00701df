"""Reserved, and nothing launches into it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from scheduler.domain.attention.item import Item, Kind, NextStep, Price, weekly_of
from scheduler.domain.policy import Policy


@dataclass(frozen=True, slots=True)
class FreeFact:
    """The free slots of one active reservation as last seen; ``since`` is when their run began.

    ``name`` is what it is shown under: its pool, or its own id where it backs none.
    """

    reservation_id: int
    external_id: str
    name: str
    free: int
    total: int
    gpus_per_node: Decimal | None
    since: datetime
    matching: str
    zone_id: str
    data_zone_id: str
    price: Price


def reserved_unused(seen: Iterable[FreeFact], *, as_of: datetime, policy: Policy) -> list[Item]:
    """One item for each reservation with free slots that stood for ``policy.unused_for``.

    A week of it is free instances × GPUs per node × 168 h.
    """
    return [
        Item(
            kind=Kind.RESERVED_UNUSED,
            name=fact.name,
            sentence=_sentence(fact),
            step=NextStep("Open reservation", "reservations:detail", (("pk", str(fact.reservation_id)),)),
            since=fact.since,
            weekly=weekly_of(fact.free, fact.gpus_per_node, fact.price),
            cause=_cause(fact),
        )
        for fact in seen
        if fact.free > 0 and fact.since <= as_of - policy.unused_for
    ]


def _sentence(fact: FreeFact) -> str:
    them = "it" if fact.free == 1 else "them"
    if fact.free == fact.total:
        whole = "the only node" if fact.total == 1 else f"all {fact.total} nodes"
        return f"{whole} of {fact.external_id} reserved, nothing launches into {them}"
    return f"{fact.free} of {fact.total} nodes of {fact.external_id} reserved, nothing launches into {them}"


def _cause(fact: FreeFact) -> str:
    """Only what the data support: a place where the data are not, or a targeted reservation that nobody names."""
    if far := far_from_data(fact.zone_id, fact.data_zone_id):
        return far
    return NOBODY_NAMES_IT if fact.matching == "targeted" and fact.free == fact.total else ""


NOBODY_NAMES_IT = "Probably: it is targeted, and nothing that is launched names it."


def far_from_data(zone_id: str, data_zone_id: str) -> str:
    """A sentence where a reservation is in another zone than its pool's data; blank where it is not, or unknown."""
    if not zone_id or not data_zone_id or zone_id == data_zone_id:
        return ""
    return f"Probably: it is in {zone_id}, and the pool's data are in {data_zone_id}."
