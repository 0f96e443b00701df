"""What became of a claim, held against sums of its own."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.period import Period
from scheduler.domain.exception.outcome import LedgerHour, outcome, outcome_period

START = datetime(2026, 4, 1, tzinfo=UTC)
NODE_MS = 8 * 3_600_000
hours = st.lists(
    st.builds(
        LedgerHour, paid=st.integers(1, NODE_MS), reserved=st.just(NODE_MS), busy=st.none() | st.integers(0, NODE_MS)
    ),
    max_size=60,
)


@given(hours, st.none() | st.decimals(0, 1, places=2))
def test_a_claim_is_met_where_busy_over_paid_reaches_it_and_nobody_says_so_of_half_known_time(
    told: list[LedgerHour], claimed: Decimal | None
) -> None:
    period = Period(START, START + timedelta(hours=60))
    found = outcome(told, period=period, whole=True, claimed=claimed, gpus_per_node=Decimal(8))

    known = [one for one in told if one.busy is not None]
    share = Fraction(sum(one.busy or 0 for one in known), sum(one.paid for one in known)) if known else None
    assert (found.hours, found.hours_known) == (60, len(known))
    if claimed is None or share is None or len(known) < 30:
        assert found.met is None
    elif abs(share - Fraction(claimed)) > Fraction(1, 10**6):
        assert found.met == (share > claimed)
    assert found.sentence.startswith("Over ninety days")
    if share is None:
        assert found.busy_share is None


def test_the_ninety_days_run_from_their_start_and_are_whole_when_they_are_over() -> None:
    assert outcome_period(START, START + timedelta(minutes=59)) is None
    assert outcome_period(START, START + timedelta(days=1)) == (Period(START, START + timedelta(days=1)), False)
    assert outcome_period(START, START + timedelta(days=400)) == (Period(START, START + timedelta(days=90)), True)
