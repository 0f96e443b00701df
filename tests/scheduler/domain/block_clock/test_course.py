from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.block_clock.course import REFUSED, JobFacts, Taken, standing, verified_by
from scheduler.domain.block_clock.deadlines import BlockEnd, Checkpoint
from scheduler.domain.block_clock.states import LIVE, MOVES, JobState, Step, Trouble, may_become
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY as POLICY

END = datetime(2026, 6, 10, 11, 30, tzinfo=UTC)
USABLE = END - timedelta(minutes=30)
MINUTE = timedelta(minutes=1)
DEADLINE = USABLE - 20 * MINUTE
minutes = st.integers(-200, 120)


def facts(state: JobState = JobState.REGISTERED, **steps: Taken) -> JobFacts:
    return JobFacts(
        state, BlockEnd(END, USABLE), Checkpoint(10 * MINUTE, 0), steps={Step(name): one for name, one in steps.items()}
    )


def taken(at: datetime, **told: object) -> Taken:
    return Taken(intended_at=at, attempts=1, **told)


def stands(job: JobFacts, at: datetime) -> tuple[JobState, Trouble | None, Step | None]:
    found = standing(job, as_of=at, policy=POLICY)
    return found.state, found.trouble, found.due


@st.composite
def steps(draw: st.DrawFn) -> dict[str, Taken]:
    """Steps as they can come about: a check only after a request, a failure with a word and a sentence."""
    if not draw(st.booleans()):
        return {}
    asked = DEADLINE + draw(st.integers(0, 20)) * MINUTE
    done = draw(st.booleans())
    result = "" if done else draw(st.sampled_from(["", "unreached", REFUSED]))
    said = "It is down." if result else ""
    stop = Taken(asked, asked if done else None, result, said, draw(st.integers(1, 9)))
    if not draw(st.booleans()):
        return {"request_stop": stop}
    found = draw(st.sampled_from(["", *(one.value for one in Trouble if one not in (Trouble.HOOK_DOWN, Trouble.LATE))]))
    whole = not found and draw(st.booleans())
    check = Taken(asked, asked if whole else None, found, "A sentence." if found or whole else "", 1)
    return {"request_stop": stop, "verify_checkpoint": check}


@given(steps(), minutes)
def test_a_job_is_escalated_exactly_where_there_is_a_trouble_and_always_says_why(
    given_steps: dict[str, Taken], later: int
) -> None:
    found = standing(facts(**given_steps), as_of=USABLE + later * MINUTE, policy=POLICY)
    assert (found.state is JobState.ESCALATED) == (found.trouble is not None)
    assert found.reason


@given(steps(), minutes)
def test_nobody_is_asked_before_the_deadline_or_once_the_machines_go(given_steps: dict[str, Taken], later: int) -> None:
    at = USABLE + later * MINUTE
    due = standing(facts(**given_steps), as_of=at, policy=POLICY).due
    if due is Step.REQUEST_STOP:
        assert at < USABLE
        assert at >= DEADLINE or given_steps
    if due is Step.VERIFY_CHECKPOINT:
        assert given_steps
        assert at < END + POLICY.looked_after_end


@given(steps())
def test_with_time_alone_a_job_never_leaves_its_escalation(given_steps: dict[str, Taken]) -> None:
    instants = [USABLE + later * MINUTE for later in range(-60, 90)]
    states = [standing(facts(**given_steps), as_of=at, policy=POLICY).state for at in instants]
    for before, after in pairwise(states):
        assert after is before or after in MOVES[before]
        assert before is not JobState.ESCALATED or after is JobState.ESCALATED


@given(st.sampled_from([state for state in JobState if state not in LIVE]), steps(), minutes)
def test_what_is_over_stays_over(state: JobState, given_steps: dict[str, Taken], later: int) -> None:
    assert stands(facts(state, **given_steps), USABLE + later * MINUTE) == (state, None, None)


def test_the_deadline_itself_is_when_a_job_is_asked() -> None:
    assert stands(facts(), DEADLINE - timedelta(microseconds=1)) == (JobState.REGISTERED, None, None)
    assert stands(facts(), DEADLINE) == (JobState.REGISTERED, None, Step.REQUEST_STOP)
    assert stands(facts(), USABLE - timedelta(microseconds=1)) == (JobState.REGISTERED, None, Step.REQUEST_STOP)
    assert stands(facts(), USABLE) == (JobState.ESCALATED, Trouble.LATE, None)


def test_a_request_whose_answer_was_lost_is_repeated_and_its_checkpoint_looked_for_afterwards() -> None:
    lost = facts(request_stop=taken(DEADLINE))
    assert stands(lost, DEADLINE + MINUTE) == (JobState.REGISTERED, None, Step.REQUEST_STOP)
    assert stands(lost, USABLE) == (JobState.ESCALATED, Trouble.LATE, Step.VERIFY_CHECKPOINT)


def test_a_checkpoint_is_awaited_until_safety_begins_or_as_long_as_one_takes() -> None:
    asked = facts(request_stop=taken(DEADLINE, done_at=DEADLINE))
    assert verified_by(asked, DEADLINE, POLICY) == USABLE - 10 * MINUTE
    assert verified_by(asked, USABLE - 15 * MINUTE, POLICY) == USABLE - 5 * MINUTE
    assert verified_by(asked, USABLE - MINUTE, POLICY) == USABLE
    late = facts(request_stop=taken(USABLE - MINUTE, done_at=USABLE - MINUTE))
    assert stands(late, USABLE - MINUTE)[:2] == (JobState.ESCALATED, Trouble.LATE)


def test_only_a_verified_job_becomes_resumable_and_only_live_ones_move() -> None:
    assert may_become(JobState.RESUMABLE) == (JobState.VERIFIED,)
    assert set(LIVE) == {JobState.REGISTERED, JobState.STOP_REQUESTED, JobState.VERIFIED, JobState.ESCALATED}
    assert {state for state in JobState if not MOVES[state]} == {
        JobState.RESUMABLE,
        JobState.FINISHED,
        JobState.WITHDRAWN,
    }
