"""By when it must be decided what follows a reservation: its end less the days the procurement rule takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from reservations.domain.reservation_state import Kind

NO_END = "It has no end."
NO_RULE = "No procurement rule is published."


@dataclass(frozen=True, slots=True)
class LeadTimes:
    """Days the procurement rule takes; ``block_booking`` come on top for a capacity block."""

    procurement: int
    block_booking: int = 0

    def of(self, kind: Kind) -> timedelta:
        """How long before its end it must be decided about a reservation of this kind."""
        return timedelta(days=self.procurement + (self.block_booking if kind is Kind.BLOCK else 0))


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision date; ``on`` None: ``why_not`` says in one sentence what is missing."""

    on: date | None
    why_not: str = ""


def lead_times(document: Mapping[str, object] | None) -> LeadTimes | None:
    """The days of a rule's document; None without a rule, or where it does not say them in whole days."""
    if document is None:
        return None
    procurement, blocks = document.get("procurement_lead_days"), document.get("block_booking_lead_days", 0)
    if not isinstance(procurement, int) or not isinstance(blocks, int):
        return None
    return LeadTimes(procurement, blocks)


def decision_date(
    *, end_at: datetime | None, kind: Kind, lead: LeadTimes | None, why_no_lead: str = NO_RULE, zone: tzinfo = UTC
) -> Decision:
    """The day of the end in ``zone`` − procurement_lead_days (− block_booking_lead_days for a capacity block)."""
    if end_at is None:
        return Decision(None, NO_END)
    if lead is None:
        return Decision(None, why_no_lead)
    try:
        return Decision(end_at.astimezone(zone).date() - lead.of(kind))
    except OverflowError:
        return Decision(None, "The lead time reaches back before any calendar.")
