"""What a provider's state of a reservation means (docs/inventory.md#states)."""

from enum import StrEnum


class Kind(StrEnum):
    """How a reservation was bought."""

    ON_DEMAND = "on_demand"
    BLOCK = "block"
    FUTURE = "future"
    INTERRUPTIBLE = "interruptible"
    MANUAL = "manual"


class State(StrEnum):
    """A provider-neutral state; ``UNKNOWN`` for a word we were not taught."""

    REQUESTED = "requested"
    SCHEDULED = "scheduled"
    ACTIVE = "active"
    UNAVAILABLE = "unavailable"
    WINDING_DOWN = "winding_down"
    ENDED = "ended"
    FAILED = "failed"
    UNKNOWN = "unknown"


EC2_STATES: dict[str, State] = {
    "pending": State.REQUESTED,
    "payment-pending": State.REQUESTED,
    "assessing": State.REQUESTED,
    "scheduled": State.SCHEDULED,
    "delayed": State.SCHEDULED,
    "active": State.ACTIVE,
    "unavailable": State.UNAVAILABLE,
    "cancelling": State.WINDING_DOWN,
    "expired": State.ENDED,
    "cancelled": State.ENDED,
    "failed": State.FAILED,
    "payment-failed": State.FAILED,
    "unsupported": State.FAILED,
}

#: Still billed although nothing can be launched into it.
BILLED_NOT_USABLE = frozenset({State.UNAVAILABLE, State.WINDING_DOWN})

#: Says that a start date has passed without delivery; nothing is billed before delivery.
EC2_NOT_DELIVERED = frozenset({"delayed"})


def ec2_state(raw: str | None) -> State:
    """The neutral state behind EC2's word for it."""
    return EC2_STATES.get(raw or "", State.UNKNOWN)
