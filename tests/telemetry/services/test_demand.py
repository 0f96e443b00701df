"""Demand is written with the hours it follows from, gives way to a file, and is made up where it is missing."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.domain.period import Period
from reservations.models import Pool
from reservations.selectors.pools import pool_named
from telemetry.domain.demand_hours import BOUND_ALONE, LEDGER
from telemetry.domain.details import HourDetails
from telemetry.domain.queued import AskedHour, QueuedWork
from telemetry.models import DemandHour, HourQueued
from telemetry.selectors.demand import demand_trace, held_demand, held_demands
from telemetry.services.demand import mend_demand
from telemetry.services.ledger import store_hours
from telemetry.services.traces import UnableToImport, import_trace
from telemetry.tasks import mend_demand as task
from tests.telemetry.domain.lawful_rows import TEN, H, lawful
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
DAY = Period(TEN - 10 * HOUR, TEN + 14 * HOUR)
READ = TEN + 6 * HOUR


def waits(cq_a: int | None = 0, cq_b: int | None = 4 * H, peak: int | None = 9) -> HourDetails:
    queued = (QueuedWork("cq-a", cq_a), QueuedWork("cq-b", cq_b))
    return HourDetails(asked=AskedHour(queued, None if peak is None else Fraction(peak)))


def stored(
    pool: Pool, *numbers: int, details: HourDetails | None = None, read: datetime = READ, **said: object
) -> None:
    rows = [lawful(number, **said) for number in numbers]
    told = {row.hour: details for row in rows} if details else None
    store_hours(pool_id=pool.pk, source="main", hours=rows, read_at=read, details=told)


def kept() -> list[tuple[object, ...]]:
    rows = DemandHour.objects.order_by("pool__name", "hour", "workload")
    return list(rows.values_list("pk", "hour", "workload", "nodes", "peak_nodes", "source"))


def test_bound_and_queued_become_nodes_by_workload() -> None:
    pool = a_pool()
    stored(pool, 0, details=waits())
    trace = demand_trace(pool_id=pool.pk, period=DAY)
    assert trace.hours == (TEN,)
    assert trace.by_workload == {
        "batch": (Decimal("0.625"),),  # 1 GPU held and 4 waited for, of 8
        "serving": (Decimal("0.25"),),
    }
    assert (trace.nodes, trace.peak, trace.sources) == ((1,), (Decimal("1.125"),), (LEDGER,))
    assert trace.bound_only == frozenset()


@pytest.mark.parametrize("details", [None, waits(cq_b=None, peak=None)])
def test_where_what_waits_is_unknown_demand_is_what_was_bound_and_says_so(details: HourDetails | None) -> None:
    pool = a_pool()
    stored(pool, 0, details=details)
    trace = demand_trace(pool_id=pool.pk, period=DAY)
    assert trace.by_workload["batch"] == (Decimal("0.125"),)
    assert (trace.peak, trace.sources, trace.bound_only) == ((None,), (BOUND_ALONE,), {TEN})


def test_what_waits_in_a_queue_of_two_pools_is_unknown_to_both() -> None:
    pool, other = a_pool(), a_pool("other")
    stored(pool, 0, details=waits())
    assert demand_trace(pool_id=pool.pk, period=DAY).bound_only == {TEN}
    other.queues.all().delete()
    stored(pool, 0, details=waits(), read=READ + HOUR)
    assert demand_trace(pool_id=pool.pk, period=DAY).bound_only == frozenset()


def test_an_hour_whose_allocation_is_unknown_is_missing() -> None:
    pool = a_pool()
    stored(pool, 0, 2, details=waits())
    queues = tuple(replace(queue, allocated=None) for queue in lawful().queues)
    stored(pool, 1, allocated=None, queues=queues, details=waits())
    assert demand_trace(pool_id=pool.pk, period=DAY).missing == (TEN + HOUR,)
    stored(pool, 2, allocated=None, queues=queues, details=waits(), read=READ + HOUR)
    assert demand_trace(pool_id=pool.pk, period=DAY).hours == (TEN,)


def test_the_same_reading_again_touches_no_row_and_another_replaces_its_hour() -> None:
    pool = a_pool()
    stored(pool, 0, 1, details=waits())
    before = kept()
    stored(pool, 1, 0, details=waits(), read=READ + HOUR)
    assert kept() == before
    stored(pool, 1, details=waits(cq_b=12 * H), read=READ + 2 * HOUR)
    assert (kept()[:2], kept()[3]) == (before[:2], before[3])
    assert demand_trace(pool_id=pool.pk, period=DAY).by_workload["batch"] == (Decimal("0.625"), Decimal("1.625"))
    assert HourQueued.objects.count() == 4


def test_a_file_goes_before_the_ledger_whichever_comes_first(tmp_path: Path) -> None:
    pool, file = a_pool(), tmp_path / "told.csv"
    file.write_text(f"hour,workload,nodes\n{TEN.isoformat()},serving,7\n{(TEN + HOUR).isoformat()},serving,8\n")
    stored(pool, 0, 2, details=waits())
    import_trace(path=file, pool=pool_named(pool.name), as_of=READ)
    stored(pool, 0, 1, 2, details=waits(cq_b=0), read=READ + HOUR)
    trace = demand_trace(pool_id=pool.pk, period=DAY)
    assert trace.nodes == (7, 8, 1)
    assert trace.sources == ("trace:told.csv", "trace:told.csv", LEDGER)
    assert trace.by_workload["batch"] == (0, 0, Decimal("0.125"))


def test_another_file_still_needs_force_where_a_file_stands(tmp_path: Path) -> None:
    pool = a_pool()
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(f"hour,workload,nodes\n{TEN.isoformat()},serving,7\n")
    import_trace(path=tmp_path / "one.csv", pool=pool_named(pool.name), as_of=READ)
    with pytest.raises(UnableToImport, match=r"stands from source “trace:one\.csv”"):
        import_trace(path=tmp_path / "two.csv", pool=pool_named(pool.name), as_of=READ)


def test_hours_from_before_there_was_demand_are_made_up_and_no_others() -> None:
    pool, other = a_pool(), a_pool("other")
    stored(pool, *range(0, 60, 3))
    stored(other, 0)
    before = [row[1:] for row in kept()]
    DemandHour.objects.filter(hour__gte=TEN + 3 * HOUR).delete()
    untouched = kept()
    assert mend_demand(since=TEN) == 19
    assert [row[1:] for row in kept()] == before
    assert set(untouched) <= set(kept())
    assert mend_demand(since=TEN) == 0
    DemandHour.objects.all().delete()
    task()
    assert [row[1:] for row in kept()] == before


def test_a_trace_is_read_in_one_query_however_long_it_is() -> None:
    pool = a_pool()
    stored(pool, *range(50))
    with CaptureQueriesContext(connection) as asked:
        trace = demand_trace(pool_id=pool.pk, period=Period(TEN, TEN + 48 * HOUR))
    assert len(asked) == 1
    assert len(trace.hours) == 48


def between_blocks(pool: Pool, *numbers: int, details: HourDetails | None = None, **said: object) -> None:
    """Hours in which nothing was held, and so nothing ran."""
    names = "reserved paid ec2_unused expected unknown idle idle_held idle_free allocated sm"
    nothing = dict.fromkeys([*names.split(), "owner_busy", "borrower_busy", "unattributed_busy"], 0)
    stored(pool, *numbers, busy=0, known=0, queues=(), details=details, **{**nothing, **said})


def test_between_two_blocks_demand_is_missing_and_not_nought_and_no_gap_either() -> None:
    pool = a_pool()
    stored(pool, 0, 1, 6)
    between_blocks(pool, 2, 3, 5, 7)
    off = {TEN + number * HOUR for number in (2, 3, 5, 7)}
    assert demand_trace(pool_id=pool.pk, period=DAY).hours == (TEN, TEN + HOUR, TEN + 6 * HOUR)
    trace = held_demand(pool_id=pool.pk, period=DAY)
    assert trace.hours == (TEN, TEN + HOUR, TEN + 6 * HOUR)
    assert (trace.not_held, trace.missing) == (off, (TEN + 4 * HOUR,))  # of hour 4 there is no row at all
    assert (trace.asked_hours, trace.coverage_share, trace.held_share) == (4, Fraction(3, 4), Fraction(4, 8))
    assert mend_demand(since=TEN) == 0  # so the nightly run does not come back to them


def test_what_is_known_to_wait_between_blocks_is_told_and_counts_in_no_size() -> None:
    pool = a_pool()
    stored(pool, 0, details=waits())
    between_blocks(pool, 1, details=waits())
    assert demand_trace(pool_id=pool.pk, period=DAY).hours == (TEN, TEN + HOUR)
    assert held_demand(pool_id=pool.pk, period=DAY).hours == (TEN,)


def test_of_a_pool_that_never_held_anything_every_hour_that_is_told_counts() -> None:
    pool = a_pool()
    between_blocks(pool, 0, 1, details=waits())
    trace = held_demand(pool_id=pool.pk, period=DAY)
    assert (trace.hours, trace.not_held, trace.held_share) == ((TEN, TEN + HOUR), frozenset(), 1)


def test_a_file_counts_in_every_hour_whatever_was_held(tmp_path: Path) -> None:
    pool, file = a_pool(), tmp_path / "told.csv"
    stored(pool, 0)
    between_blocks(pool, 1, 2)
    file.write_text(f"hour,workload,nodes\n{(TEN + HOUR).isoformat()},serving,7\n")
    import_trace(path=file, pool=pool_named(pool.name), as_of=READ)
    trace = held_demand(pool_id=pool.pk, period=DAY)
    assert (trace.hours, trace.not_held) == ((TEN, TEN + HOUR), {TEN + 2 * HOUR})


def test_demand_that_was_derived_while_nothing_was_held_is_forgotten_once() -> None:
    pool = a_pool()
    stored(pool, 0)
    between_blocks(pool, 1, 2)
    old = {"pool": pool, "workload": "batch", "source": BOUND_ALONE, "peak_nodes": None}
    DemandHour.objects.create(hour=TEN + HOUR, nodes=0, **old)
    DemandHour.objects.create(hour=TEN + 2 * HOUR, nodes=0, **{**old, "source": "trace:told.csv"})
    migration = import_module("telemetry.migrations.0010_no_demand_where_nothing_was_held")
    with connection.cursor() as cursor:
        cursor.execute(migration.FORGET)
    assert demand_trace(pool_id=pool.pk, period=DAY).hours == (TEN, TEN + 2 * HOUR)


def test_a_trace_is_read_again_only_after_something_was_written() -> None:
    pool, other = a_pool(), a_pool("other")
    stored(pool, 0)
    asked = [(pool.pk, DAY), (other.pk, DAY)]

    def read() -> tuple[int, tuple[tuple[datetime, ...], ...]]:
        with CaptureQueriesContext(connection) as queries:
            traces = held_demands(asked)
        return len(queries), tuple(trace.hours for trace in traces)

    assert read() == (2, ((TEN,), ()))
    assert read() == (1, ((TEN,), ()))
    stored(other, 3)
    assert read() == (2, ((TEN,), (TEN + 3 * HOUR,)))
    between_blocks(pool, 0, read=READ + HOUR)
    assert read() == (2, ((), (TEN + 3 * HOUR,)))
