from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.lending import lending
from telemetry.domain.split import Kind, QueueUse, by_team, by_workload

AMOUNT = st.one_of(st.none(), st.integers(0, 10**9))
OWNERS = {1: "serving", 2: "research", 3: "robotics"}


@st.composite
def uses(draw: st.DrawFn) -> QueueUse:
    queued = draw(st.booleans())
    team = draw(st.sampled_from(["", "serving", "research", "robotics"])) if queued else ""
    return QueueUse(
        pool_id=draw(st.sampled_from(list(OWNERS))),
        queued=queued,
        team=team,
        workload=draw(st.sampled_from(["serving", "training", "batch", "other"])) if team else "",
        allocated=draw(AMOUNT),
        owner_busy=draw(AMOUNT) if queued else 0,
        borrower_busy=draw(AMOUNT) if queued else 0,
        unmanaged_busy=draw(AMOUNT),
        unattributed_busy=draw(AMOUNT),
    )


def amounts(row: QueueUse) -> int:
    return sum(value or 0 for value in (row.owner_busy, row.borrower_busy, row.unmanaged_busy, row.unattributed_busy))


@given(st.lists(uses(), max_size=20), st.integers(0, 10**6))
def test_the_parts_add_up_to_the_ledgers_busy(rows: list[QueueUse], untold: int) -> None:
    busy = sum(map(amounts, rows)) + untold
    for parts in (by_team(rows, busy), by_workload(rows, busy)):
        assert sum(part.busy for part in parts) == busy


@given(st.lists(uses(), max_size=20))
def test_no_allocation_is_lost_or_told_twice(rows: list[QueueUse]) -> None:
    whole = sum(row.allocated or 0 for row in rows)
    assert sum(part.allocated or 0 for part in by_team(rows, sum(map(amounts, rows)))) == whole


def test_teams_come_by_name_and_then_what_belongs_to_none() -> None:
    rows = [
        QueueUse(1, True, "serving", "serving", 5, 4, 1, 0, 0),
        QueueUse(1, True, "research", "batch", 5, 0, 3, 0, 2),
        QueueUse(1, True, "", "", None, 1, 0, 0, 0),
        QueueUse(1, False, "", "", 7, 0, 0, 6, 0),
    ]
    parts = by_team(rows, 18)
    assert [(part.kind, part.name, part.busy) for part in parts] == [
        (Kind.NAMED, "research", 3),
        (Kind.NAMED, "serving", 5),
        (Kind.UNNAMED, "queues of no known team", 1),
        (Kind.UNMANAGED, "outside any queue", 6),
        (Kind.UNATTRIBUTED, "not attributed", 2),
        (Kind.UNSPLIT, "not split", 1),
    ]
    assert [part.allocated for part in parts] == [5, 5, None, 7, None, None]


def test_workloads_come_in_their_own_order() -> None:
    rows = [
        QueueUse(1, True, "a", workload, 0, 1, 0, 0, 0) for workload in ("notebooks", "batch", "training", "serving")
    ]
    assert [part.name for part in by_workload(rows, 4)] == ["serving", "training", "batch", "notebooks"]


@given(st.lists(uses(), max_size=20))
def test_all_that_is_lent_is_borrowed_by_somebody(rows: list[QueueUse]) -> None:
    told = lending(rows, OWNERS)
    beyond = sum(row.borrower_busy or 0 for row in rows)
    assert sum(one.lent for one in told.balances) == sum(one.borrowed for one in told.balances) == told.lent
    assert told.lent + sum(one.own_beyond for one in told.balances) == beyond


@given(st.lists(uses(), max_size=20))
def test_each_pair_is_what_a_plain_sum_gives(rows: list[QueueUse]) -> None:
    told = lending(rows, OWNERS)
    for lender in OWNERS.values():
        for borrower in {row.team for row in rows}:
            given_ = [r.borrower_busy or 0 for r in rows if OWNERS[r.pool_id] == lender and r.team == borrower]
            assert told.pairs.get((lender, borrower), 0) == (0 if lender == borrower else sum(given_))


def test_use_beyond_ones_own_quota_in_ones_own_pool_is_not_borrowed() -> None:
    told = lending([QueueUse(1, True, "serving", "serving", 9, 4, 5, 0, 0)], OWNERS)
    assert told.pairs == {}
    assert [(one.team, one.lent, one.borrowed, one.own_beyond) for one in told.balances] == [("serving", 0, 0, 5)]
