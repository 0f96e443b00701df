"""Sources that fail or are late, and what that blinds."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from scheduler.domain.attention.item import Item, Kind, NextStep
from scheduler.domain.policy import Policy

NAMED = 3
"""How many pools a sentence names before it counts the rest."""


@dataclass(frozen=True, slots=True)
class SourceFact:
    """One metrics engine, or one account's region (``inventory``); ``data_until`` None: it never gave anything.

    ``pools`` are those that this person may see; ``last_error`` is blank where it is not for this person to read.
    """

    name: str
    inventory: bool
    failing: bool
    data_until: datetime | None
    last_error: str
    pools: tuple[str, ...]


def troubled_sources(seen: Iterable[SourceFact], *, as_of: datetime, policy: Policy) -> list[Item]:
    """One item for each source whose last try failed, that gave nothing for too long, or that never gave anything."""
    return [
        Item(
            kind=Kind.SOURCE,
            name=fact.name,
            sentence=f"{trouble}: {blinded(fact)}",
            step=NextStep("See data health", "telemetry:data-health"),
            since=fact.data_until,
            cause=fact.last_error if fact.failing else "",
        )
        for fact in seen
        for trouble in [_trouble(fact, as_of, policy)]
        if trouble
    ]


def _trouble(fact: SourceFact, as_of: datetime, policy: Policy) -> str:
    if fact.failing:
        return "fails"
    if fact.data_until is None:
        return "never gave anything"
    late_after = policy.inventory_late_after if fact.inventory else policy.metrics_late_after
    return "gave nothing lately" if as_of - fact.data_until > late_after else ""


def blinded(fact: SourceFact) -> str:
    """What nobody knows while a source says nothing."""
    if fact.inventory:
        return "free slots and sizes are not known"
    if not fact.pools:
        return "no pool rests on it"
    named = ", ".join(fact.pools[:NAMED])
    more = len(fact.pools) - NAMED
    return f"what {named}{f' and {more} more' if more > 0 else ''} did is not known"
