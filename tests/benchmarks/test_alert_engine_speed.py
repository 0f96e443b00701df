"""How fast rules are asked of a large organisation, and how fast ten thousand open alerts are listed."""

import platform
import statistics
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import perf_counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scheduler.models import AlertEpisode, NotificationRoute
from scheduler.selectors.alerts import EpisodeFilter, episode_count, episode_counts, episodes
from scheduler.services.alerts import check_alerts
from tests.benchmarks.scale import Scale, fill

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(5400), pytest.mark.django_db(transaction=True)]

CHECK_SECONDS = 5
CHECK_QUERIES = 50
LIST_MS = 150
OPEN = 10_000


def test_all_rules_over_a_thousand_reservations_and_two_hundred_pools() -> None:
    end = (datetime.now(UTC) - timedelta(minutes=15)).replace(minute=0, second=0, microsecond=0)
    fill(Scale(end=end, days=60, observed=timedelta(hours=3)))
    NotificationRoute.objects.create(
        name="all", channel="email", address_sealed="x", shown="all@example.com", made_at=end, at_once_from="critical"
    )
    print(f"\n{platform.machine()}")
    for minutes in (2, 7, 12):
        at = end + timedelta(minutes=minutes)
        began = perf_counter()
        with CaptureQueriesContext(connection) as asked:
            checked = check_alerts(as_of=at, made_at=at)
        took = perf_counter() - began
        print(
            f"{len(checked.opened)} opened, {checked.open} open, {checked.deliveries} owed: {took:.2f} s,"
            f" {len(asked)} queries, failed {dict(checked.failed)}"
        )
        assert not checked.failed
        assert took < CHECK_SECONDS
        assert len(asked) <= CHECK_QUERIES


def test_ten_thousand_open_alerts_are_listed() -> None:
    at = datetime(2026, 5, 4, tzinfo=UTC)
    AlertEpisode.objects.bulk_create(
        AlertEpisode(
            rule=f"rule_{number % 16}",
            key=f"pool:{number}",
            object=f"pool:{number}",
            subject=f"pool-{number}",
            pool=f"pool-{number % 200}",
            owner=f"team-{number % 20}",
            teams=[f"team-{number % 20}", f"team-{(number + 7) % 20}"],
            severity=("notice", "warning", "critical")[number % 3],
            state=("open", "open", "acknowledged")[number % 3],
            since=at - timedelta(minutes=number),
            opened_at=at,
            found_at=at,
            summary=f"{number} of 16 nodes stand idle",
            next_step={"verb": "Open", "page": "scheduler:attention", "of": [], "query": []},
            weekly_gpu_ms=number * 1000,
            weekly_money=number if number % 4 else None,
            currency="USD" if number % 4 else "",
        )
        for number in range(OPEN)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE scheduler_alertepisode")
    wanted = EpisodeFilter()
    for teams in (None, frozenset({"team-3"})):
        for order in ("severity", "money", "since"):
            asked = EpisodeFilter(order=order)
            took = timed(lambda teams=teams, asked=asked: episodes(asked, teams=teams, start=0, end=50))
            print(f"page by {order} of {'everything' if teams is None else 'one team'}: {took:.0f} ms")
            assert took < LIST_MS
        both = timed(lambda teams=teams: (episode_count(wanted, teams=teams), episode_counts(wanted, teams=teams)))
        print(f"counts: {both:.0f} ms")
        assert both < LIST_MS


def timed(ask: Callable[[], object]) -> float:
    ask()
    took = []
    for _ in range(9):
        began = perf_counter()
        ask()
        took.append((perf_counter() - began) * 1000)
    return statistics.median(took)
