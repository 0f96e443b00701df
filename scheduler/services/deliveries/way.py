"""What one run of sending works with, and what it counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from scheduler.domain.alert.delivery import DeliveryState
from scheduler.domain.outside_address import Network

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Way:
    """The clock, the address that links begin with, and the private networks that may be called."""

    clock: Clock
    base: str
    networks: Sequence[Network]


@dataclass
class Tally:
    """How many messages are out, to be tried again, given up, and dropped as needless."""

    sent: int = 0
    retried: int = 0
    failed: int = 0
    dropped: int = 0

    def count(self, state: DeliveryState, number: int = 1) -> None:
        """Count what became of a try."""
        name = {DeliveryState.SENT: "sent", DeliveryState.FAILED: "failed"}.get(state, "retried")
        setattr(self, name, getattr(self, name) + number)
