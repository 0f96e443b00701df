"""Parts of whole milliseconds always add up to the whole."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.accounting.split import largest_remainder, whole_weights

WEIGHTS = st.lists(st.integers(0, 50), min_size=1, max_size=9).filter(any)


@given(total=st.integers(0, 10**7), weights=WEIGHTS)
def test_a_split_adds_up_and_each_part_is_within_one_of_its_share(total: int, weights: list[int]) -> None:
    parts = largest_remainder(total, weights)
    assert sum(parts) == total
    assert all(
        abs(part - Fraction(total * weight, sum(weights))) < 1 for part, weight in zip(parts, weights, strict=True)
    )


@given(total=st.integers(0, 10**4), weights=WEIGHTS)
def test_no_part_with_a_larger_remainder_goes_without_for_a_smaller_one(total: int, weights: list[int]) -> None:
    exact = [Fraction(total * weight, sum(weights)) for weight in weights]
    parts = largest_remainder(total, weights)
    raised = [share % 1 for part, share in zip(parts, exact, strict=True) if part > share]
    cut = [share % 1 for part, share in zip(parts, exact, strict=True) if part < share]
    assert not raised or not cut or min(raised) >= max(cut)


def test_equal_remainders_go_to_the_earlier_part() -> None:
    assert largest_remainder(11, [1, 1, 1]) == [4, 4, 3]


@given(st.lists(st.fractions(0, 1, max_denominator=40), min_size=1, max_size=6))
def test_whole_weights_keep_every_proportion(shares: list[Fraction]) -> None:
    weights = whole_weights(shares)
    assert all(shares[i] * weights[j] == shares[j] * weights[i] for i in range(len(shares)) for j in range(len(shares)))
