"""What the ledger is given: sizes, observations and membership of a pool's reservations in a period."""

from decimal import Decimal

import pytest
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain.held import AvailableSeen, SizeSpan
from reservations.domain.period import Period
from reservations.domain.reservation_state import Kind
from reservations.models import Owner, Pool, PoolMembership, Reservation
from reservations.selectors.held import held_during
from reservations.services.sweeps import record_sweeps
from tests.reservations.services.sweep_rows import at, configure, listed, sweep

pytestmark = pytest.mark.django_db

HOUR = Period(at(60), at(120))


@pytest.fixture
def pool(db: None) -> Pool:
    configure()
    owner = Owner.objects.create(name="serving")
    return Pool.objects.create(name="h100", owner=owner, instance_type="p5.48xlarge", gpus_per_node=Decimal(8))


def joins(pool: Pool, name: str, since: float | None = None, until: float | None = None) -> None:
    PoolMembership.objects.create(
        pool=pool,
        reservation=Reservation.objects.get(external_id=name),
        period=DateTimeTZRange(None if since is None else at(since), None if until is None else at(until)),
    )


def test_sizes_that_overlap_and_observations_from_ten_minutes_before(pool: Pool) -> None:
    for minute, total, free in ((0, 4, 0), (49, 4, 1), (50, 4, 2), (90, 6, 3), (120, 6, 4), (125, 7, 5)):
        record_sweeps(sweeps=[sweep(minute, listed(total=total, free=free))])
    joins(pool, "cr-0aaa")
    (held,) = held_during(pool_id=pool.pk, period=HOUR)
    assert held.sizes == (SizeSpan(at(-60), at(90), 4), SizeSpan(at(90), at(125), 6))
    assert held.observations == (AvailableSeen(at(50), 2), AvailableSeen(at(90), 3), AvailableSeen(at(120), 4))
    assert (held.external_id, held.member_from, held.member_until) == ("cr-0aaa", None, None)
    assert (held.start_at, held.end_at) == (at(-60), None)


def test_free_slots_are_unknown_unless_the_state_is_active_and_it_is_listed(pool: Pool) -> None:
    record_sweeps(sweeps=[sweep(55, listed(free=2)), sweep(60, listed(free=2, state="some-new-state")), sweep(65)])
    joins(pool, "cr-0aaa")
    (held,) = held_during(pool_id=pool.pk, period=HOUR)
    assert [seen.available for seen in held.observations] == [2, None, None]
    assert held.sizes == (SizeSpan(at(-60), at(65), 4),)


def test_a_size_ends_with_the_reservation_even_if_nothing_was_seen_since(pool: Pool) -> None:
    record_sweeps(sweeps=[sweep(0, listed(end_at=at(100), usable_until=at(70)))])
    joins(pool, "cr-0aaa")
    (held,) = held_during(pool_id=pool.pk, period=HOUR)
    assert held.sizes == (SizeSpan(at(-60), at(100), 4),)
    assert (held.end_at, held.usable_until) == (at(100), at(70))


def test_capacity_that_is_gone_but_billed_is_not_usable(pool: Pool) -> None:
    record_sweeps(sweeps=[sweep(0, listed()), sweep(80, listed(state="cancelling"))])
    joins(pool, "cr-0aaa")
    (held,) = held_during(pool_id=pool.pk, period=HOUR)
    assert held.sizes == (SizeSpan(at(-60), at(80), 4), SizeSpan(at(80), None, 4, usable=False))


def test_only_memberships_that_touch_the_period_count_and_a_return_is_its_own(pool: Pool) -> None:
    record_sweeps(sweeps=[sweep(0, *(listed(name) for name in ("cr-0aaa", "cr-0bbb", "cr-0ccc")))])
    joins(pool, "cr-0aaa", None, 70)
    joins(pool, "cr-0aaa", 80, None)
    joins(pool, "cr-0bbb", 0, 60)
    joins(pool, "cr-0ccc", 119)
    found = [
        (held.external_id, held.member_from, held.member_until) for held in held_during(pool_id=pool.pk, period=HOUR)
    ]
    assert found == [("cr-0aaa", None, at(70)), ("cr-0aaa", at(80), None), ("cr-0ccc", at(119), None)]


def test_it_asks_three_times_however_many_there_are(pool: Pool, django_assert_num_queries) -> None:
    names = [f"cr-{i}" for i in range(5)]
    record_sweeps(sweeps=[sweep(minute, *(listed(name) for name in names)) for minute in (55, 60, 65)])
    for name in names:
        joins(pool, name)
    with django_assert_num_queries(3):
        assert len(held_during(pool_id=pool.pk, period=HOUR)) == 5


@pytest.mark.parametrize(("kind", "until"), [(Kind.BLOCK, 70), (Kind.ON_DEMAND, None)])
def test_a_block_that_nobody_said_more_of_works_until_half_an_hour_before_its_end_at_the_latest(
    pool: Pool, kind: Kind, until: float | None
) -> None:
    record_sweeps(sweeps=[sweep(0, listed(kind=kind, end_at=at(100), usable_until=None))])
    joins(pool, "cr-0aaa")
    (held,) = held_during(pool_id=pool.pk, period=HOUR)
    assert held.usable_until == (None if until is None else at(until))
