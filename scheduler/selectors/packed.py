"""The packed size of a pool's month: what its replay says better placement would have needed."""

from datetime import date

from scheduler.domain.recommendation.case import Packed
from scheduler.selectors.replays import latest_replay

NO_REPLAY = "The month has not been replayed, so the rule decides alone."

FROZEN = ("as_of", "known_hours", "hours", "current_nodes", "least_value", "jobs", "inputs_hash", "sizes")
"""What of a replay is kept with the advice that rests on it."""


def packed_size(*, pool_id: int, month: date) -> Packed:
    """The newest replay's packed size; without one, or where it covers too little, a reason instead."""
    found = latest_replay(pool_id=pool_id, month=month)
    if found is None:
        return Packed(None, NO_REPLAY)
    summary = {name: found.document[name] for name in FROZEN}
    if found.packed_nodes is None:
        return Packed(None, f"The replay has {found.reason}, so the rule decides alone.", summary)
    return Packed(found.packed_nodes, "", summary)
