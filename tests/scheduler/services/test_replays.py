"""A month of the ledger is replayed: at once, asked for, worked off, taken back, given up and forgotten."""

import json
from datetime import date, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from reservations.models import Pool, User
from reservations.selectors.pools import PoolRow, pool_named
from scheduler.domain.allocation_run import MOST_TRIES
from scheduler.domain.recommendation.case import Packed
from scheduler.domain.replay.work import UnableToReplay
from scheduler.models import MonthReplay, Recommendation
from scheduler.selectors.packed import packed_size
from scheduler.selectors.replays import latest_replay, newest_replay
from scheduler.services.recommendations import recommend
from scheduler.services.replay import (
    cancel_month_replay,
    forget_old_month_replays,
    keep_month_replay,
    month,
    replay_month,
    request_month_replay,
    run_month_replays,
    working_off,
)
from tests.scheduler.front_page import reserve
from tests.scheduler.services.replay_months import AS_OF, recorded_month
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db
FIRST = date(2026, 1, 1)
STAYS = [
    ("chat-0", "cq-a", range(744), 8),
    ("embed-a", "cq-b", range(10, 40), 4),
    ("embed-b", "cq-b", range(12, 60), 4),
    ("embed-c", "cq-b", range(30, 33), 3),
]


def clock() -> datetime:
    return AS_OF


@pytest.fixture
def pool(db: None) -> Pool:
    made = a_pool()
    reserve("cr-0aaa", pool=made, total=4)
    return made


def row(pool: Pool) -> PoolRow:
    return pool_named(pool.name)


def ask(pool: Pool, at: datetime = AS_OF) -> int:
    user, _ = User.objects.get_or_create(username="ada")
    return request_month_replay(pool=row(pool), month=FIRST, user_id=user.pk, user_name="ada", as_of=at)


def test_a_month_of_pods_becomes_jobs_and_the_smallest_size_that_does_the_same(pool: Pool) -> None:
    recorded_month(pool, STAYS)
    told = replay_month(pool=row(pool), month=FIRST, as_of=AS_OF)
    assert (told["hours"], told["known_hours"], told["current_nodes"]) == (744, 744, 4)
    assert (told["jobs"], told["replayed_gpu_hours"], told["held_gpu_hours"]) == (3, 120 + 192 + 9, 120 + 192 + 12)
    assert told["workload_gpu_hours"] == {"batch": 321, "serving": 8 * 744}
    assert [size["nodes"] for size in told["sizes"]] == list(range(10))
    by_nodes = {size["nodes"]: size for size in told["sizes"]}
    assert (by_nodes[0]["value"], by_nodes[0]["unmet_gpu_hours"]) == (-8.0 * 4 * 8 * 744, 8 * 744)
    assert (by_nodes[1]["value"], by_nodes[1]["not_started"]) == (0.0, 3)
    assert (by_nodes[2]["value"], by_nodes[2]["utilization"]) == (321.0, (8 * 744 + 324) / (16 * 744))
    assert (told["packed_nodes"], told["reason"]) == (2, "")
    assert replay_month(pool=row(pool), month=FIRST, as_of=AS_OF) == told
    json.dumps(told)


def test_a_month_whose_pods_were_let_go_gives_no_number(pool: Pool) -> None:
    recorded_month(pool, STAYS, forgotten=75)
    told = replay_month(pool=row(pool), month=FIRST, as_of=AS_OF)
    assert (told["packed_nodes"], told["least_value"], told["sizes"]) == (None, None, [])
    assert told["reason"] == "not enough data: the pods of 669 of 744 hours are known, which is under 90%"


def test_a_month_nobody_collected_gives_no_number(pool: Pool) -> None:
    told = replay_month(pool=row(pool), month=FIRST, as_of=AS_OF)
    assert told["reason"] == "not enough data: the pods of 0 of 744 hours are known, which is under 90%"
    ahead = replay_month(pool=row(pool), month=date(2027, 1, 1), as_of=AS_OF)
    assert ahead["reason"] == "not enough data: no hour of the month has ended yet"


