from datetime import UTC, datetime, timedelta

import pytest

from reservations.models import Account, Owner, Pool, SyncRun
from telemetry.models import CollectionRun, MetricsSource, PoolHour, PoolSource
from telemetry.selectors.sources import SourceState, source_freshness

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 10, 12, 4, tzinfo=UTC)  # the hour that ended at 12:00 is due a minute later
HOUR = timedelta(hours=1)


@pytest.fixture
def pool() -> Pool:
    owner = Owner.objects.create(name="serving")
    pool = Pool.objects.create(name="h100", owner=owner, instance_type="p5", gpus_per_node=8)
    PoolSource.objects.create(pool=pool, source=MetricsSource.objects.create(name="main", url="http://127.0.0.1:1"))
    return pool


def hour(pool: Pool, start: datetime, *, final: bool = True) -> None:
    PoolHour.objects.create(pool=pool, hour=start, source="main", reserved=0, paid=0, read_at=start, final=final)


def run(pool: Pool, status: str, read_at: datetime, message: str = "") -> None:
    CollectionRun.objects.create(
        pool=pool, source="main", hour=read_at, read_at=read_at, status=status, message=message
    )


def state(as_of: datetime = NOON) -> SourceState:
    return source_freshness(as_of=as_of)[0]


def test_a_source_that_never_gave_anything_says_so(pool: Pool) -> None:
    found = state()
    assert (found.name, found.kind, found.pools) == ("main", "prometheus", ("h100",))
    assert (found.last_success_at, found.data_until, found.lag, found.failing) == (None, None, None, False)
    assert (found.hours_missing, found.hours_not_final) == (167, 0)  # of seven days the newest hour is not due yet


def test_the_lag_is_from_the_end_of_the_newest_hour(pool: Pool) -> None:
    newest = datetime(2026, 5, 10, 10, tzinfo=UTC)
    hour(pool, newest)
    run(pool, "stored", newest + HOUR)
    found = state()
    assert (found.data_until, found.lag) == (newest + HOUR, timedelta(hours=1, minutes=4))
    assert found.last_success_at == newest + HOUR
    assert found.hours_missing == 0


def test_a_gap_counts_as_missing_from_the_first_hour_there_is(pool: Pool) -> None:
    hour(pool, NOON.replace(hour=6, minute=0))
    hour(pool, NOON.replace(hour=10, minute=0))
    assert state().hours_missing == 3


def test_only_hours_that_should_be_final_count_as_not_final(pool: Pool) -> None:
    today = NOON.replace(minute=0)
    hour(pool, today - 3 * HOUR, final=False)
    hour(pool, today - 40 * HOUR, final=False)
    hour(pool, today - 41 * HOUR)
    assert state().hours_not_final == 1


def test_the_last_error_stays_until_a_newer_one_and_failing_ends_with_a_success(pool: Pool) -> None:
    run(pool, "failed", NOON - 3 * HOUR, "older")
    run(pool, "failed", NOON - 2 * HOUR, "main does not answer")
    assert (state().failing, state().last_error) == (True, "main does not answer")
    run(pool, "stored", NOON - HOUR)
    assert (state().failing, state().last_error, state().last_error_at) == (
        False, "main does not answer", NOON - 2 * HOUR,
    )  # fmt: skip


def test_one_failing_pool_of_two_makes_its_source_failing(pool: Pool) -> None:
    other = Pool.objects.create(name="h200", owner=pool.owner, instance_type="p5en", gpus_per_node=8)
    PoolSource.objects.create(pool=other, source=MetricsSource.objects.get())
    run(pool, "failed", NOON - 2 * HOUR, "no such label")
    run(other, "stored", NOON - HOUR)
    assert state().failing


def test_every_region_of_every_account_is_a_source_of_its_own(pool: Pool) -> None:
    account = Account.objects.create(name="prod", account_id="111122223333", regions=["us-east-1", "eu-west-1"])
    run_of = {"account": account, "region": "us-east-1"}
    SyncRun.objects.create(
        **run_of, as_of=NOON - HOUR, finished_at=NOON, complete=True, degraded={"DescribeInstances": "not allowed"}
    )
    SyncRun.objects.create(**run_of, as_of=NOON, finished_at=NOON, complete=False, error="access denied")
    eu_free, us = source_freshness(as_of=NOON)[1:][::-1]
    assert (us.name, us.kind, us.data_until, us.failing) == ("prod us-east-1", "aws", NOON - HOUR, True)
    assert (us.last_error, us.degraded, us.hours_missing) == ("access denied", ("not allowed",), None)
    assert (eu_free.name, eu_free.last_success_at, eu_free.failing) == ("prod eu-west-1", None, False)


def test_more_pools_cost_no_more_queries(pool: Pool, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(9):  # type: ignore[operator]
        source_freshness(as_of=NOON)
