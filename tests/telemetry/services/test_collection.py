"""Collection: whatever the order and however often, one failing part hides no other."""

import os
import signal
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from hypothesis import given, settings
from hypothesis import strategies as st

from reservations.domain.period import Period
from reservations.models import Pool, PoolMembership, Reservation
from telemetry.domain.ledger import LedgerHour
from telemetry.models import CollectionRun, MetricsSource, PoolHour, PoolSource
from telemetry.selectors.ledger import ledger_hours
from telemetry.services.collection import COLLECT_LOCK, CollectionReport, collect_due_hours, collect_hours
from tests.telemetry.services.collected_fleet import (
    FLEET,
    HOUR,
    NOWHERE,
    TEN,
    hours_of,
    pool,
    reserve,
    settle,
    source,
    tries,
)
from tests.telemetry.services.other_process import running

pytestmark = pytest.mark.django_db

AFTER = timedelta(minutes=5)
DAY = timedelta(days=1)


def collect(pools: Sequence[Pool], hours: int = 3, first: int = 0, **said: object) -> CollectionReport:
    period = Period(TEN + first * HOUR, TEN + (first + hours) * HOUR)
    options: dict[str, object] = {"as_of": period.end + AFTER, **said}
    return collect_hours(pool_ids=[one.pk for one in pools], period=period, **options)  # type: ignore[arg-type]


def rows(of: Pool, hours: int = 6) -> list[LedgerHour]:
    return ledger_hours(pool_id=of.pk, period=Period(TEN, TEN + hours * HOUR))


def test_an_hour_of_the_fleet_comes_through_with_every_identity_whole() -> None:
    serving = pool("serving-h100", source("main"))
    reserve(3)
    report = collect([serving])
    assert (report.counts, report.problems) == ({"stored": 3}, {})
    for row in rows(serving):
        assert row.reserved == row.paid == 10 * 8 * 3_600_000
        terms = (row.ec2_unused, row.not_joined, row.not_observed, row.unknown, row.idle, row.busy)
        assert row.reserved == sum(term for term in terms if term is not None)
        assert None not in terms
        assert row.busy
        assert "identity_violated" not in row.flags
    assert [(hour, status) for hour, status, _ in tries(serving)] == [(TEN + n * HOUR, "stored") for n in range(3)]
    assert set(PoolHour.objects.values_list("source", "read_at")) == {("main", TEN + 3 * HOUR + AFTER)}


RUNS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from([AFTER, HOUR, DAY, 30 * HOUR])),
    min_size=1,
    max_size=5,
)


@settings(max_examples=10, deadline=None)
@given(runs=RUNS, again=st.randoms(use_true_random=False))
def test_runs_in_any_order_and_any_number_end_in_the_rows_of_the_newest_reading(
    runs: list[tuple[int, int, timedelta]], again: object
) -> None:
    for model in (CollectionRun, PoolHour, PoolSource, Pool, MetricsSource):
        model.objects.all().delete()
    serving = pool("sprint-b200", source("main"))
    repeated = [*runs, *runs[:2]]
    again.shuffle(repeated)  # type: ignore[attr-defined]
    for first, hours, after in repeated:
        collect([serving], hours, first, as_of=TEN + (first + hours) * HOUR + after)
    newest: dict[datetime, datetime] = {}
    for first, hours, after in runs:
        for number in range(first, first + hours):
            hour, read_at = TEN + number * HOUR, TEN + (first + hours) * HOUR + after
            newest[hour] = max(newest.get(hour, read_at), read_at)
    stands = {row.hour: row for row in PoolHour.objects.all()}
    assert {hour: row.read_at for hour, row in stands.items()} == newest
    assert {hour for hour, row in stands.items() if row.final} == {
        hour for hour, read_at in newest.items() if read_at >= hour + HOUR + DAY
    }
    once = {(row.hour, row.busy, row.known, row.queues, row.flags) for row in rows(serving)}
    PoolHour.objects.all().delete()
    collect([serving], 5)
    assert once <= {(row.hour, row.busy, row.known, row.queues, row.flags) for row in rows(serving)}


