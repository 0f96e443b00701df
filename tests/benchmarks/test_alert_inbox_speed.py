"""How fast the inbox answers with ten thousand open alerts: ``make bench`` prints rows of a table."""

import statistics
from datetime import timedelta
from decimal import Decimal
from time import perf_counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scheduler.models import AlertEpisode
from tests.fixtures.cast import Cast
from tests.scheduler.alerted import alerted

pytestmark = [pytest.mark.benchmark, pytest.mark.django_db]
ALERTS = 10_000
SERVER_MS = 150
QUERIES = 12
TRIES = 15
ADDRESSES = (
    "/alerts/",
    "/alerts/?page=150",
    "/alerts/?sort=newest&severity=critical",
    "/alerts/?q=cr-00042",
    "/alerts/open/",
    "/alerts/rules/",
)


def ten_thousand() -> None:
    """Open alerts of every severity, most with money, of two kinds of teams."""
    one, now = alerted(), timezone.now()
    plain = {field.attname: getattr(one, field.attname) for field in AlertEpisode._meta.fields if field.name != "id"}
    AlertEpisode.objects.bulk_create(
        AlertEpisode(
            **plain
            | {
                "key": f"reservation:{place}",
                "object": f"reservation:{place}",
                "subject": f"cr-{place:05d}",
                "severity": ("notice", "warning", "critical")[place % 3],
                "weekly_money": Decimal(place) if place % 4 else None,
                "since": now - timedelta(minutes=place),
                "teams": ["serving", "research"] if place % 2 else ["robotics"],
            }
        )
        for place in range(1, ALERTS)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE scheduler_alertepisode")


@pytest.mark.parametrize("who", ["analyst", "owner"])
def test_the_inbox_with_ten_thousand_open_alerts(who: str, cast: Cast, logged_in) -> None:
    ten_thousand()
    client, over = logged_in(getattr(cast, who)), []
    for address in ADDRESSES:
        if who == "owner" and "page" in address:
            continue
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address).status_code == 200, address
        queries = len(asked)
        took = []
        for _ in range(TRIES):
            began = perf_counter()
            client.get(address)
            took.append((perf_counter() - began) * 1000)
        print(f"| `{address}` as {who} | {statistics.median(took):.0f} ms | {queries} |")
        if statistics.median(took) > SERVER_MS or queries > QUERIES:
            over.append(address)
    assert over == []