def test_what_cannot_be_meant_is_said_in_a_sentence(pool: Pool) -> None:
    recorded_month(pool, STAYS)
    with pytest.raises(UnableToReplay, match="51 sizes below and above can't be replayed"):
        replay_month(pool=row(pool), month=FIRST, as_of=AS_OF, around=51)
    with pytest.raises(UnableToReplay, match="holds no node now"):
        replay_month(pool=row(pool), month=FIRST, as_of=AS_OF, nodes=0)


def test_queries_do_not_grow_with_the_month(pool: Pool, django_assert_max_num_queries) -> None:
    recorded_month(pool, STAYS)
    with django_assert_max_num_queries(10):
        replay_month(pool=row(pool), month=FIRST, as_of=AS_OF, around=0)


def test_what_was_asked_for_is_worked_off_and_is_the_newest(pool: Pool) -> None:
    recorded_month(pool, STAYS)
    number = ask(pool)
    assert ask(pool) == number
    assert latest_replay(pool_id=pool.pk, month=FIRST) is None
    assert run_month_replays(clock=clock) == 1
    found, newest = latest_replay(pool_id=pool.pk, month=FIRST), newest_replay(pool_id=pool.pk, month=FIRST)
    assert found is not None
    assert (found.row.id, found.packed_nodes, found.reason) == (number, 2, "")
    assert newest == found.row
    assert (found.row.done_steps, found.row.message) == (
        found.row.total_steps,
        "Done: 2 of 4 nodes deliver as much.",
    )
    assert found.document == replay_month(pool=row(pool), month=FIRST, as_of=AS_OF)
    assert latest_replay(pool_id=pool.pk, month=FIRST, as_of=AS_OF - timedelta(seconds=1)) is None
    assert run_month_replays(clock=clock) == 0
    assert ask(pool) != number


def test_too_little_data_is_an_answer_and_a_size_of_none_a_failure(pool: Pool) -> None:
    ask(pool)
    run_month_replays(clock=clock)
    found = latest_replay(pool_id=pool.pk, month=FIRST)
    assert found is not None
    assert found.packed_nodes is None
    assert found.row.message == f"{found.reason[0].upper()}{found.reason[1:]}."
    recorded_month(pool, STAYS)
    number = ask(pool)
    MonthReplay.objects.filter(pk=number).update(nodes=0)
    run_month_replays(clock=clock)
    failed = MonthReplay.objects.get(pk=number)
    assert (failed.state, failed.result) == ("failed", "")
    assert failed.message == "The pool holds no node now, so there is no size to replay around."


def test_one_that_was_taken_back_is_not_begun_and_stops_where_it_is(pool: Pool, monkeypatch) -> None:
    recorded_month(pool, STAYS)
    number = ask(pool)
    assert cancel_month_replay(replay_id=number, as_of=AS_OF)
    assert not cancel_month_replay(replay_id=number, as_of=AS_OF)
    assert run_month_replays(clock=clock) == 0
    number = ask(pool)
    monkeypatch.setattr(working_off, "SECONDS_BETWEEN_LOOKS", 0)
    ticks: list[int] = []

    def impatient() -> datetime:
        ticks.append(1)
        if len(ticks) == 3:
            cancel_month_replay(replay_id=number, as_of=AS_OF)
        return AS_OF

    assert run_month_replays(clock=impatient) == 1
    stopped = MonthReplay.objects.get(pk=number)
    assert (stopped.state, stopped.result) == ("cancelled", "")
    assert 0 < stopped.done_steps < stopped.total_steps


def test_a_dead_workers_replay_is_begun_anew_and_given_up_after_three(pool: Pool, monkeypatch) -> None:
    recorded_month(pool, STAYS)
    number = ask(pool)
    MonthReplay.objects.filter(pk=number).update(state="running", started_at=AS_OF, tries=1)
    assert run_month_replays(clock=clock) == 1
    assert MonthReplay.objects.get(pk=number).state == "done"
    number = ask(pool)
    MonthReplay.objects.filter(pk=number).update(state="running", started_at=AS_OF, tries=MOST_TRIES)
    assert run_month_replays(clock=clock) == 0
    assert MonthReplay.objects.get(pk=number).message.startswith("Given up: 3 workers")


