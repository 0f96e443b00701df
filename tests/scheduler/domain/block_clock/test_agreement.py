import pytest

from scheduler.domain.block_clock.agreement import PlannedEnd, why_at_odds
from scheduler.domain.block_clock.states import Decision
from scheduler.domain.renewal.standing import AtEnd, Choice


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("at_end", [None, *AtEnd])
@pytest.mark.parametrize("choice", [None, *Choice])
def test_a_job_is_at_odds_with_another_plan_and_with_a_block_that_lapses_under_it(
    decision: Decision, at_end: AtEnd | None, choice: Choice | None
) -> None:
    other = at_end is not None and str(at_end) != str(decision)
    lapses = str(choice) == "lapse" and str(decision) == "renew"
    told = why_at_odds(decision, PlannedEnd(choice, at_end))
    assert bool(told) == (other or lapses)
    assert told == "" or told.endswith(".")
