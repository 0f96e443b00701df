"""Which reservations somebody sees, filtered and ordered, and what stands in each row."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from reservations.domain.period import Period
from reservations.domain.reservation_filter import ORDERS, ReservationFilter
from reservations.domain.reservation_state import State
from reservations.models import Reservation, User
from reservations.selectors.access import person_of
from reservations.selectors.reservations import (
    UnableToFindReservation,
    reservation_choices,
    reservation_extent,
    reservation_named,
    reservation_row,
    reservation_rows,
    reservation_totals,
)
from tests.fixtures.cast import Cast
from tests.reservations.holdings import NOW, holding, publish_rule

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(cast: Cast) -> dict[str, Reservation]:
    return {
        "serve": holding("cr-serve", pool=cast.pool, tags={"team": "serving", "env": "prod"}),
        "block": holding(
            "cr-block", pool=cast.pool, kind="block", end_at=NOW + timedelta(days=90), zone_id="use1-az5", total_count=2
        ),
        "arms": holding("cr-arms", pool=cast.other, owner="research", available_count=None, tags={"env": "lab"}),
        "loose": holding("cr-loose", state="ended"),
        "gone": holding("cr-gone", owner="robotics", missing_since=NOW - timedelta(days=2), end_at=NOW),
    }


def seen(user: User, **asked: str) -> list[str]:
    order = asked.pop("order", "id")
    rows = reservation_rows(person=person_of(user), as_of=NOW, asked=ReservationFilter(**asked), order=order)
    return [row.external_id.removeprefix("cr-") for row in rows]


def test_everybody_sees_what_backs_pools_of_their_teams_and_what_their_team_answers_for(
    cast: Cast, held: dict[str, Reservation]
) -> None:
    assert seen(cast.analyst) == ["arms", "block", "gone", "loose", "serve"]
    assert seen(cast.viewer) == ["block", "serve"]
    assert seen(cast.borrower) == ["arms", "block", "serve"]
    assert seen(cast.outsider) == ["arms", "gone"]
    assert seen(cast.nobody) == []


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"text": "SERV"}, ["serve"]),
        ({"text": "capacity-reservation/cr-b"}, ["block"]),
        ({"owner": "serving"}, ["block", "serve"]),
        ({"owner": "research"}, ["arms"]),
        ({"owner": "unowned"}, ["loose"]),
        ({"state": "active"}, ["arms", "block", "serve"]),
        ({"state": "missing"}, ["gone"]),
        ({"state": "ended"}, ["loose"]),
        ({"zone": "use1-az5"}, ["block"]),
        ({"kind": "block"}, ["block"]),
        ({"tag": "env"}, ["arms", "serve"]),
        ({"tag": "env=prod"}, ["serve"]),
        ({"tag": "env="}, []),
        ({"pool": "serve-h100"}, ["block", "serve"]),
        ({"pool": "serve-h100", "kind": "on_demand"}, ["serve"]),
        ({"text": "%"}, []),
    ],
)
def test_each_thing_that_is_asked_for_narrows_the_list(
    asked: dict[str, str], found: list[str], cast: Cast, held: dict[str, Reservation]
) -> None:
    assert seen(cast.analyst, **asked) == found


@pytest.mark.parametrize("order", [*ORDERS, *(f"-{name}" for name in ORDERS)])
def test_every_order_lists_all_of_them_and_turns_round(order: str, cast: Cast, held: dict[str, Reservation]) -> None:
    publish_rule()
    assert sorted(seen(cast.analyst, order=order)) == ["arms", "block", "gone", "loose", "serve"]


def test_what_is_unknown_comes_last_whichever_way_round(cast: Cast, held: dict[str, Reservation]) -> None:
    assert seen(cast.analyst, order="end")[:2] == ["gone", "block"]
    assert seen(cast.analyst, order="-end")[:2] == ["block", "gone"]
    publish_rule(blocks=365)
    assert seen(cast.analyst, order="decision")[:2] == ["block", "gone"]


def test_a_row_says_who_answers_what_it_holds_and_when_it_is_to_be_decided(
    cast: Cast, held: dict[str, Reservation]
) -> None:
    publish_rule(procurement=14, blocks=21)
    row = reservation_row(pk=held["block"].pk, person=person_of(cast.analyst), as_of=NOW)
    assert (row.owner, row.own_owner, row.pool, row.pool_owner) == ("serving", None, "serve-h100", "serving")
    assert row.teams == {"serving", "research"}
    assert row.answering == {"serving"}
    assert (row.total_count, row.available_count, row.used_count, row.gpus) == (2, 1, 1, Decimal(16))
    assert row.decision_on == date(2026, 8, 30) - timedelta(days=35)
    arms = reservation_named(name="cr-arms", person=person_of(cast.analyst), as_of=NOW)
    assert (arms.owner, arms.answering, arms.used_count) == ("research", {"research", "robotics"}, None)
    assert (arms.decision_on, arms.decision.why_not) == (None, "It has no end.")
    loose = reservation_named(name=held["loose"].arn, person=person_of(cast.analyst), as_of=NOW)
    assert (loose.owner, loose.pool, loose.answering, loose.over) == (None, None, None, True)


def test_a_pool_decides_how_many_gpus_a_node_has(cast: Cast) -> None:
    holding("cr-odd", pool=cast.pool, gpus_per_instance=Decimal(4))
    holding("cr-unknown", gpus_per_instance=None)
    rows = reservation_rows(person=person_of(cast.analyst), as_of=NOW, order="id")
    assert [row.gpus for row in rows] == [Decimal(32), None]


def test_one_entered_by_hand_is_as_its_dates_say(cast: Cast) -> None:
    for name, start, end in (("a", -9, -1), ("b", -9, 1), ("c", 1, None)):
        holding(
            name,
            kind="manual",
            start_at=NOW + timedelta(days=start),
            end_at=None if end is None else NOW + timedelta(days=end),
        )
    rows = reservation_rows(person=person_of(cast.analyst), as_of=NOW, order="id")
    assert [row.state for row in rows] == [State.ENDED, State.ACTIVE, State.SCHEDULED]
    assert seen(cast.analyst, state="scheduled") == ["c"]


def test_totals_add_up_what_still_promises_something(cast: Cast, held: dict[str, Reservation]) -> None:
    totals = reservation_totals(person=person_of(cast.analyst), as_of=NOW)
    assert (totals.count, totals.holding, totals.instances, totals.gpus, totals.used) == (5, 3, 10, Decimal(80), 4)
    nothing = reservation_totals(person=person_of(cast.nobody), as_of=NOW)
    assert (nothing.count, nothing.instances, nothing.gpus) == (0, None, None)


def test_choices_tell_nothing_of_other_teams(cast: Cast, held: dict[str, Reservation]) -> None:
    choices = reservation_choices(person=person_of(cast.viewer), as_of=NOW)
    assert (choices.owners, choices.pools, choices.zones) == (("serving",), ("serve-h100",), ("use1-az4", "use1-az5"))
    assert (choices.kinds, choices.states) == (("block", "on_demand"), ("active",))
    assert reservation_choices(person=person_of(cast.nobody), as_of=NOW).owners == ()


def test_what_one_may_not_see_is_not_found(cast: Cast, held: dict[str, Reservation]) -> None:
    for user, key in ((cast.viewer, "arms"), (cast.outsider, "loose"), (cast.nobody, "serve")):
        with pytest.raises(UnableToFindReservation, match="There is no reservation"):
            reservation_row(pk=held[key].pk, person=person_of(user), as_of=NOW)
        with pytest.raises(UnableToFindReservation, match="There is no reservation “cr-"):
            reservation_named(name=f"cr-{key}", person=person_of(user), as_of=NOW)


def test_a_page_is_a_part_of_the_whole_order(cast: Cast, held: dict[str, Reservation]) -> None:
    rows = reservation_rows(person=person_of(cast.analyst), as_of=NOW, order="id", offset=1, limit=2)
    assert [row.external_id for row in rows] == ["cr-block", "cr-gone"]


def test_who_may_not_see_prices_sees_no_fee_and_no_order_by_it(cast: Cast) -> None:
    for name, fee in (("a", 5), ("b", 9)):
        holding(f"cr-{name}", pool=cast.pool, upfront_fee=Decimal(fee), upfront_fee_currency="USD")
    for user, fees in ((cast.owner, [Decimal(9), Decimal(5)]), (cast.viewer, [None, None])):
        rows = reservation_rows(person=person_of(user), as_of=NOW, order="-fee")
        assert [row.upfront_fee for row in rows] == fees
    assert seen(cast.viewer, order="-fee") == ["a", "b"]


@pytest.mark.parametrize(("status", "days"), [("payment-pending", 30), ("payment-succeeded", 44)])
def test_a_block_ends_where_it_is_paid_to_and_works_as_its_instance_type_says(
    status: str, days: int, cast: Cast
) -> None:
    publish_rule()
    old, new = NOW + timedelta(days=30), NOW + timedelta(days=44)
    told = {
        "CapacityBlockExtensionStartDate": old.isoformat(),
        "CapacityBlockExtensionEndDate": new.isoformat(),
        "CapacityBlockExtensionStatus": status,
    }
    block = {"kind": "block", "end_at": new, "raw": {"CapacityBlockExtensions": [told]}}
    holding("cr-0ultra", pool=cast.pool, shape="p6e-gb200.36xlarge", **block)
    holding("cr-0plain", pool=cast.pool, **block)
    found = {one.external_id: one for one in reservation_rows(person=person_of(cast.owner), as_of=NOW)}
    end = NOW + timedelta(days=days)
    assert {one.end_at for one in found.values()} == {end}
    assert end - found["cr-0ultra"].usable_until == timedelta(minutes=60)
    assert end - found["cr-0plain"].usable_until == timedelta(minutes=30)
    assert {one.decision.on for one in found.values()} == {(end - timedelta(days=35)).date()}


def test_lists_are_ordered_narrowed_and_summed_up_by_the_end_that_is_paid(cast: Cast) -> None:
    publish_rule()
    paid, listed, other = (NOW + timedelta(days=days) for days in (10, 40, 20))
    told = {
        "CapacityBlockExtensionStartDate": paid.isoformat(),
        "CapacityBlockExtensionEndDate": listed.isoformat(),
        "CapacityBlockExtensionStatus": "payment-failed",
    }
    raw = {"CapacityBlockExtensions": [told]}
    holding("cr-unpaid", pool=cast.pool, kind="block", end_at=listed, usable_until=listed, raw=raw)
    holding("cr-other", pool=cast.pool, kind="block", end_at=other, usable_until=other)
    for order in ("end", "usable", "decision", "held"):
        assert seen(cast.owner, order=order) == ["unpaid", "other"], order
    person = person_of(cast.owner)
    after = Period(NOW + timedelta(days=15), NOW + timedelta(days=50))
    (row,) = reservation_rows(person=person, as_of=NOW, during=after)
    assert row.external_id == "cr-other"
    assert reservation_totals(person=person, as_of=NOW, during=after).count == 1
    assert reservation_extent(person=person, as_of=NOW).last_end_at == other
    assert reservation_row(pk=Reservation.objects.get(external_id="cr-unpaid").pk, person=person, as_of=NOW)
    (unpaid,) = reservation_rows(person=person, as_of=NOW, asked=ReservationFilter(text="cr-unpaid"))
    assert (unpaid.end_at, unpaid.unpaid_end_at) == (paid, listed)
