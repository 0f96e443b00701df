"""What a pool's reservations promised in a period, as the ledger needs it."""

from collections import defaultdict

from reservations.domain.held import OBSERVATION_HOLDS, AvailableSeen, Held, SizeSpan
from reservations.domain.period import Period
from reservations.domain.reservation_state import Kind, State, ec2_state
from reservations.domain.usable_end import counted_end
from reservations.models import PoolMembership, ReservationObservation, ReservationSize


def held_during(*, pool_id: int, period: Period) -> tuple[Held, ...]:
    """Every reservation that backed a pool in a period, by id and then by time; sizes end with the reservation."""
    memberships = list(
        PoolMembership.objects.filter(pool_id=pool_id, period__overlap=(period.start, period.end))
        .select_related("reservation")
        .order_by("reservation__external_id", "reservation__arn", "period")
    )
    ids = {membership.reservation_id for membership in memberships}
    sizes, observations = _sizes(ids, period), _observations(ids, period)
    return tuple(_held(one, sizes[one.reservation_id], observations[one.reservation_id]) for one in memberships)


def _held(membership: PoolMembership, sizes: list[ReservationSize], observations: list[AvailableSeen]) -> Held:
    reservation = membership.reservation
    extensions = reservation.raw.get("CapacityBlockExtensions")
    end = counted_end(
        kind=reservation.kind,
        shape=reservation.shape,
        end_at=reservation.end_at,
        told=reservation.usable_until,
        extensions=extensions,
    )
    end_at, blank = end.end_at, reservation.usable_until is None and reservation.kind != Kind.BLOCK.value
    clipped = [(size, min(filter(None, (size.period.upper, end_at)), default=None)) for size in sizes]
    return Held(
        external_id=reservation.external_id,
        sizes=tuple(
            SizeSpan(size.period.lower, end, size.instances, size.usable)
            for size, end in clipped
            if end is None or size.period.lower < end
        ),
        observations=tuple(observations),
        start_at=reservation.start_at,
        end_at=end_at,
        usable_until=None if blank else end.usable_until,
        member_from=membership.period.lower,
        member_until=membership.period.upper,
    )


def _sizes(ids: set[int], period: Period) -> dict[int, list[ReservationSize]]:
    found: dict[int, list[ReservationSize]] = defaultdict(list)
    overlapping = ReservationSize.objects.filter(reservation_id__in=ids, period__overlap=(period.start, period.end))
    for size in overlapping.order_by("period"):
        found[size.reservation_id].append(size)
    return found


def _observations(ids: set[int], period: Period) -> dict[int, list[AvailableSeen]]:
    found: dict[int, list[AvailableSeen]] = defaultdict(list)
    rows = ReservationObservation.objects.filter(
        reservation_id__in=ids, observed_at__gte=period.start - OBSERVATION_HOLDS, observed_at__lte=period.end
    )
    for reservation_id, at, present, state_raw, available in rows.order_by("observed_at").values_list(
        "reservation_id", "observed_at", "present", "state_raw", "available_count"
    ):
        countable = present and ec2_state(state_raw) is State.ACTIVE
        found[reservation_id].append(AvailableSeen(at, available if countable else None))
    return found
