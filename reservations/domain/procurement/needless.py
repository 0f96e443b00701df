"""Purchases that need no exception: what was held before the rule bound, and what the rule itself advised."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from reservations.domain.procurement.exception_type import ExceptionType
from reservations.domain.procurement.matching import Bought

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
    bought: Iterable[Bought], *, since: date | None, accepted: Iterable[Accepted], renewed: Iterable[int]
) -> set[int]:
    """The reservations that need no approval of an exception: begun before ``since`` (None: no rule ever bound), of a
    size that an accepted recommendation covers, or that follow another by a renewal that was decided."""
    advice, follows = list(accepted), set(renewed)
    return {
        one.reservation_id
        for one in bought
        if since is None
        or one.start is None
        or one.start < since
        or one.reservation_id in follows
        or any(_covers(said, one, one.start) for said in advice)
    }


def _covers(said: Accepted, one: Bought, start: date) -> bool:
    within = said.on <= start <= said.on + ADVICE_HOLDS
    return within and said.pool_id == one.pool_id and one.nodes is not None and one.nodes <= said.nodes
