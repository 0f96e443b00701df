"""Which reservations a commitment reaches, and what a commitment lowers the price of."""

from datetime import date
from decimal import Decimal

import pytest

from reservations.domain.commitment import AppliesTo, Commitment, CommitmentKind, Payment, stacking
from reservations.domain.reservation_state import Kind

# facts of the provider, written out pair by pair: yes, no, or not recorded
SAID = {
    ("on_demand", "savings_plan"): True,
    ("on_demand", "regional_reserved_instance"): True,
    ("on_demand", "zonal_reserved_instance"): False,
    ("on_demand", "committed_use_discount"): None,
    ("block", "savings_plan"): False,
    ("block", "regional_reserved_instance"): False,
    ("block", "zonal_reserved_instance"): False,
    ("block", "committed_use_discount"): None,
    ("future", "savings_plan"): True,
    ("future", "regional_reserved_instance"): True,
    ("future", "zonal_reserved_instance"): False,
    ("future", "committed_use_discount"): None,
    ("interruptible", "savings_plan"): None,
    ("interruptible", "regional_reserved_instance"): None,
    ("interruptible", "zonal_reserved_instance"): False,
    ("interruptible", "committed_use_discount"): None,
    ("manual", "savings_plan"): None,
    ("manual", "regional_reserved_instance"): None,
    ("manual", "zonal_reserved_instance"): None,
    ("manual", "committed_use_discount"): None,
}


def plan(**said: object) -> Commitment:
    values = {
        "kind": CommitmentKind.SAVINGS_PLAN,
        "provider_id": "sp-1",
        "account": "prod",
        "hourly": Decimal(10),
        "currency": "USD",
        "start": date(2026, 1, 1),
        "end": date(2027, 1, 1),
        "applies_to": AppliesTo.ANY_COMPUTE,
        "payment": Payment.NO_UPFRONT,
    }
    return Commitment(**values | said)


@pytest.mark.parametrize("reservation", Kind)
@pytest.mark.parametrize("commitment", CommitmentKind)
def test_every_pair_says_whether_the_one_lowers_the_other_and_why(
    reservation: Kind, commitment: CommitmentKind
) -> None:
    said = stacking(reservation, commitment)
    assert said.applies is SAID[reservation.value, commitment.value]
    assert said.reason


def test_running_instances_come_before_unused_time() -> None:
    reason = stacking(Kind.ON_DEMAND, CommitmentKind.SAVINGS_PLAN).reason
    assert reason == "a savings plan applies to the instances that run in it first, then to its unused time"
    assert stacking(Kind.FUTURE, CommitmentKind.REGIONAL_RI).reason.endswith("unused time, from its delivery on")


def test_its_end_is_the_first_day_it_no_longer_runs() -> None:
    assert [plan().covers(day) for day in (date(2025, 12, 31), date(2026, 1, 1), date(2026, 12, 31))] == [
        False,
        True,
        True,
    ]
    assert not plan().covers(date(2027, 1, 1))


@pytest.mark.parametrize(
    ("said", "lowers"),
    [
        ({}, True),
        ({"applies_to": AppliesTo.FAMILY, "family": "p5", "region": "us-east-1"}, True),
        ({"applies_to": AppliesTo.FAMILY, "family": "p5", "region": "us-west-2"}, False),
        ({"applies_to": AppliesTo.FAMILY, "family": "p", "region": "us-east-1"}, False),
        ({"applies_to": AppliesTo.FAMILY, "family": "p5en", "region": "us-east-1"}, False),
        ({"applies_to": AppliesTo.SHAPE, "shape": "p5.48xlarge"}, True),
        ({"applies_to": AppliesTo.SHAPE, "shape": "p5.4xlarge"}, False),
        ({"applies_to": AppliesTo.SHAPE, "shape": "p5.48xlarge", "region": "eu-west-1"}, False),
    ],
)
def test_it_lowers_the_price_of_what_it_names_and_of_nothing_else(said: dict[str, object], lowers: bool) -> None:
    assert plan(**said).lowers(shape="p5.48xlarge", region="us-east-1") is lowers
