"""Which reservation backs which pool, and since when."""

from decimal import Decimal

import pytest

from reservations.models import Owner, Pool, PoolMembership, PoolReservationRule, Reservation, SyncRun
from reservations.services.memberships import assign_reservations
from reservations.services.sweeps import record_sweeps
from tests.reservations.services.sweep_rows import at, configure, listed, sweep

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _one_reservation(db: None) -> None:
    configure()
    owner = Owner.objects.create(name="serving")
    for name in ("h100", "h200"):
        Pool.objects.create(name=name, owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)
    record_sweeps(sweeps=[sweep(0, listed(tags={"pool": "h100"}))])


def claim(pool: str, value: str = "cr-0aaa", tag_key: str = "") -> None:
    PoolReservationRule.objects.create(pool=Pool.objects.get(name=pool), value=value, tag_key=tag_key)


def memberships() -> list[tuple[str, object, object]]:
    rows = PoolMembership.objects.select_related("pool").order_by("period")
    return [(row.pool.name, row.period.lower, row.period.upper) for row in rows]


@pytest.mark.parametrize(
    ("value", "tag_key"),
    [("cr-0aaa", ""), ("arn:aws:ec2:us-east-1:111122223333:capacity-reservation/cr-0aaa", ""), ("h100", "pool")],
)
def test_an_id_an_arn_or_a_tag_assigns_and_the_first_time_reaches_back_without_limit(value: str, tag_key: str) -> None:
    claim("h100", value, tag_key)
    assert assign_reservations(as_of=at(10)).changed == ("cr-0aaa backs h100",)
    assert memberships() == [("h100", None, None)]
    assert assign_reservations(as_of=at(20)).changed == ()
    assert memberships() == [("h100", None, None)]


def test_a_reservation_no_rule_names_backs_nothing() -> None:
    claim("h100", "cr-0other")
    claim("h100", "h100", "team")
    assert assign_reservations(as_of=at(10)).changed == ()
    assert memberships() == []


def test_a_move_ends_one_membership_and_begins_the_next_at_that_instant() -> None:
    claim("h100")
    assign_reservations(as_of=at(10))
    PoolReservationRule.objects.all().delete()
    claim("h200")
    assert assign_reservations(as_of=at(20)).changed == ("cr-0aaa backs h200 from 2026-05-04 12:20 UTC",)
    assert memberships() == [("h100", None, at(20)), ("h200", at(20), None)]


def test_a_rule_taken_away_ends_the_membership_and_one_given_back_begins_another() -> None:
    claim("h100")
    assign_reservations(as_of=at(10))
    PoolReservationRule.objects.all().delete()
    assert assign_reservations(as_of=at(20)).changed == ("cr-0aaa no longer backs h100",)
    claim("h100")
    assign_reservations(as_of=at(30))
    assert memberships() == [("h100", None, at(20)), ("h100", at(30), None)]


def test_a_move_taken_back_at_the_same_instant_leaves_no_empty_membership() -> None:
    claim("h100")
    assign_reservations(as_of=at(10))
    PoolReservationRule.objects.all().delete()
    claim("h200")
    assign_reservations(as_of=at(20))
    PoolReservationRule.objects.all().delete()
    assign_reservations(as_of=at(20))
    assert memberships() == [("h100", None, at(20))]


def test_an_older_replay_leaves_a_later_move_alone() -> None:
    claim("h100")
    assign_reservations(as_of=at(10))
    PoolReservationRule.objects.all().delete()
    claim("h200")
    assign_reservations(as_of=at(20))
    PoolReservationRule.objects.all().delete()
    claim("h100")
    assert assign_reservations(as_of=at(15)).changed == ()
    assert memberships() == [("h100", None, at(20)), ("h200", at(20), None)]


def test_what_two_pools_claim_is_said_in_one_sentence_and_stays_where_it_is() -> None:
    claim("h100")
    assign_reservations(as_of=at(10))
    claim("h200")
    record_sweeps(sweeps=[sweep(15, listed(), listed("cr-0new"))])
    claim("h200", "cr-0new")
    report = assign_reservations(as_of=at(20))
    assert report.refused == ("cr-0aaa is claimed by the pools h100 and h200: leave it to one of them",)
    assert report.changed == ("cr-0new backs h200",)
    assert PoolMembership.objects.get(reservation=Reservation.objects.get(external_id="cr-0aaa")).pool.name == "h100"


