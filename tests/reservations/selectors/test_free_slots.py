"""What is free now and since when, against a walk over every observation."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reservations.domain.period import Period
from reservations.models import Owner, Pool, Reservation, ReservationObservation, ReservationSize
from reservations.selectors.ends import reservation_ends
from reservations.selectors.free_runs import held_slots
from reservations.selectors.free_slots import HeldNow, held_now
from reservations.selectors.held import held_during
from tests.scheduler.front_page import NOW, POLL, observe, polled, publish_rule, reserve

pytestmark = pytest.mark.django_db

SEEN = st.tuples(st.booleans(), st.sampled_from(["active", "unavailable", "expired"]), st.none() | st.integers(0, 3))


@pytest.fixture
def pool(db: None) -> Pool:
    owner = Owner.objects.create(name="serving")
    return Pool.objects.create(name="serve", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)


def sized(held: Reservation) -> Reservation:
    """The same with a size for ever."""
    ReservationSize.objects.create(
        reservation=held, period=(held.start_at, None), instances=held.total_count, dated_by="provider"
    )
    return held


def only() -> HeldNow:
    (one,) = held_now(as_of=NOW)
    return one


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(seen=st.lists(SEEN, max_size=12), minutes=st.integers(0, 15))
def test_free_slots_and_their_run_are_what_a_walk_finds(seen: list, minutes: int, pool: Pool) -> None:
    Reservation.objects.all().delete()
    held = reserve("cr-0aaa", pool=pool, total=4)
    newest = NOW - timedelta(minutes=minutes)
    rows = [(newest - POLL * place, *one) for place, one in enumerate(seen)]
    for at, present, state, free in rows:
        observe(held, {at: free}, present=present, state_raw=state)
    showing, since = None, None
    for at, present, state, free in rows:  # newest first
        if showing is None and (at <= NOW - timedelta(minutes=10) or not present or state != "active" or free is None):
            break
        if showing is None:
            showing = free
        if not (present and state == "active" and free):
            break
        since = at
    one = only()
    assert (one.free, one.free_since) == (showing, since)


def test_what_is_observed_after_the_instant_does_not_count(pool: Pool) -> None:
    held = reserve("cr-0aaa", pool=pool, total=4)
    observe(held, {NOW - POLL: 2, NOW + POLL: 0})
    assert (only().free, only().free_since) == (2, NOW - POLL)


def test_a_block_past_its_usable_end_has_no_free_slots(pool: Pool) -> None:
    held = reserve("cr-0aaa", pool=pool, total=4, kind="block", end_at=NOW + timedelta(minutes=30))
    observe(held, polled(4, since=NOW - timedelta(hours=2)))
    assert (only().free, only().usable_until) == (None, NOW)


def test_what_ended_vanished_or_failed_is_not_held(pool: Pool) -> None:
    reserve("cr-1", pool=pool, total=4, end_at=NOW)
    reserve("cr-2", pool=pool, total=4, missing_since=NOW - timedelta(days=1))
    reserve("cr-3", pool=pool, total=4, state="failed")
    assert held_now(as_of=NOW) == []


def test_the_published_rules_lead_times_come_with_it(pool: Pool) -> None:
    reserve("cr-0aaa", pool=pool, total=4)
    assert only().lead is None
    publish_rule(pool.owner)
    assert (only().lead.procurement, only().lead.block_booking) == (14, 21)


def test_it_is_one_query_that_walks_no_run_of_free_slots(pool: Pool) -> None:
    held = reserve("cr-0aaa", pool=pool, total=4)
    observe(held, {NOW - timedelta(days=30): 0})
    observe(held, polled(1, since=NOW - timedelta(days=20)))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE reservations_reservationobservation")
    with CaptureQueriesContext(connection) as queries:
        assert only().free_since == NOW - timedelta(days=20)
    assert len(queries) == 1
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF) {queries[0]['sql']}")
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "observed_none_free" in plan
    assert "Seq Scan on reservations_reservationobservation" not in plan
    assert ReservationObservation.objects.count() > 5_000


@pytest.mark.parametrize("kind", ["block", "on_demand"])
@pytest.mark.parametrize("told", [None, NOW + timedelta(minutes=200)])
@pytest.mark.parametrize("shape", ["p5.48xlarge", "p6e-gb200.36xlarge", "trn2u.48xlarge", "trn2.48xlarge", ""])
def test_whoever_asks_hears_the_same_of_how_long_it_works(
    kind: str, told: datetime | None, shape: str, pool: Pool
) -> None:
    end = NOW + timedelta(hours=5)
    early = 0 if kind != "block" else 30 if shape in ("p5.48xlarge", "trn2.48xlarge") else 60
    sized(reserve("cr-0aaa", pool=pool, total=4, kind=kind, shape=shape, end_at=end, usable_until=told))
    during = Period(NOW, end)
    (ahead,) = reservation_ends(as_of=NOW)
    (ledger,) = held_during(pool_id=pool.pk, period=during)
    (slots,) = held_slots(shapes=[shape], period=during)
    ((_, free_until),) = slots.usable
    wanted = told or end - timedelta(minutes=early)
    assert (ahead.usable_until, free_until) == (wanted, wanted)
    assert {only().usable_until or end, ledger.usable_until or end} == {wanted}


@pytest.mark.parametrize(("status", "days"), [("payment-pending", 1), ("payment-failed", 1), ("payment-succeeded", 8)])
def test_an_extension_counts_for_all_who_ask_once_it_is_paid(status: str, days: int, pool: Pool) -> None:
    old, new = NOW + timedelta(days=1), NOW + timedelta(days=8)
    early = timedelta(minutes=30)
    told = {
        "CapacityBlockExtensionStartDate": old.isoformat(),
        "CapacityBlockExtensionEndDate": new.isoformat(),
        "CapacityBlockExtensionStatus": status,
    }
    fields = {"kind": "block", "end_at": new, "usable_until": new - early, "raw": {"CapacityBlockExtensions": [told]}}
    held = sized(reserve("cr-0aaa", pool=pool, total=4, **fields))
    end = NOW + timedelta(days=days)
    (ahead,) = reservation_ends(as_of=NOW)
    (ledger,) = held_during(pool_id=pool.pk, period=Period(NOW, new))
    (slots,) = held_slots(shapes=["p5.48xlarge"], period=Period(NOW, new))
    assert [(one.end_at, one.usable_until) for one in (only(), ahead, ledger)] == [(end, end - early)] * 3
    assert slots.usable == ((NOW, end - early),)
    assert ahead.extension_pending is (status == "payment-pending")
    observe(held, {end - early: 4, end - POLL: 4})
    assert [one.free for one in held_now(as_of=end - early)] == [None]
    assert [one.id for one in held_now(as_of=end)] == []
