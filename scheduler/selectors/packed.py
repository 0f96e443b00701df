"""The packed size of a pool's month: what its replay says better placement would have needed."""

from datetime import date, datetime

from scheduler.domain.recommendation.case import Packed
from scheduler.selectors.replays import latest_replay

NO_REPLAY = "The month has not been replayed, so the rule decides alone."
FROZEN = ("coverage_share", "inputs_hash", "current_nodes", "tolerance_share", "least_coverage_share")


def packed_size(*, pool_id: int, month: date, as_of: datetime, current: int) -> Packed:
    """The newest replay's packed size; without one, or where it covers too little, a reason instead.

    A replay around another size than is held today tells nothing of what delivers the same as today.
    """
    found = latest_replay(pool_id=pool_id, month=month, as_of=as_of)
    if found is None:
        return Packed(None, NO_REPLAY)
    summary = {name: _frozen(found.document[name]) for name in FROZEN if name in found.document}
    if found.row.nodes != current:
        around = f"The month was replayed around {found.row.nodes} nodes and {current} are held"
        return Packed(None, f"{around}, so the rule decides alone.", summary)
    if found.packed_nodes is None:
        reason = found.reason.removesuffix(".")
        return Packed(None, f"The rule decides alone, for the replay says: {reason}.", summary)
    return Packed(found.packed_nodes, "", summary)


def _frozen(value: object) -> object:
    """Floats as texts, since evidence holds none."""
    return repr(value) if isinstance(value, float) else value
