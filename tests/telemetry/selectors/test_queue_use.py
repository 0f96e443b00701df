"""Who used a pool, from days and edges, is who used its very hours, and adds up to the ledger's busy time."""

import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from reservations.domain.period import HOUR, Period, month_period, zone
from reservations.models import Owner, Queue
from telemetry.domain.ledger import BUSY_ROLES, LedgerHour, QueueHour
from telemetry.domain.split import QueueUse, by_team, by_workload
from telemetry.models import PoolDayQueue, PoolHour, PoolHourQueue
from telemetry.selectors.queue_use import queue_use
from telemetry.services.ledger import store_hours
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db

START = datetime(2026, 2, 25, 7, tzinfo=UTC)
SPAN = Period(START, START + timedelta(days=40))
ZONES = ("UTC", "Asia/Kolkata", "America/New_York", "Pacific/Kiritimati", "Australia/Lord_Howe")


def any_hours(seed: int) -> Iterator[LedgerHour]:
    """Hours with gaps; queues come and go, and in some hours nobody knows what was busy."""
    dice = random.Random(seed)
    for hour in SPAN.hours():
        if dice.random() < 0.2:
            continue
        blind = dice.random() < 0.2
        names = [name for name in ("", "cq-a", "cq-b", "cq-nobody") if dice.random() < 0.7]
        queues = tuple(
            QueueHour(
                name,
                dice.choice([None, dice.randint(0, 10**9)]),
                **{role: None if blind else _busy(dice, name, role) for role in BUSY_ROLES},
            )
            for name in names
        )
        roles = {role: None if blind else sum(getattr(queue, role) for queue in queues) for role in BUSY_ROLES}
        known = [queue.allocated for queue in queues if queue.allocated is not None]
        yield LedgerHour(
            hour=hour,
            reserved=10**10,
            paid=10**10,
            busy=None if blind else sum(roles.values()),
            allocated=sum(known) if known else None,
            queues=queues,
            **roles,
        )


def _busy(dice: random.Random, queue: str, role: str) -> int:
    """No quota applies to what runs outside any queue."""
    return dice.randint(0, 10**9) if queue or role.startswith("un") else 0


@pytest.fixture
def pool_ids() -> list[int]:
    """Three pools, of which the third has nothing; written in parts, as a collector does."""
    pools = [a_pool(name) for name in ("one", "two", "three")]
    for seed, pool in enumerate(pools[:2]):
        rows = list(any_hours(seed))
        for part in (rows[:300], rows[300:310], rows[310:]):
            store_hours(pool_id=pool.pk, source="main", hours=part, read_at=SPAN.end)
    return [pool.pk for pool in pools]


def summed_by_hand(pool_ids: list[int], period: Period) -> dict[tuple[object, ...], list[int | None]]:
    sums: dict[tuple[object, ...], list[int | None]] = defaultdict(lambda: [None] * 5)
    rows = PoolHourQueue.objects.select_related("pool_hour").filter(pool_hour__pool_id__in=pool_ids)
    for row in rows:
        if row.pool_hour.hour.astimezone(UTC) not in period:
            continue
        sum_ = sums[row.pool_hour.pool_id, row.cluster_queue != "", row.team, row.workload]
        for place, name in enumerate(("allocated", *BUSY_ROLES)):
            value = getattr(row, name)
            sum_[place] = sum_[place] if value is None else (sum_[place] or 0) + value
    return sums


def told(rows: list[QueueUse]) -> dict[tuple[object, ...], list[int | None]]:
    return {
        (row.pool_id, row.queued, row.team, row.workload): [getattr(row, name) for name in ("allocated", *BUSY_ROLES)]
        for row in rows
    }


def test_a_month_is_the_sum_of_its_hours_in_every_zone(pool_ids: list[int]) -> None:
    for name in ZONES:
        period = month_period(date(2026, 3, 1), zone(name))
        assert told(queue_use(pool_ids=pool_ids, period=period)) == summed_by_hand(pool_ids, period), name


def test_any_run_of_hours_is_the_sum_of_its_hours(pool_ids: list[int]) -> None:
    for first, last in ((3, 9), (16, 18), (17, 41), (0, 24 * 30), (100, 101)):
        period = Period(START + first * HOUR, START + last * HOUR)
        assert told(queue_use(pool_ids=pool_ids, period=period)) == summed_by_hand(pool_ids, period), (first, last)


def test_the_parts_are_the_ledgers_busy_to_the_millisecond(pool_ids: list[int]) -> None:
    period = month_period(date(2026, 3, 1), UTC)
    hours = PoolHour.objects.filter(pool_id__in=pool_ids, hour__gte=period.start, hour__lt=period.end)
    busy = sum(hour.busy or 0 for hour in hours)
    rows = queue_use(pool_ids=pool_ids, period=period)
    for parts in (by_team(rows, busy), by_workload(rows, busy)):
        assert sum(part.busy for part in parts) == busy
        assert "not split" not in [part.name for part in parts]


def test_a_queue_that_an_hour_no_longer_names_leaves_its_day(pool_ids: list[int]) -> None:
    day = {"pool_id": pool_ids[0], "day": date(2026, 3, 3)}
    assert PoolDayQueue.objects.filter(**day).count() > 1
    midnight = datetime(2026, 3, 3, tzinfo=UTC)
    bare = [LedgerHour(hour=midnight + place * HOUR, reserved=1, paid=1) for place in range(24)]
    store_hours(pool_id=pool_ids[0], source="main", hours=bare, read_at=SPAN.end + HOUR, force=True)
    assert not PoolDayQueue.objects.filter(**day).exists()


def test_what_a_queues_hours_were_written_for_stays_when_it_changes_hands(pool_ids: list[int]) -> None:
    Queue.objects.filter(pool_id=pool_ids[0], cluster_queue="cq-a").update(owner=Owner.objects.create(name="newcomer"))
    hour = LedgerHour(
        hour=SPAN.end, reserved=9, paid=9, busy=3, owner_busy=3, borrower_busy=0, unmanaged_busy=0,
        unattributed_busy=0, queues=(QueueHour("cq-a", None, 3),),
    )  # fmt: skip
    store_hours(pool_id=pool_ids[0], source="main", hours=[hour], read_at=SPAN.end + HOUR)
    period = Period(SPAN.start, SPAN.end + HOUR)
    teams = {row.team: row.owner_busy for row in queue_use(pool_ids=pool_ids[:1], period=period)}
    assert teams["newcomer"] == 3
    assert teams["serving"]


def test_one_query_is_enough(pool_ids: list[int], django_assert_num_queries: object) -> None:
    with django_assert_num_queries(1):
        queue_use(pool_ids=pool_ids, period=SPAN)
