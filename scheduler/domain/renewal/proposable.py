"""For which reservations it is to be decided what follows their end."""

from reservations.domain.reservation_state import Kind, State

HELD = frozenset({State.ACTIVE, State.SCHEDULED, State.UNAVAILABLE, State.UNKNOWN})
"""What is paid or granted: what is not yet is not renewed either."""

NOT_RENEWED = frozenset({Kind.INTERRUPTIBLE})
"""An interruptible reservation lives and ends by its source."""


def is_renewed(kind: Kind, state: State) -> bool:
    """Whether a renewal is proposed for its end; without one nothing can be decided, and nothing is due."""
    return state in HELD and kind not in NOT_RENEWED
