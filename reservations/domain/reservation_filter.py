"""Which reservations are asked for, and in which order."""

from dataclasses import dataclass

UNOWNED = "unowned"
MISSING = "missing"

#: What still promises something before what is over, each by its end: how one wants to see them first.
HELD_FIRST = "held"

#: What a list may be ordered by; a minus before it turns the order round.
ORDERS = (
    HELD_FIRST,
    "id",
    "owner",
    "pool",
    "state",
    "kind",
    "shape",
    "gpus",
    "used",
    "zone",
    "start",
    "end",
    "usable",
    "decision",
    "fee",
)


@dataclass(frozen=True, slots=True)
class ReservationFilter:
    """What each reservation must be; blank asks for nothing. ``text`` is a part of the id or ARN.

    ``owner`` may be ``UNOWNED``, ``state`` may be ``MISSING`` (no longer listed); ``tag`` is a key or ``key=value``.
    """

    text: str = ""
    owner: str = ""
    state: str = ""
    zone: str = ""
    kind: str = ""
    tag: str = ""
    pool: str = ""

    @property
    def said(self) -> tuple[tuple[str, str], ...]:
        """Each thing that is asked for, by its word."""
        told = {
            "id": self.text,
            "owner": self.owner,
            "state": self.state,
            "zone": self.zone,
            "kind": self.kind,
            "tag": self.tag,
            "pool": self.pool,
        }
        return tuple((word, value) for word, value in told.items() if value)
