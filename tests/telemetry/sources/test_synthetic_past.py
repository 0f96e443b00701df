"""The demo fleet's older months: every identity holds, and they look like the months that were sampled."""

from datetime import datetime
from decimal import Decimal

import pytest

from reservations.domain.held import AvailableSeen, Held, PoolShape, SizeSpan
from reservations.domain.period import HOUR, Period, hour_period
from telemetry.domain.accounting import Threshold, ledger_hour
from telemetry.domain.ledger import LedgerHour
from telemetry.sources.synthetic import fetch
from telemetry.sources.synthetic.nodes import reservation_id
from telemetry.sources.synthetic.past import past_hours
from telemetry.sources.synthetic.story import POOLS, SERVING, SPRINT, TRAINING, PoolStory, instant, world_at
from tests.telemetry.sources.fleet_worlds import URL, asked, at

WORLD = world_at(URL)
GPU_HOUR = 3_600_000


def hours(pool: PoolStory, first: int, last: int) -> list[LedgerHour]:
    return list(past_hours(WORLD, pool, Period(at(first), at(last))))


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.name)
def test_every_identity_holds_in_every_older_hour(pool: PoolStory) -> None:
    for row in hours(pool, -346, -336):
        assert row.reserved == row.ec2_unused + row.not_joined + row.not_observed + row.unknown + row.idle + row.busy
        assert row.idle == row.idle_held + row.idle_free
        assert row.busy == row.owner_busy + row.borrower_busy + row.unmanaged_busy + row.unattributed_busy
        assert row.known + row.unknown == row.expected
        assert 0 <= 20 * row.sm <= 20 * row.busy + row.idle
        assert 0 <= row.allocated <= row.expected
        assert sum(queue.allocated for queue in row.queues) == row.allocated
        assert sum(queue.owner_busy for queue in row.queues) == row.owner_busy
        assert min(row.ec2_unused, row.not_joined, row.unknown, row.idle_held, row.idle_free) >= 0


def test_a_block_bills_half_an_hour_longer_than_it_works() -> None:
    rows = hours(SPRINT, -362, -339)
    assert sum(row.paid for row in rows) == 21 * 24 * 4 * 8 * GPU_HOUR
    assert sum(row.paid - row.reserved for row in rows) == 4 * 8 * GPU_HOUR // 2


def test_a_pool_between_two_blocks_has_hours_with_nothing_in_them() -> None:
    assert {(row.reserved, row.paid, row.expected) for row in hours(SPRINT, -300, -299)} == {(0, 0, 0)}


def test_hours_that_are_told_look_like_hours_that_are_sampled() -> None:
    for pool in (SERVING, TRAINING):
        told, sampled = hours(pool, -40, -38), [_sampled(pool, hour) for hour in Period(at(-40), at(-38)).hours()]
        for name in ("reserved", "expected", "busy", "idle_held", "owner_busy", "borrower_busy", "sm", "allocated"):
            ours, theirs = (sum(getattr(row, name) for row in rows) / GPU_HOUR for rows in (told, sampled))
            reserved = sum(row.reserved for row in sampled) / GPU_HOUR
            assert abs(ours - theirs) < 0.04 * reserved, name


def _sampled(pool: PoolStory, hour: datetime) -> LedgerHour:
    held = []
    for promise in WORLD.promises_of(pool):
        seen = tuple(AvailableSeen(hour + step * HOUR / 12, 0) for step in range(-2, 13))
        size = SizeSpan(instant(promise.start_ms), None, promise.size_at(int(hour.timestamp() * 1000)))
        end = None if promise.end_ms is None else instant(promise.end_ms)
        held.append(Held(reservation_id(WORLD, promise), (size,), seen, instant(promise.start_ms), end, end))
    usage = fetch(asked(hour, pool.name))
    shape = PoolShape(pool.name, Decimal(8), pool.flavor, tuple(queue.name for queue in pool.queues))
    assert usage.period == hour_period(hour)
    return ledger_hour(hour=hour, pool=shape, held=held, usage=usage, threshold=Threshold(Decimal("0.05")))[0]
