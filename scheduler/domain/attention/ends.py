"""Reservations that end, and what must be decided before they do."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from decimal import Decimal

from reservations.domain import notation
from scheduler.domain.attention.item import Item, Kind, NextStep
from scheduler.domain.policy import Policy


@dataclass(frozen=True, slots=True)
class EndFact:
    """One reservation that has an end; ``pool_total`` is what its pool holds now, and ``next_start`` what comes after.

    ``decide_on`` is None where no procurement rule says how long a decision takes. ``decided`` is what stands, blank
    while nothing does, None where it was not looked up.
    """

    reservation_id: int
    external_id: str
    pool: str
    shape: str
    total: int | None
    pool_total: int | None
    gpus_per_node: Decimal | None
    end_at: datetime
    usable_until: datetime | None
    decide_on: date | None
    next_start: datetime | None = None
    decided: str | None = ""


def ends_ahead(seen: Iterable[EndFact], *, as_of: datetime, zone: tzinfo, policy: Policy) -> list[Item]:
    """One item for each end or decision date within ``policy.ends_within``; days are those of ``zone``."""
    return [
        Item(
            kind=Kind.END_AHEAD,
            name=fact.pool or fact.external_id,
            sentence=_sentence(fact, zone),
            step=_step(fact),
            decide_on=None if fact.decided else fact.decide_on or fact.end_at.astimezone(zone).date(),
            cause=_after(fact, zone),
        )
        for fact in seen
        if as_of < fact.end_at and _near(fact, as_of + policy.ends_within, zone)
    ]


def _step(fact: EndFact) -> NextStep:
    return NextStep("See what follows", "scheduler:renewals", query=(("reservation", str(fact.reservation_id)),))


def _near(fact: EndFact, horizon: datetime, zone: tzinfo) -> bool:
    return fact.end_at <= horizon or (fact.decide_on is not None and fact.decide_on <= horizon.astimezone(zone).date())


def _sentence(fact: EndFact, zone: tzinfo) -> str:
    what = f"{fact.total} × {fact.shape}" if fact.total is not None else fact.shape or fact.external_id
    end = fact.usable_until or fact.end_at
    early = end < fact.end_at
    verb = ("stop working", "stops working") if early else ("end", "ends")
    one = fact.total in (None, 1)
    ends = f"{what} {verb[one]} {notation.instant(end, zone)}"
    if fact.decided is None:
        return ends
    return f"{ends}; {f'decided: {fact.decided}' if fact.decided else 'what follows is undecided'}"


def _after(fact: EndFact, zone: tzinfo) -> str:
    if fact.total is None or fact.pool_total is None:
        return ""
    left = max(0, fact.pool_total - fact.total)
    gpus = "" if fact.gpus_per_node is None else f", {notation.grouped(fact.total * fact.gpus_per_node)} GPUs less"
    then = (
        "" if fact.next_start is None else f"; the next begins {notation.day(fact.next_start.astimezone(zone).date())}"
    )
    return f"Then {left} of {fact.pool_total} nodes are left{gpus}{then}."
