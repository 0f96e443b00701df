"""Tries to compute an hour are kept for a season; the newest of each kind for good."""

from datetime import UTC, datetime, timedelta

import pytest

from reservations.models import Account, Owner, Pool, Reservation, ReservationObservation, SyncRun
from telemetry.models import CollectionRun
from telemetry.services.retention import forget_old_runs
from telemetry.tasks import forget_old_runs as task

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def pools() -> list[Pool]:
    owner = Owner.objects.create(name="serving")
    made = [Pool(name=name, owner=owner, instance_type="p5", gpus_per_node=8) for name in ("h100", "h200")]
    return Pool.objects.bulk_create(made)


def run(pool: Pool, days_ago: float, status: str = "stored", source: str = "main") -> CollectionRun:
    at = NOON - days_ago * DAY
    return CollectionRun.objects.create(pool=pool, source=source, hour=at, read_at=at, status=status)


def left() -> set[int]:
    return set(CollectionRun.objects.values_list("pk", flat=True))


def test_runs_of_the_last_ninety_days_stay_and_older_ones_go(pools: list[Pool]) -> None:
    stay = {run(pools[0], days).pk for days in (0, 1, 89, 90)}
    for days in (90.001, 91, 400):
        run(pools[0], days)
    assert forget_old_runs(as_of=NOON) == 3
    assert left() == stay
    assert forget_old_runs(as_of=NOON) == 0


def test_the_newest_of_every_pool_source_and_outcome_stays_however_old(pools: list[Pool]) -> None:
    stay = {
        run(pool, 200, status, source).pk
        for pool in pools
        for status in ("stored", "failed")
        for source in ("main", "old")
    }
    for pool in pools:
        run(pool, 201), run(pool, 300, "failed"), run(pool, 300, "stored", "old")
    assert forget_old_runs(as_of=NOON) == 6
    assert left() == stay


def test_sweeps_and_observations_stay_for_good(pools: list[Pool]) -> None:
    then = NOON - 900 * DAY
    account = Account.objects.create(name="prod", account_id="111122223333", regions=["us-east-1"])
    seen = Reservation.objects.create(
        arn="arn", external_id="cr-0aaa", kind="on_demand", state="active", first_seen_at=then, last_seen_at=then
    )
    for days in range(2):
        at = then + days * DAY
        SyncRun.objects.create(account=account, region="us-east-1", as_of=at, finished_at=at, complete=True)
        ReservationObservation.objects.create(reservation=seen, observed_at=at, state_raw="active", total_count=1)
    forget_old_runs(as_of=NOON)
    assert (SyncRun.objects.count(), ReservationObservation.objects.count()) == (2, 2)


def test_the_task_forgets_as_of_now(pools: list[Pool]) -> None:
    old, new = datetime.now(UTC) - 91 * DAY, datetime.now(UTC)
    for at in (old, new):
        CollectionRun.objects.create(pool=pools[0], hour=at, read_at=at, status="stored")
    task()
    assert [one.read_at for one in CollectionRun.objects.all()] == [new]
