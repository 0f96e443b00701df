"""Purchases that need no exception: what was held before the rule bound, and what the rule itself advised."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from reservations.domain.procurement.exception_type import ExceptionType
from reservations.domain.procurement.matching import DAYS_OFF, Bought

BUYS_NOTHING = frozenset(
    {ExceptionType.EARLY_RELEASE, ExceptionType.BORROW_OVERRIDE, ExceptionType.CHECKPOINT_OVERRIDE}
)
"""Types after which no reservation appears."""

ADVICE_HOLDS = timedelta(days=120)
"""So long after it was accepted something may be bought by a recommendation: a quarter, and the lead time."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A recommendation that was accepted: up to so many nodes of a pool may be held by the rule from that day on."""

    pool_id: int
    nodes: int
    on: date


def needless(
    bought: Iterable[Bought], *, since: date | None, accepted: Iterable[Accepted], renewed: Mapping[int, int | None]
) -> set[int]:
    """The reservations that need no approval of an exception: begun before ``since`` (None: no rule ever bound), that
    follow another by a renewal that was decided, of up to the nodes ``renewed`` says, or within what an accepted
    recommendation lets a pool hold. When one began that is not known to have begun, it needs an approval."""
    held = list(bought)
    if since is None:
        return {one.reservation_id for one in held}
    free = {one.reservation_id for one in held if one.start is not None and one.start < since}
    free |= {one.reservation_id for one in held if _renews(one, renewed)}
    return free | _advised([one for one in held if one.reservation_id not in free], held, list(accepted))


def _renews(one: Bought, renewed: Mapping[int, int | None]) -> bool:
    decided = renewed.get(one.reservation_id)
    return decided is not None and one.nodes is not None and one.nodes <= decided


def _advised(open_ones: Iterable[Bought], held: Iterable[Bought], accepted: Iterable[Accepted]) -> set[int]:
    """In the order they began: each counts against what the next may add to its pool."""
    covered: set[int] = set()
    for start, number, one in sorted((one.start, one.reservation_id, one) for one in open_ones if one.start):
        beside = [
            other
            for other in held
            if other.pool_id == one.pool_id and other is not one and (other.end is None or other.end > start + DAYS_OFF)
        ]
        if any(_covers(said, one, start, beside, covered) for said in accepted):
            covered.add(number)
    return covered


def _covers(said: Accepted, one: Bought, start: date, beside: Iterable[Bought], covered: set[int]) -> bool:
    if said.pool_id != one.pool_id or not said.on <= start <= said.on + ADVICE_HOLDS:
        return False
    counted = [one, *(other for other in beside if other.reservation_id in covered or _held_at(other, said.on))]
    nodes = [other.nodes for other in counted]
    return None not in nodes and sum(known for known in nodes if known is not None) <= said.nodes


def _held_at(other: Bought, day: date) -> bool:
    """Whether the advice counted it among what was held; one of unknown start may have been."""
    return other.start is None or other.start < day
