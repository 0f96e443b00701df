"""Recording sweeps: two months of five-minute lists at once, then one more on top of them."""

from dataclasses import replace
from time import perf_counter

import pytest

from reservations.services.sweeps import record_sweeps
from tests.reservations.services.sweep_rows import configure, listed, sizes, sweep

SWEEPS = 17_000


@pytest.mark.benchmark
@pytest.mark.django_db
def test_two_months_of_sweeps_are_recorded_in_under_a_minute_and_one_more_in_no_time() -> None:
    configure()
    base = [listed(f"cr-{number}", total=8) for number in range(5)]
    told = [sweep(5 * n, *(replace(one, total_count=8 + n // 4000) for one in base)) for n in range(SWEEPS)]
    began = perf_counter()
    record_sweeps(sweeps=told)
    filled = perf_counter() - began
    began = perf_counter()
    record_sweeps(sweeps=[sweep(5 * SWEEPS, *(replace(one, total_count=13) for one in base))])
    one_more = perf_counter() - began
    print(f"{SWEEPS} sweeps of 5: {filled:.1f} s; one more that resizes all: {one_more:.2f} s")
    assert len(sizes("cr-4")) == 6
    assert filled < 60
    assert one_more < 2
