"""How fast sizes are worked out: three years with a band, a thousand pools, and a what-if on the page."""

import statistics
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import perf_counter, process_time

import numpy as np
import pytest
from django.test import Client

from scheduler.domain.sizing.alternatives import Choices
from scheduler.domain.sizing.answer import SizingAsked, sizing
from telemetry.domain.demand import DemandTrace
from tests.fixtures.cast import Cast
from tests.scheduler.demanded import demand
from tests.scheduler.domain.sizing.traces import prices, trace

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(5400)]

YEAR = 8_760
TRIES = 15
BAND_S, POOLS_S, WHAT_IF_MS = 1.0, 20.0, 100.0


def hours(count: int, seed: int, peak: int = 64) -> list[int]:
    """Nodes by the day and the week, with some chance in it."""
    dice = np.random.Generator(np.random.PCG64(seed))
    at = np.arange(count)
    day = 0.5 + 0.3 * np.sin(2 * np.pi * at / 24) + 0.1 * np.sin(2 * np.pi * at / 168)
    return [int(nodes) for nodes in np.clip(peak * day + dice.normal(0, peak / 16, count), 0, peak)]


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the wall and of the processor."""
    wall, cpu = perf_counter(), process_time()
    work()
    return perf_counter() - wall, process_time() - cpu


def test_three_years_with_a_thousand_draws() -> None:
    found = trace(hours(3 * YEAR, seed=1))
    asked = SizingAsked(prices(q="0.1", lost="120"), Choices(current=48))
    times = [timed(lambda: sizing(_fresh(found), asked)) for _ in range(TRIES)]
    print(f"\n| three years of hours with a band of 1,000 draws | {_told(times, 's')} |")
    assert min(cpu for _, cpu in times) <= BAND_S


def test_a_thousand_pools_of_a_year_each() -> None:
    traces = [trace(hours(YEAR, seed=seed, peak=8 + seed % 90)) for seed in range(10)]
    asked = SizingAsked(prices(q="0.1", lost="120"), draws=0)

    def work() -> None:
        for at in range(1_000):
            sizing(_fresh(traces[at % 10]), asked)

    wall, cpu = timed(work)
    print(f"\n| 1,000 pools, a year each, without a band | {wall:.1f} s | {cpu:.1f} s |")
    assert cpu <= POOLS_S


@pytest.mark.django_db
@pytest.mark.parametrize("months", [1, 3, 12])
def test_a_what_if(cast: Cast, client: Client, months: int) -> None:
    start = datetime(2025, 4, 1, tzinfo=UTC)
    demand(
        cast.pool,
        {name: hours(365 * 24, seed=seed, peak=20) for seed, name in enumerate(("serving", "training", "batch"))},
        start=start,
    )
    client.force_login(cast.analyst, backend="django.contrib.auth.backends.ModelBackend")
    assert start + timedelta(days=365) == datetime(2026, 4, 1, tzinfo=UTC)

    def ask(reserved: int) -> None:
        query = {"pool": "serve-h100", "month": "2026-03", "months": months, "reserved": reserved}
        more = {"fail_probability": "0.1", "shortage_cost": "120", "current": 40}
        assert client.get("/sizing/", {**query, **more}, headers={"HX-Request": "true"}).status_code == 200

    ask(39)
    times = [timed(lambda reserved=reserved: ask(reserved)) for reserved in range(40, 40 + TRIES)]
    print(f"\n| what-if over {months} months of three workloads | {_told(times, 'ms', 1_000)} |")
    assert min(cpu for _, cpu in times) * 1_000 <= WHAT_IF_MS


def _fresh(found: DemandTrace) -> DemandTrace:
    """The same hours without anything worked out of them before."""
    return DemandTrace(found.hours, found.by_workload, found.peak)


def _told(times: list[tuple[float, float]], unit: str, scale: float = 1) -> str:
    places = 2 if unit == "s" else 0
    wall, cpu = (scale * statistics.median(one) for one in zip(*times, strict=True))
    least = scale * min(cpu for _, cpu in times)
    return f"{wall:.{places}f} {unit} | {cpu:.{places}f} {unit} (least {least:.{places}f})"
