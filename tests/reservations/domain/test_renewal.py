"""By when it must be decided what follows a reservation, and why that may be unknown."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.renewal import NO_END, NO_RULE, LeadTimes, decision_date, lead_times
from reservations.domain.reservation_state import Kind

END = datetime(2027, 6, 13, 1, tzinfo=UTC)


def test_blocks_are_booked_earlier_than_the_rest_is_procured() -> None:
    lead = LeadTimes(14, 21)
    assert decision_date(end_at=END, kind=Kind.BLOCK, lead=lead).on == date(2027, 5, 9)
    for kind in set(Kind) - {Kind.BLOCK}:
        assert decision_date(end_at=END, kind=kind, lead=lead).on == date(2027, 5, 30)


def test_the_day_of_the_end_is_the_zones() -> None:
    lead = LeadTimes(0)
    assert decision_date(end_at=END, kind=Kind.FUTURE, lead=lead, zone=ZoneInfo("America/New_York")).on == date(
        2027, 6, 12
    )


def test_what_is_missing_is_said() -> None:
    assert decision_date(end_at=None, kind=Kind.BLOCK, lead=LeadTimes(14)).why_not == NO_END
    assert decision_date(end_at=END, kind=Kind.BLOCK, lead=None).why_not == NO_RULE
    far = decision_date(end_at=END, kind=Kind.BLOCK, lead=LeadTimes(3650, 10**6))
    assert (far.on, bool(far.why_not)) == (None, True)


@pytest.mark.parametrize(
    ("document", "lead"),
    [
        (None, None),
        ({}, None),
        ({"procurement_lead_days": "14"}, None),
        ({"procurement_lead_days": 14, "block_booking_lead_days": None}, None),
        ({"procurement_lead_days": 14}, LeadTimes(14, 0)),
        ({"procurement_lead_days": 14, "block_booking_lead_days": 21, "steps": []}, LeadTimes(14, 21)),
    ],
)
def test_only_whole_days_of_the_document_count(document: dict[str, object] | None, lead: LeadTimes | None) -> None:
    assert lead_times(document) == lead


@given(st.integers(0, 3650), st.integers(0, 3650), st.integers(0, 70_000))
def test_a_decision_is_never_later_than_the_end(days: int, more: int, later: int) -> None:
    end_at = datetime(2000, 1, 1, tzinfo=UTC) + timedelta(days=later)
    on = decision_date(end_at=end_at, kind=Kind.BLOCK, lead=LeadTimes(days, more)).on
    assert on is not None
    assert on + timedelta(days=days) + timedelta(days=more) == end_at.date()
