"""How fast pages answer a large organisation, and how soon they are painted: ``make bench`` prints rows of a table."""

import platform
import statistics
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser

from reservations.models import Reservation, User
from scheduler.models import AlertEpisode, Renewal
from scheduler.services.alerts import check_alerts
from scheduler.services.renewals import propose_renewals
from tests.benchmarks.scale import Scale, fill
from tests.browser.conftest import browser  # noqa: F401 (a fixture)
from tests.scheduler.blocks_that_end import block, job

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(5400), pytest.mark.django_db(transaction=True)]

TRIES = 15
BLOCK, JOBS = "cr-block", 100
SERVER_MS = 150
QUERIES = 12
WEIGHT_BYTES = 300_000
PAINTED_MS = 1000
DRAWN_MS = 2000

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
DRAWN = """() => document.readyState === 'complete' && [...document.querySelectorAll('.chart')].every((chart) => {
  const box = chart.getBoundingClientRect();
  return box.top > innerHeight || box.height === 0 || chart.classList.contains('drawn');
})"""


def addresses(end: datetime) -> list[str]:
    """Every kind of page, on the busiest month of a pool of 16 nodes and of all pools."""
    month = (end.replace(day=1) - timedelta(days=1)).strftime("%Y-%m")
    now = end.strftime("%Y-%m")
    one = Reservation.objects.order_by("pk").first()
    assert one
    held = Reservation.objects.get(external_id=BLOCK).pk
    return [
        "/",
        f"/fleet/{month}/",
        f"/fleet/{now}/",
        f"/fleet/{month}/figures/",
        f"/fleet/{month}/figures/week/",
        f"/pools/pool-14/{month}/",
        f"/pools/pool-14/{month}/figures/",
        f"/pools/pool-14/{month}/?day={month}-09",
        f"/pools/pool-14/hours/{month}-09T13/",
        "/reservations/",
        "/reservations/?page=7&sort=-end",
        "/reservations/timeline/",
        f"/reservations/{one.pk}/",
        "/health/data/",
        "/search/?q=cr-00000",
        "/me/",
        "/glossary/",
        "/prices/",
        "/commitments/",
        f"/sizing/?pool=pool-14&month={month}",
        f"/sizing/replay/?pool=pool-14&month={month}",
        "/recommendations/",
        "/allocator/",
        "/alerts/",
        f"/alerts/{AlertEpisode.objects.order_by('pk').values_list('pk', flat=True)[0]}/",
        f"/reservations/{held}/",
        f"/blocks/{held}/clock/",
        "/renewals/",
        f"/renewals/{Renewal.objects.order_by('pk').values_list('pk', flat=True)[0]}/",
        "/calendar/",
    ]


def lived_in(end: datetime) -> None:
    """A block that ends in a day with many jobs on it, what the rules find, and what follows the ends there are."""
    held = block(
        BLOCK,
        start_at=end - timedelta(days=6),
        end_at=end + timedelta(days=1),
        usable_until=end + timedelta(hours=23, minutes=30),
        first_seen_at=end - timedelta(days=6),
        last_seen_at=end,
    )
    for number in range(JOBS):
        job(held, f"run-{number}")
    check_alerts(as_of=end, made_at=end)
    propose_renewals(as_of=end)


def served(client: Client, address: str) -> tuple[float, int, int]:
    """Median milliseconds, queries and bytes of a page; the first answer, which warms caches, is not counted."""
    asked: list[str] = []

    def counted(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(counted):
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    took = []
    for _ in range(TRIES):
        began = perf_counter()
        client.get(address)
        took.append((perf_counter() - began) * 1000)
    return statistics.median(took), len(asked), len(answer.content)


def test_pages_of_a_large_organisation(browser: Browser, live_server) -> None:  # noqa: F811
    end = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    began = perf_counter()
    fill(Scale(end=end))
    print(f"\n{platform.machine()}; 200 pools, 24 months, 1,000 reservations filled in {perf_counter() - began:.0f} s")
    lived_in(end)
    client = Client()
    client.force_login(User.objects.get(username="analyst"), backend="django.contrib.auth.backends.ModelBackend")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/glossary/")  # styles and scripts are cached, as they are for who works with it
    over = []
    for address in addresses(end):
        took, queries, weight = served(client, address)
        page.goto(live_server.url + address)
        page.wait_for_function(DRAWN)
        drawn = page.evaluate("performance.now()")
        painted = page.evaluate(PAINTED) or 0
        print(
            f"| `{address}` | {took:.0f} ms | {queries} | {weight / 1000:.0f} kB | {painted:.0f} ms | {drawn:.0f} ms |"
        )
        if took > SERVER_MS or queries > QUERIES or weight > WEIGHT_BYTES or painted > PAINTED_MS or drawn > DRAWN_MS:
            over.append(address)
    context.close()
    assert over == []
