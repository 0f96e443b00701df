from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reservations.domain.period import HOUR, Period
from reservations.selectors.pools import pool_named
from telemetry.domain.use import UseHour
from telemetry.selectors.demand import demand_trace
from telemetry.selectors.use import use_and_demand, use_hours
from telemetry.services.ledger import store_hours
from telemetry.services.traces import import_trace
from tests.telemetry.domain.lawful_rows import TEN, H, bare, lawful
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db


def test_hours_of_two_pools_are_summed_and_reserved_counts_where_busy_is_known(django_assert_num_queries) -> None:
    one, other = a_pool("one"), a_pool("two")
    read_at = TEN + timedelta(days=2)
    store_hours(pool_id=one.pk, source="main", hours=[lawful(0), lawful(1, busy=3 * H)], read_at=read_at)
    store_hours(pool_id=other.pk, source="", hours=[bare(1), bare(2)], read_at=read_at)
    with django_assert_num_queries(1):
        found = use_hours(pool_ids=[one.pk, other.pk], period=Period(TEN, TEN + 3 * HOUR))
    assert found == [
        UseHour(TEN, 16 * H, 6 * H, 16 * H, 3 * H),
        UseHour(TEN + HOUR, 32 * H, 3 * H, 16 * H, 3 * H),
        UseHour(TEN + 2 * HOUR, 16 * H, None, 0, None),
    ]


def test_without_loads_the_same_hours_say_how_busy_they_were_and_no_more() -> None:
    pool = a_pool("one")
    hours = [lawful(0), bare(1), lawful(2, busy=3 * H)]
    store_hours(pool_id=pool.pk, source="main", hours=hours, read_at=TEN + timedelta(days=2))
    asked = {"pool_ids": [pool.pk], "period": Period(TEN, TEN + 3 * HOUR)}
    whole = use_hours(**asked)
    assert use_hours(**asked, loads=False) == [replace(row, reserved=None, allocated=None) for row in whole]
    assert [row.busy for row in whole] == [6 * H, None, 3 * H]


def test_hours_outside_the_period_and_of_other_pools_are_left_out() -> None:
    pool, other = a_pool("one"), a_pool("two")
    for each in (pool, other):
        hours = [lawful(number) for number in range(3)]
        store_hours(pool_id=each.pk, source="main", hours=hours, read_at=datetime(2026, 6, 1, tzinfo=UTC))
    found = use_hours(pool_ids=[pool.pk], period=Period(TEN + HOUR, TEN + 2 * HOUR))
    assert [(row.hour, row.busy) for row in found] == [(TEN + HOUR, 6 * H)]


def test_demand_comes_with_the_hours_in_one_query_and_is_that_of_the_trace(
    tmp_path: Path, django_assert_num_queries
) -> None:
    pool = a_pool("needed")
    rows = [lawful(number) for number in (0, 1, 5)]
    store_hours(pool_id=pool.pk, source="main", hours=rows, read_at=TEN + timedelta(days=2))
    told = tmp_path / "told.csv"
    later = TEN + timedelta(hours=3)
    told.write_text(f"hour,workload,nodes\n{later.isoformat()},serving,2.5\n{later.isoformat()},batch,1\n")
    import_trace(path=told, pool=pool_named(pool.name), as_of=TEN + timedelta(days=2))
    day = Period(TEN, TEN + timedelta(days=1))
    with django_assert_num_queries(1):
        use, needed = use_and_demand(pool_id=pool.pk, period=day)
    assert use == use_hours(pool_ids=[pool.pk], period=day)
    trace = demand_trace(pool_id=pool.pk, period=day)
    assert (needed.nodes, needed.bound_only) == (trace.nodes, len(trace.bound_only)) == ((1, 1, 4, 1), 3)
