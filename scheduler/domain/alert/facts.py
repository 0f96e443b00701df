"""The frozen picture that every rule looks at: plain rows of one instant, read once."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from decimal import Decimal

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.finding import Subject
from scheduler.domain.attention.item import Price


@dataclass(frozen=True, slots=True)
class FreeSlots:
    """What the observations of the last while show of free slots.

    ``watched``: they cover all of it. ``every_free``: each of them shows some. ``since``: the first of the unbroken
    run that does. ``clean``: how many of the newest in a row show none; None where the newest shows nothing of it.
    """

    free: int | None
    watched: bool
    every_free: bool
    since: datetime | None
    clean: int | None


@dataclass(frozen=True, slots=True)
class ReservationFact:
    """One reservation that has not ended; None is unknown, never zero."""

    id: int
    subject: Subject
    external_id: str
    kind: Kind
    state: State
    shape: str
    zone_id: str
    matching: str
    total: int | None
    gpus_per_node: Decimal | None
    start_at: datetime
    end_at: datetime | None
    usable_until: datetime | None
    decide_on: date | None
    data_zone_id: str
    price: Price
    slots: FreeSlots


@dataclass(frozen=True, slots=True)
class AlertFacts:
    """All that the rules look at."""

    as_of: datetime
    zone: tzinfo
    reservations: tuple[ReservationFact, ...] = ()
