from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.block_extension import paid_end

END = datetime(2026, 6, 10, 11, 30, tzinfo=UTC)
DAY = timedelta(days=1)


def extension(start: int, end: int, status: str) -> dict[str, str]:
    return {
        "CapacityBlockExtensionStartDate": (END + start * DAY).isoformat(),
        "CapacityBlockExtensionEndDate": (END + end * DAY).isoformat(),
        "CapacityBlockExtensionStatus": f"payment-{status}",
    }


@pytest.mark.parametrize(
    ("told", "days"),
    [
        ([], 2),
        ([extension(0, 2, "succeeded")], 2),
        ([extension(0, 2, "pending")], 0),
        ([extension(0, 2, "failed")], 0),
        ([extension(1, 2, "pending"), extension(0, 1, "succeeded")], 1),
        ([extension(0, 1, "pending"), extension(1, 2, "pending")], 0),
        ([extension(0, 2, "failed"), extension(0, 2, "succeeded")], 2),
        ([extension(0, 9, "pending")], 2),
        ([extension(2, 2, "pending")], 2),
        (None, 2),
        (["nonsense", {"CapacityBlockExtensionEndDate": "soon"}], 2),
    ],
)
def test_an_end_goes_back_over_what_is_not_paid(told: object, days: int) -> None:
    assert paid_end(END + 2 * DAY, told) == END + days * DAY


@given(st.permutations([extension(n, n + 1, "succeeded" if n < 2 else "pending") for n in range(5)]))
def test_the_order_in_which_they_are_listed_does_not_matter(told: list[dict[str, str]]) -> None:
    assert paid_end(END + 5 * DAY, told) == END + 2 * DAY
