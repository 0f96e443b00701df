"""q and its interval, against published figures and against the definition solved by halving."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.shortage import (
    LaunchCount,
    UnableToEstimate,
    fail_share,
    launches_that_count,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("failures", "attempts", "low", "high"),
    [  # R. G. Newcombe, Statistics in Medicine 17 (1998) 857, table I, method 3
        (81, 263, "0.2553", "0.3662"),
        (15, 148, "0.0624", "0.1605"),
        (0, 20, "0.0000", "0.1611"),
        (1, 29, "0.0061", "0.1718"),
    ],
)
def test_the_interval_is_that_of_the_published_examples(failures: int, attempts: int, low: str, high: str) -> None:
    found = wilson_interval(attempts=attempts, failures=failures)
    assert [f"{bound:.4f}" for bound in found] == [low, high]


counts = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


def halved(attempts: int, failures: int, *, low: bool) -> float:
    """The share from which the observed one is 1.96 of its own standard deviations off, found by halving."""
    seen = failures / attempts
    inner, outer = seen, 0.0 if low else 1.0
    for _ in range(200):
        middle = (inner + outer) / 2
        off = abs(seen - middle) > 1.959963984540054 * math.sqrt(middle * (1 - middle) / attempts)
        inner, outer = (inner, middle) if off else (middle, outer)
    return inner


@given(counts)
def test_each_bound_is_where_the_observed_share_is_just_so_unlikely(count: tuple[int, int]) -> None:
    attempts, failures = count
    low, high = wilson_interval(attempts=attempts, failures=failures)
    assert float(low) == pytest.approx(halved(attempts, failures, low=True), abs=2e-6)
    assert float(high) == pytest.approx(halved(attempts, failures, low=False), abs=2e-6)
    assert 0 <= low <= fail_share(attempts=attempts, failures=failures) <= high <= 1


@pytest.mark.parametrize(("attempts", "failures"), [(0, 0), (3, 4), (3, -1), (-1, 0)])
def test_counts_that_can_not_be_have_no_share(attempts: int, failures: int) -> None:
    for estimate in (fail_share, wilson_interval):
        with pytest.raises(UnableToEstimate):
            estimate(attempts=attempts, failures=failures)


def test_a_pool_s_own_launches_count_before_those_of_its_shape_in_its_zone_and_those_before_any_zone_s() -> None:
    own, near, far = LaunchCount(5, 1, "", True), LaunchCount(7, 2, "use1-az4"), LaunchCount(11, 3, "use1-az6")
    none_of_its_own = LaunchCount(0, 0, "", True)
    for counts, expected in (
        ([own, near, far], (5, 1)),
        ([none_of_its_own, near, far], (7, 2)),
        ([far], (11, 3)),
        ([near, far], (7, 2)),
        ([], (0, 0)),
    ):
        found = launches_that_count(counts, zone_id="use1-az4")
        assert (found.attempts, found.failures) == expected
    anywhere = launches_that_count([near, far], zone_id="")
    assert (anywhere.attempts, anywhere.failures) == (18, 5)


def test_a_share_of_many_launches_is_rounded_to_a_millionth() -> None:
    assert fail_share(attempts=3, failures=1) == Decimal("0.333333")