def test_a_pool_without_a_source_has_its_reservations_alone() -> None:
    serving = pool("serving-h100")
    reserve(1)
    collect([serving], 1, as_of=TEN + HOUR + DAY)
    (row,) = rows(serving)
    assert (row.flags, row.expected, row.busy, row.final) == (("no_metrics_source",), None, None, True)
    assert row.reserved > 0
    assert PoolHour.objects.get().source == ""


def test_a_row_depends_on_its_own_hour_and_not_on_the_others_collected_with_it() -> None:
    sprint = pool("sprint-b200", source("main"))
    reserve(3)
    other = Reservation.objects.exclude(memberships__pool=sprint).earliest("pk")
    PoolMembership.objects.update(period=DateTimeTZRange(None, TEN + HOUR))
    PoolMembership.objects.create(pool=sprint, reservation=other, period=DateTimeTZRange(TEN, None))
    collect([sprint])
    together = rows(sprint)
    assert [bool(row.expected) for row in together] == [True, False, False]
    PoolHour.objects.all().delete()
    for number in range(3):
        collect([sprint], 1, number)
    assert rows(sprint) == together


def test_one_failing_source_or_pool_hides_no_other() -> None:
    fleet = source("main")
    down, wrong = pool("a-down", source("down", NOWHERE)), pool("b-wrong", source("wrong", "synthetic://x"))
    unknown, serving, bare = pool("c-unknown", fleet), pool("serving-h100", fleet), pool("z-bare")
    report = collect([down, wrong, unknown, serving, bare], 4)
    assert report.counts == {"stored": 8, "failed": 12}
    assert hours_of(serving) == hours_of(bare) == [TEN + n * HOUR for n in range(4)]
    assert [len(tries(one)) for one in (down, wrong, unknown)] == [3, 3, 3]
    assert {status for one in (down, wrong, unknown) for _, status, _ in tries(one)} == {"failed"}
    assert [problem for problem in report.problems if "source “down” gave no answer 3 times in a row" in problem]
    assert any("no demo fleet" in problem for problem in report.problems)


def test_a_source_that_is_down_is_asked_once_more_for_each_further_pool() -> None:
    down = source("down", NOWHERE)
    first, second = pool("a", down), pool("b", down)
    report = collect([first, second], 5)
    assert (len(tries(first)), len(tries(second)), report.counts) == (3, 1, {"failed": 10})


def test_what_nobody_anticipated_in_one_pool_is_raised_after_the_others_had_their_turn() -> None:
    broken, serving = pool("a-broken", source("odd", NOWHERE)), pool("serving-h100", source("main"))
    MetricsSource.objects.filter(name="odd").update(names=5)  # no form and no file lets that through
    with pytest.raises(ExceptionGroup) as raised:
        collect([broken, serving], 2)
    assert [error.__notes__ for error in raised.value.exceptions] == [["while collecting the pool “a-broken”"]]
    assert len(hours_of(serving)) == 2


def test_the_progress_counts_every_pool_hour_once_however_it_ends() -> None:
    done: list[int] = []
    pools = [pool("a-down", source("down", NOWHERE)), pool("serving-h100", source("main"))]
    collect(pools, 5, advance=done.append)
    assert sum(done) == 10


def test_hours_that_have_not_ended_are_not_computed() -> None:
    with pytest.raises(ValueError, match="the period ends at"):
        collect([pool("serving-h100")], 1, as_of=TEN + HOUR - timedelta(seconds=1))
    assert PoolHour.objects.count() == 0


def test_each_hour_is_computed_five_minutes_an_hour_and_a_day_after_it_ended() -> None:
    bare = pool("serving-h100")
    for tick in range(60):
        collect_due_hours(as_of=TEN + tick * HOUR + AFTER)
    hour = TEN + 20 * HOUR
    end = hour + HOUR
    assert [(status, at - end) for of, status, at in tries(bare) if of == hour] == [
        ("stored", AFTER),
        ("unchanged", HOUR + AFTER),
        ("stored", DAY + AFTER),
    ]
    assert PoolHour.objects.get(hour=hour).final


