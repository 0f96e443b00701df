"""Mending which pool a reservation backed, within what the pools' rules decide."""

from datetime import UTC, datetime, timedelta

import pytest

from reservations.models import Owner, Pool, PoolMembership, PoolReservationRule
from reservations.services.backing import UnableToMend, mend_membership
from reservations.services.memberships import assign_reservations
from tests.fixtures.cast import Cast
from tests.reservations.holdings import NOW, holding

pytestmark = pytest.mark.django_db

MAY = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def second(cast: Cast) -> Pool:
    owner = Owner.objects.get(name="research")
    return Pool.objects.create(name="second", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)


def backed() -> list[tuple[str, datetime | None, datetime | None]]:
    rows = PoolMembership.objects.order_by("period").select_related("pool")
    return [(row.pool.name, row.period.lower, row.period.upper) for row in rows]


def test_the_past_can_be_mended_and_the_present_stays_with_the_rules(cast: Cast, second: Pool) -> None:
    pk = holding("cr-1", pool=cast.pool).pk
    PoolReservationRule.objects.create(pool=cast.pool, value="cr-1")
    assert mend_membership(pk=pk, pool="second", start=None, end=MAY, as_of=NOW)
    assert backed() == [("second", None, MAY), ("serve-h100", MAY, None)]
    assert not mend_membership(pk=pk, pool="second", start=None, end=MAY, as_of=NOW)
    assign_reservations(as_of=NOW + timedelta(minutes=5))
    assert backed() == [("second", None, MAY), ("serve-h100", MAY, None)]
    assert PoolMembership.history.filter(reservation_id=pk).count() == 4  # made, taken away, two made anew


def test_what_the_rules_would_undo_is_refused(cast: Cast, second: Pool) -> None:
    pk = holding("cr-1", pool=cast.pool).pk
    for pool, end in (("second", None), ("second", NOW + timedelta(days=1)), (None, None)):
        with pytest.raises(UnableToMend, match="From now on the pools' rules say what cr-1 backs"):
            mend_membership(pk=pk, pool=pool, start=MAY, end=end, as_of=NOW)
    assert backed() == [("serve-h100", None, None)]


def test_one_entered_by_hand_may_move_for_good(cast: Cast, second: Pool) -> None:
    pk = holding("one", pool=cast.pool, kind="manual").pk
    assert mend_membership(pk=pk, pool="second", start=MAY, end=None, as_of=NOW)
    assert mend_membership(pk=pk, pool=None, start=None, end=MAY - timedelta(days=30), as_of=NOW)
    assert backed() == [("serve-h100", MAY - timedelta(days=30), MAY), ("second", MAY, None)]


def test_a_pool_must_be_there_and_of_the_same_type_and_time_must_go_forward(cast: Cast, second: Pool) -> None:
    pk = holding("cr-1", pool=cast.pool).pk
    for pool, start, end, says in (
        ("arms", None, MAY, "The pool arms is of p4d.24xlarge, and cr-1 holds p5.48xlarge."),
        ("nowhere", None, MAY, "There is no pool “nowhere”."),
        ("second", MAY, MAY, "It must end after it starts."),
    ):
        with pytest.raises(UnableToMend) as raised:
            mend_membership(pk=pk, pool=pool, start=start, end=end, as_of=NOW)
        assert str(raised.value) == says