def test_a_fault_of_ours_ends_the_replay_and_is_raised(pool: Pool, monkeypatch) -> None:
    recorded_month(pool, STAYS)
    number = ask(pool)
    monkeypatch.setattr(month, "month_replayed", lambda *_args: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        run_month_replays(clock=clock)
    assert MonthReplay.objects.get(pk=number).message.startswith("Stopped by a fault of Moorage")


def test_two_replays_of_a_month_are_never_under_way_at_once(pool: Pool) -> None:
    number = ask(pool)
    twin = MonthReplay.objects.get(pk=number)
    twin.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save(force_insert=True)


def test_old_replays_are_forgotten_but_for_the_newest_of_each_month(pool: Pool) -> None:
    recorded_month(pool, STAYS)
    told = replay_month(pool=row(pool), month=FIRST, as_of=AS_OF, around=0)
    kept = [
        keep_month_replay(pool=row(pool), document=told, month=FIRST, as_of=AS_OF + timedelta(days=day))
        for day in (0, 1, 2)
    ]
    assert forget_old_month_replays(as_of=AS_OF + timedelta(days=401, seconds=1)) == 2
    assert list(MonthReplay.objects.values_list("pk", flat=True)) == [kept[2]]
    assert forget_old_month_replays(as_of=AS_OF + timedelta(days=2000)) == 0


def test_advice_takes_the_packed_size_of_the_newest_replay_or_says_why_there_is_none(pool: Pool) -> None:
    later = AS_OF + timedelta(hours=1)
    assert advised(pool, AS_OF).why_not.startswith("The month has not been replayed")
    ask(pool)
    run_month_replays(clock=clock)
    thin = advised(pool, AS_OF)
    assert (thin.nodes, thin.summary["coverage_share"]) == (None, "0.0")
    assert "not enough data: the pods of 0 of 744 hours are known" in thin.why_not
    recorded_month(pool, STAYS)
    ask(pool, later)
    run_month_replays(clock=clock)
    found = advised(pool, later)
    assert (found.nodes, found.why_not) == (2, "")
    assert advised(pool, AS_OF).nodes is None
    held = MonthReplay.objects.latest("pk").nodes
    other = packed_size(pool_id=pool.pk, month=FIRST, as_of=later, current=held + 1)
    assert (other.nodes, f"around {held} nodes and {held + 1} are held" in other.why_not) == (None, True)
    json.dumps(dict(found.summary))


def advised(pool: Pool, as_of: datetime) -> Packed:
    """What advice of that instant takes, where as many nodes are held as the newest replay was made around."""
    newest = MonthReplay.objects.order_by("pk").last()
    return packed_size(pool_id=pool.pk, month=FIRST, as_of=as_of, current=newest.nodes if newest else 3)


def test_advice_about_the_month_rests_on_its_replay_as_soon_as_that_has_ended(pool: Pool) -> None:
    recorded_month(pool, STAYS)
    february = AS_OF - timedelta(days=28)
    recommend(as_of=february, made_at=february, pools=[row(pool)])
    ask(pool, february)
    assert run_month_replays(clock=lambda: february + timedelta(hours=1)) == 1
    before, after = Recommendation.objects.filter(pool=pool).order_by("revision")
    assert (before.month, after.month) == (FIRST, FIRST)
    packed = [json.loads(one.evidence)["inputs"]["replay"]["packed_nodes"] for one in (before, after)]
    assert (packed[0], packed[1] is None) == (None, False)


def test_a_replay_makes_no_advice_where_none_stands_nor_of_an_older_month(pool: Pool) -> None:
    recorded_month(pool, STAYS)
    ask(pool, AS_OF - timedelta(days=28))
    assert run_month_replays(clock=lambda: AS_OF - timedelta(days=28)) == 1
    assert not Recommendation.objects.exists()
    recommend(as_of=AS_OF - timedelta(days=28), made_at=AS_OF, pools=[row(pool)])
    ask(pool)
    assert run_month_replays(clock=clock) == 1
    assert Recommendation.objects.count() == 1
