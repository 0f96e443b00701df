"""What people enter counts like anything else, is theirs alone to change, and says who changed it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from reservations.domain.held import SizeSpan
from reservations.domain.manual_entry import Entry
from reservations.domain.period import Period
from reservations.domain.row_history import changes
from reservations.models import Owner, Pool, PoolMembership, PoolReservationRule, Reservation, ReservationSize
from reservations.selectors.held import held_during
from reservations.selectors.reservation_detail import SET_BY_PEOPLE, what_people_did
from reservations.services.manual_reservations import (
    UnableToStoreReservation,
    change_reservation,
    end_reservation,
    enter_reservation,
    void_reservation,
)
from reservations.services.memberships import assign_reservations
from reservations.services.size_spans import rebuild_sizes
from reservations.services.sweeps import record_sweeps
from tests.fixtures.cast import Cast
from tests.reservations.services.sweep_rows import at, configure, listed, sweep

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 1, tzinfo=UTC)
START = datetime(2026, 5, 1, tzinfo=UTC)
ENTRY = Entry(
    provider="gcp",
    external_id="train-1",
    shape="p5.48xlarge",
    gpus_per_instance=Decimal(8),
    zone_id="us-central1-a",
    start_at=START,
    end_at=START + timedelta(days=365),
    usable_until=None,
    upfront_fee=Decimal("1000.5"),
    currency="USD",
    owner=None,
    pool="serve-h100",
    sizes=((START, 16), (START + timedelta(days=10), 12)),
)


def enter(**changed: object) -> int:
    return enter_reservation(entry=replace(ENTRY, **changed), as_of=NOW)


def test_it_is_held_like_any_other(cast: Cast) -> None:
    enter()
    (held,) = held_during(pool_id=cast.pool.pk, period=Period(START, START + timedelta(days=20)))
    assert held.sizes == (
        SizeSpan(START, START + timedelta(days=10), 16),
        SizeSpan(START + timedelta(days=10), ENTRY.end_at, 12),
    )
    assert (held.observations, held.start_at, held.end_at) == ((), START, ENTRY.end_at)
    assert (held.member_from, held.member_until) == (None, None)
    assert set(ReservationSize.objects.values_list("dated_by", flat=True)) == {"manual"}


def test_no_sweep_and_no_rule_ever_touches_it(cast: Cast) -> None:
    configure()
    pk = enter(provider="aws", external_id="cr-0aaa")
    Reservation.objects.filter(pk=pk).update(region="us-east-1")
    PoolReservationRule.objects.create(pool=cast.other, value="cr-0aaa")
    before = Reservation.objects.values().get(pk=pk)
    sizes = list(ReservationSize.objects.values())
    record_sweeps(sweeps=[sweep(0, listed("cr-0bbb")), sweep(5)])
    report = assign_reservations(as_of=at(5))
    rebuild_sizes(reservation_ids=[pk])
    assert Reservation.objects.values().get(pk=pk) == before
    assert [row for row in ReservationSize.objects.values() if row["reservation_id"] == pk] == sizes
    assert PoolMembership.objects.get(reservation_id=pk).pool == cast.pool
    assert "cr-0aaa of the pool arms was entered by hand: say on its own page which pool it backs" in report.remarks
    record_sweeps(sweeps=[sweep(10, listed("cr-0aaa"))])
    remarks = assign_reservations(as_of=at(10)).remarks
    assert "cr-0aaa was entered by hand and is listed too: declare the entered one void" in remarks


def test_entering_the_same_twice_is_one_and_another_under_its_id_is_refused(cast: Cast) -> None:
    assert enter() == enter()
    with pytest.raises(UnableToStoreReservation, match="was entered already"):
        enter(zone_id="elsewhere")
    Reservation.objects.update(kind="on_demand")
    with pytest.raises(UnableToStoreReservation, match="listed by its provider"):
        enter()
    assert Reservation.objects.count() == 1


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"owner": "nobody"}, "owner", "There is no team “nobody”."),
        ({"pool": "nowhere"}, "pool", "There is no pool “nowhere”."),
        ({"pool": "arms"}, "pool", "The pool arms is of p4d.24xlarge, and this reservation holds p5.48xlarge."),
    ],
)
def test_what_it_names_must_be_there_and_fit(changed: dict[str, str], field: str, says: str, cast: Cast) -> None:
    with pytest.raises(UnableToStoreReservation) as raised:
        enter(**changed)
    assert raised.value.problems == {field: says}
    assert not Reservation.objects.exists()


def test_every_change_is_kept_with_what_was_before(cast: Cast) -> None:
    pk = enter()
    changed = replace(ENTRY, owner="research", sizes=((START, 20),), upfront_fee=None, currency="")
    assert change_reservation(pk=pk, entry=changed, as_of=NOW) == (
        "instances",
        "upfront_fee",
        "currency",
        "owner",
        "resizes",
    )
    assert change_reservation(pk=pk, entry=changed, as_of=NOW) == ()
    saves = [event.saved for event in what_people_did(pk=pk) if event.what == "reservation"]
    assert len(saves) == 2
    told = {one.field: (one.before, one.after) for one in changes(saves, list(SET_BY_PEOPLE))}
    assert told["owner"] == (None, "research")
    assert told["upfront_fee"] == ("1000.5000", None)
    assert told["sizes"] == (
        [["2026-05-01T00:00:00+00:00", 16], ["2026-05-11T00:00:00+00:00", 12]],
        [["2026-05-01T00:00:00+00:00", 20]],
    )


def test_another_pool_counts_from_now_on(cast: Cast) -> None:
    pk = enter()
    second = Pool.objects.create(
        name="second", owner=Owner.objects.get(name="research"), instance_type="p5.48xlarge", gpus_per_node=8
    )
    change_reservation(pk=pk, entry=replace(ENTRY, pool="second"), as_of=NOW)
    rows = [(row.pool, row.period.lower, row.period.upper) for row in PoolMembership.objects.order_by("period")]
    assert rows == [(cast.pool, None, NOW), (second, NOW, None)]
    change_reservation(pk=pk, entry=replace(ENTRY, pool=None), as_of=NOW + timedelta(days=1))
    assert PoolMembership.objects.order_by("period").last().period.upper == NOW + timedelta(days=1)


def test_it_can_be_ended_and_never_before_it_began(cast: Cast) -> None:
    pk = enter()
    with pytest.raises(UnableToStoreReservation, match="end after it starts"):
        end_reservation(pk=pk, end_at=START, as_of=NOW)
    end_reservation(pk=pk, end_at=START + timedelta(days=5), as_of=NOW)
    (size,) = ReservationSize.objects.all()
    assert (size.instances, size.period.upper) == (16, START + timedelta(days=5))


def test_what_never_was_counts_nowhere_and_stays_to_be_seen(cast: Cast) -> None:
    pk = enter()
    for _ in range(2):
        void_reservation(pk=pk)
    row = Reservation.objects.get()
    assert (row.state, row.state_raw, row.history.count()) == ("failed", "void", 2)
    (held,) = held_during(pool_id=cast.pool.pk, period=Period(START, NOW))
    assert held.sizes == ()
    assert "state" in change_reservation(pk=pk, entry=ENTRY, as_of=NOW)
    assert ReservationSize.objects.count() == 2


def test_what_a_provider_lists_is_not_changed_by_hand(cast: Cast) -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed())])
    pk = Reservation.objects.get().pk
    for change in (
        lambda: change_reservation(pk=pk, entry=ENTRY, as_of=NOW),
        lambda: end_reservation(pk=pk, end_at=NOW, as_of=NOW),
        lambda: void_reservation(pk=pk),
    ):
        with pytest.raises(UnableToStoreReservation, match="who alone can change it"):
            change()


def test_sweeps_leave_no_history_and_take_no_owner_away(cast: Cast) -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed())])
    row = Reservation.objects.get()
    row.owner = Owner.objects.get(name="research")
    row.save()
    for minute in (5, 10, 15):
        record_sweeps(sweeps=[sweep(minute, listed(total=4 + minute))])
    row.refresh_from_db()
    assert (row.owner.name, row.total_count) == ("research", 19)
    assert Reservation.history.count() == 1
