"""What backs pools at an instant, with what binds it: ends and commitments."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from reservations.models import Reservation
from reservations.selectors.free_slots import HeldNow, held_now


@dataclass(frozen=True, slots=True)
class Backing:
    """One reservation behind a pool, and when its commitment ends (None: it has none that is known)."""

    held: HeldNow
    commitment_end_at: datetime | None


def backing_by_pool(*, as_of: datetime) -> dict[int, tuple[Backing, ...]]:
    """Every reservation that has not ended and backs a pool, by pool id, in two queries."""
    held = [one for one in held_now(as_of=as_of) if one.pool_id is not None]
    ends = dict(Reservation.objects.filter(pk__in=[one.id for one in held]).values_list("pk", "commitment_end_at"))
    found: defaultdict[int, list[Backing]] = defaultdict(list)
    for one in held:
        assert one.pool_id is not None  # nosec B101
        found[one.pool_id].append(Backing(one, ends.get(one.id)))
    return {pool_id: tuple(backing) for pool_id, backing in found.items()}