def test_a_reservation_of_another_instance_type_is_refused_in_one_sentence_and_stays_where_it_is() -> None:
    record_sweeps(sweeps=[sweep(15, listed(), listed("cr-0p4d", shape="p4d.24xlarge"))])
    claim("h100")
    claim("h100", "cr-0p4d")
    sentence = (
        "cr-0p4d holds p4d.24xlarge and cannot back the pool h100 of p5.48xlarge: "
        "give it to a pool of its own type, or mend instance_type"
    )
    report = assign_reservations(as_of=at(20))
    assert (report.changed, report.refused) == (("cr-0aaa backs h100",), (sentence,))
    assert memberships() == [("h100", None, None)]
    Pool.objects.filter(name="h100").update(instance_type="p5en.48xlarge")
    report = assign_reservations(as_of=at(30))
    assert report.changed == ()
    assert [one.split(" and ")[0] for one in report.refused] == [
        "cr-0aaa holds p5.48xlarge",
        "cr-0p4d holds p4d.24xlarge",
    ]
    assert memberships() == [("h100", None, None)]


def test_a_move_to_a_pool_of_another_type_is_refused_and_the_first_pool_keeps_it() -> None:
    claim("h100")
    assign_reservations(as_of=at(10))
    PoolReservationRule.objects.all().delete()
    Pool.objects.filter(name="h200").update(instance_type="p5en.48xlarge")
    claim("h200")
    report = assign_reservations(as_of=at(20))
    assert (report.changed, len(report.refused)) == ((), 1)
    assert memberships() == [("h100", None, None)]


def test_a_type_that_is_not_known_yet_is_no_reason_to_refuse() -> None:
    record_sweeps(sweeps=[sweep(15, listed(), listed("cr-0bare", shape=""))])
    claim("h100", "cr-0bare")
    report = assign_reservations(as_of=at(20))
    assert (report.changed, report.refused) == (("cr-0bare backs h100",), ())


@pytest.mark.parametrize(("catalogue", "remarks"), [(None, 0), ("8", 0), ("8.0000", 0), ("4", 1), ("0.125", 1)])
def test_other_gpus_in_the_catalogue_are_assigned_with_a_remark_that_the_pools_figure_decides(
    catalogue: str | None, remarks: int
) -> None:
    gpus = None if catalogue is None else Decimal(catalogue)
    record_sweeps(sweeps=[sweep(15, listed(gpus_per_instance=gpus))])
    claim("h100")
    report = assign_reservations(as_of=at(20))
    assert (report.changed, report.refused, len(report.remarks)) == (("cr-0aaa backs h100",), (), remarks)
    for remark in report.remarks:
        assert f"has {catalogue} GPUs per instance in the catalogue" in remark
        assert "gpus_per_node 8, which decides" in remark


def test_an_id_or_an_arn_no_list_ever_showed_is_named_with_its_pool() -> None:
    arn = "arn:aws:ec2:us-east-1:111122223333:capacity-reservation/cr-0gone"
    claim("h100")
    claim("h100", "cr-0typo")
    claim("h200", arn)
    claim("h200", "no-such-value", "team")
    assert assign_reservations(as_of=at(10)).remarks == (
        f"{arn} of the pool h200 is in no list so far: check the id",
        "cr-0typo of the pool h100 is in no list so far: check the id",
    )
    record_sweeps(sweeps=[sweep(15)])
    assert len(assign_reservations(as_of=at(20)).remarks) == 2, "what has vanished was shown once"


def test_before_a_list_was_read_whole_no_id_is_called_unknown() -> None:
    SyncRun.objects.all().delete()
    Reservation.objects.all().delete()
    record_sweeps(sweeps=[sweep(10, complete=False)])
    claim("h100", "cr-0typo")
    assert assign_reservations(as_of=at(10)).remarks == ()


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["cr-1"], "1 reservation backs no pool: cr-1"),
        (["cr-1", "cr-2", "cr-3"], "3 reservations back no pool: cr-1, cr-2, cr-3"),
        (["cr-1", "cr-2", "cr-3", "cr-4", "cr-5"], "5 reservations back no pool: cr-1, cr-2, cr-3 and 2 more"),
    ],
)
def test_reservations_that_back_no_pool_are_counted_and_a_few_named(names: list[str], sentence: str) -> None:
    claim("h100")
    over = [listed("cr-0over", state="expired"), listed("cr-0fail", state="failed")]
    record_sweeps(sweeps=[sweep(5, listed(), listed("cr-0left"))])
    record_sweeps(sweeps=[sweep(10, listed(), *over, *(listed(name) for name in names))])
    assert assign_reservations(as_of=at(10)).remarks == (sentence,)
