"""Requests for exceptions as the alert rules look at them."""

from reservations.domain.procurement.request_state import RequestState
from reservations.selectors.exceptions import ExceptionRow, all_exception_rows
from reservations.selectors.owed import Owed, what_is_owed
from reservations.selectors.pools import PoolRow, pool_rows
from scheduler.domain.alert.finding import Subject
from scheduler.domain.alert.request_facts import ConditionFact, RequestFact


def request_facts() -> tuple[RequestFact, ...]:
    """Those that wait for a decision, or owe a condition or a second sign-off; their teams are those of their pool."""
    owed, waiting = what_is_owed(), all_exception_rows(states=[RequestState.SUBMITTED])
    pools = {pool.id: pool for pool in pool_rows()} if owed or waiting else {}
    return (*(_owing(one, pools[one.pool_id]) for one in owed), *(_waiting(row, pools[row.pool_id]) for row in waiting))


def _owing(one: Owed, pool: PoolRow) -> RequestFact:
    return RequestFact(
        id=one.request_id,
        subject=_subject(one.request_id, pool),
        conditions=tuple(ConditionFact(*told) for told in one.conditions),
        glass_opened_at=one.glass_opened_at,
        glass_due_at=one.glass_due_at,
    )


def _waiting(row: ExceptionRow, pool: PoolRow) -> RequestFact:
    """Of a confidential one that it waits: its steps tell about how much it is, its day about what."""
    return RequestFact(
        id=row.id,
        subject=_subject(row.id, pool),
        waiting_since=row.moved_at,
        waiting_for="" if row.confidential else " and ".join(f"one {step.role.value}" for step in row.waiting),
        decide_by=None if row.confidential else row.decide_by,
    )


def _subject(request_id: int, pool: PoolRow) -> Subject:
    return Subject(
        key=f"exception:{request_id}",
        name=f"Request {request_id}",
        teams=pool.teams,
        owner=pool.owner,
        pool=pool.name,
    )
