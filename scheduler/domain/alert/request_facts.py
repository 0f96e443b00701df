"""Requests for exceptions as the alert rules look at them."""

from dataclasses import dataclass
from datetime import date, datetime

from scheduler.domain.alert.finding import Subject
from scheduler.domain.attention.item import NextStep


@dataclass(frozen=True, slots=True)
class ConditionFact:
    """One condition of an approved request that is not met yet; what it says is for those who may read the request."""

    id: int
    due_on: date


@dataclass(frozen=True, slots=True)
class RequestFact:
    """One request for an exception with what is still owed; ``glass_opened_at`` None: no sign-off is awaited.

    ``waiting_since`` is when its open step's turn came, None while nobody has to decide; ``waiting_for`` says who.
    """

    id: int
    subject: Subject
    conditions: tuple[ConditionFact, ...] = ()
    glass_opened_at: datetime | None = None
    glass_due_at: datetime | None = None
    waiting_since: datetime | None = None
    waiting_for: str = ""
    decide_by: date | None = None

    @property
    def page(self) -> NextStep:
        """Its own page."""
        return NextStep("Open request", "scheduler:exception", (("pk", str(self.id)),))