def test_hours_a_stopped_worker_missed_are_made_up_newest_first_by_the_next_runs() -> None:
    bare = pool("serving-h100")
    collect_due_hours(as_of=TEN + AFTER)
    back = TEN + 5 * DAY + AFTER
    runs = 0
    while collect_due_hours(as_of=back + runs * HOUR).counts.total() == 48:
        runs += 1
        assert runs < 12
    now = TEN + 5 * DAY + runs * HOUR
    hours = hours_of(bare)
    assert hours[-1] == now - HOUR
    assert len(hours) == (hours[-1] - hours[0]) // HOUR + 1
    assert hours[0] <= TEN - 8 * DAY
    late = PoolHour.objects.filter(final=False)
    assert {row.hour for row in late} == {now - number * HOUR for number in range(1, 25)}
    first = [hour for hour, _, at in tries(bare) if at == back]
    assert {back - AFTER - number * HOUR for number in range(1, 25)} <= set(first)


def test_hours_of_a_source_that_was_down_are_tried_newest_first_and_made_up() -> None:
    serving = pool("serving-h100", source("main", NOWHERE))
    settle(serving, "main", TEN - 6 * HOUR)
    assert collect_due_hours(as_of=TEN + AFTER).counts == {"failed": 6}
    MetricsSource.objects.update(url=FLEET, kind="synthetic")
    assert collect_due_hours(as_of=TEN + HOUR + AFTER).counts == {"stored": 7}
    assert [hour for hour, status, _ in tries(serving) if status == "failed"] == [TEN - n * HOUR for n in (3, 2, 1)]


def test_an_hour_of_another_source_is_offered_once_and_then_left_alone() -> None:
    serving = pool("serving-h100", source("main"))
    settle(serving, "main", TEN)
    collect([serving], 1)
    PoolSource.objects.update(source=source("other"))
    for number in range(1, 4):
        collect_due_hours(as_of=TEN + (number + 1) * HOUR + AFTER)
    assert [status for hour, status, _ in tries(serving) if hour == TEN] == ["stored", "refused"]
    row = PoolHour.objects.get(hour=TEN)
    assert (row.source, "second_source_refused" in row.flags) == ("main", True)


def test_a_source_that_is_configured_later_takes_over_the_hours_that_had_none() -> None:
    serving = pool("serving-h100")
    collect([serving], 2, as_of=TEN + DAY * 2)
    PoolSource.objects.update(source=source("main"))
    assert collect([serving], 2, as_of=TEN + DAY * 3).counts == {"stored": 2}
    assert set(PoolHour.objects.values_list("source", "final")) == {("main", True)}


def test_hours_that_stand_from_a_source_wait_for_it_when_the_pool_has_none() -> None:
    serving = pool("serving-h100", source("main"))
    settle(serving, "main", TEN)
    collect([serving], 1)
    PoolSource.objects.update(source=None)
    assert collect_due_hours(as_of=TEN + 2 * HOUR + AFTER).counts == {"stored": 1}
    assert [status for hour, status, _ in tries(serving) if hour == TEN] == ["stored"]
    assert "second_source_refused" not in PoolHour.objects.get(hour=TEN).flags


HOLD = """
import sys, time
from telemetry.services.collection import COLLECT_LOCK
from telemetry.services.sole_run import sole_run
with sole_run(COLLECT_LOCK) as alone:
    print(alone, flush=True)
    time.sleep(120)
"""


def test_a_run_by_the_clock_leaves_the_work_to_one_that_is_under_way_until_that_one_is_dead() -> None:
    pool("serving-h100")
    with running(HOLD) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        assert collect_due_hours(as_of=TEN + AFTER) == CollectionReport()
        assert PoolHour.objects.count() == 0
        os.kill(other.pid, signal.SIGKILL)
        other.wait(30)
        with connection.cursor() as cursor:  # the server learns of the death at once, but not in no time
            cursor.execute("SELECT pg_advisory_lock(%s, 0), pg_advisory_unlock(%s, 0)", [COLLECT_LOCK] * 2)
        assert collect_due_hours(as_of=TEN + AFTER).counts["stored"] == 48
