"""GPU instances: each weighs its slices, and a silent one is unknown."""

from fractions import Fraction

import pytest

from telemetry.domain.accounting.device import mig_weight
from telemetry.domain.sample import DeviceSeries, Pod
from tests.telemetry.domain.accounting.hours import HOUR, gpu, node, row_of, steady, usage


def test_slices_no_instance_uses_are_known_and_free_while_the_gpu_reports() -> None:
    pod = Pod("team", "p")
    one = gpu("G1", 0.9, gpu_instance="1", profile="3g.40gb", pod=pod)
    two = gpu("G1", 0.0, gpu_instance="2", profile="2g.20gb")
    row = row_of(usage(node(one, two, capacity=0, mig_capacity=steady(2)), queue_metrics=False), gpus="1")
    assert row.expected == row.known == HOUR
    assert row.busy == row.unmanaged_busy
    assert abs((row.busy or 0) - Fraction(3 * HOUR, 7)) < 120
    assert (row.idle_held, row.idle_free) == (0, HOUR - (row.busy or 0))


def test_an_instance_that_stops_for_good_is_unknown_and_not_free() -> None:
    quiet = DeviceSeries("G1", steady(0.9, -1, 15), gpu_instance="1", profile="4g.40gb")
    talks = gpu("G1", 0.0, gpu_instance="2", profile="2g.20gb")
    row = row_of(usage(node(quiet, talks, capacity=0, mig_capacity=steady(2))), gpus="1")
    assert abs((row.unknown or 0) - Fraction(4 * HOUR * 3 // 4, 7)) < 120
    assert abs((row.idle_free or 0) - Fraction(3 * HOUR, 7)) < 120


def test_instances_cut_anew_in_mid_hour_take_the_place_of_the_old_ones() -> None:
    whole = DeviceSeries("G1", steady(0.9, -1, 30), gpu_instance="0", profile="7g.80gb")
    halves = [DeviceSeries("G1", steady(0.9, 30, 61), gpu_instance=str(i), profile="3g.40gb") for i in (1, 2)]
    row = row_of(usage(node(whole, *halves, capacity=0, mig_capacity=steady(1))), gpus="1")
    assert abs((row.busy or 0) - Fraction(HOUR, 2) - Fraction(6 * HOUR // 2, 7)) < 120
    assert "instances_overlap" not in row.flags


def test_an_instance_that_stops_reporting_is_unknown_with_its_own_weight() -> None:
    quiet = DeviceSeries("G1", steady(0.9, -1, 15) + steady(0.9, 45, 61), gpu_instance="1", profile="4g.40gb")
    talks = gpu("G1", 0.0, gpu_instance="2", profile="3g.40gb")
    row = row_of(usage(node(quiet, talks, capacity=0, mig_capacity=steady(2))), gpus="1")
    assert abs((row.unknown or 0) - Fraction(4 * HOUR // 2, 7)) < 120


@pytest.mark.parametrize(
    ("profile", "model", "weight"),
    [
        ("3g.40gb", "NVIDIA H100 80GB HBM3", Fraction(3, 7)),
        ("1g.6gb", "NVIDIA A30", Fraction(1, 4)),
        ("2g.48gb", "NVIDIA RTX PRO 6000 Blackwell Server Edition", Fraction(2, 4)),
        ("1g.10gb+me", "", Fraction(1, 7)),
        ("3g.40gb", "NVIDIA A300", Fraction(3, 7)),
        ("", "", None),
        ("9g.90gb", "", None),
    ],
)
def test_a_profile_weighs_its_slices_over_the_whole_gpus(profile: str, model: str, weight: Fraction | None) -> None:
    assert mig_weight(profile, model) == weight
