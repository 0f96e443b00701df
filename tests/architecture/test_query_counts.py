"""Pages stay cheap: how many queries each one makes, and the limit none may pass."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from telemetry.models import PoolHour
from tests.fixtures.cast import Cast
from tests.scheduler.demanded import worked_month

LIMIT = 12
AN_EVENT = 3
"""A file that is taken away is written down in the audit trail: its lock, its end, the new event."""

COUNTS = {
    "/": 12,
    "/attention/items.csv": 12,
    "/attention/pools.xlsx": 12,
    "/fleet/2026-03/": 10,
    "/fleet/2026-03/?day=2026-03-03": 12,
    "/fleet/2026-03/?step=idle_held": 10,
    "/fleet/2026-03/figures/": 12,
    "/fleet/2026-03/figures/week/": 9,
    "/fleet/2026-03/pools.csv": 7,
    "/pools/serve-h100/2026-03/": 10,
    "/pools/serve-h100/2026-03/?day=2026-03-03": 10,
    "/pools/serve-h100/2026-02/": 8,
    "/pools/serve-h100/2026-03/figures/": 12,
    "/pools/serve-h100/2026-03/by-day.csv": 7,
    "/pools/serve-h100/hours/2026-03-03T13/": 12,
    "/pools/serve-h100/hours/2026-03-03T13/pods.csv": 9,
    "/health/data/": 12,
    "/health/data/?pool=serve-h100": 12,
    "/health/data/?see=hours": 7,
    "/health/data/?see=suspects": 7,
    "/health/data/?see=collection": 8,
    "/health/data/calendar.csv": 7,
    "/commitments/": 7,
    "/commitments/commitments.csv": 6,
    "/prices/": 10,
    "/prices/quotes.csv": 9,
    "/search/?q=serve": 9,
    "/sizing/?pool=serve-h100&month=2026-03": 10,
    "/sizing/curve.csv?pool=serve-h100&month=2026-03": 9,
    "/sizing/replay/?pool=serve-h100&month=2026-03": 6,
    "/recommendations/": 5,
    "/recommendations/recommendations.csv": 6,
    "/recommendations/back-test/?pool=serve-h100": 8,
    "/renewals/": 9,
    "/renewals/renewals.csv": 9,
    "/exceptions/": 5,
    "/exceptions/exceptions.csv": 12,
    "/exceptions/waiting/": 4,
    "/procurement/": 6,
    "/procurement/draft/": 6,
    "/delegations/": 5,
    "/alerts/": 7,
    "/alerts/open/": 4,
    "/alerts/of/?pool=serve-h100": 4,
    "/alerts/alerts.csv": 4,
    "/alerts/rules/": 8,
    "/alerts/routes/": 6,
    "/alerts/deliveries/": 5,
    "/me/notifications/": 5,
    "/api/v1/alerts": 5,
    "/allocator/": 7,
    "/allocator/?scenario=scale&penalty=9": 7,
    "/allocator/jobs.csv?scenario=burst": 7,
    "/allocator/scenarios/new/?from=mixed": 6,
    "/allocator/benchmark/": 4,
    "/glossary/": 2,
    "/views/": 3,
    "/me/": 6,
    "/me/menu/": 4,
    "/me/tokens/": 3,
    "/api/v1/docs": 2,
    "/api/v1/pools": 4,
    "/api/v1/pools/serve-h100": 4,
    "/api/v1/pools/serve-h100/months/2026-03": 9,
    "/api/v1/usage?month=2026-03&by=day": 7,
    "/api/v1/reservations": 8,
    "/api/v1/renewals": 10,
    "/api/v1/jobs": 5,
    "/api/v1/health": 12,
    "/api/v1/recommendations": 5,
    "/api/v1/allocation-runs": 5,
}


@pytest.mark.django_db
@pytest.mark.parametrize("address", COUNTS)
def test_a_page_makes_no_more_queries_than_it_did(
    address: str, cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    PoolHour.objects.filter(pk=collected[-1].pk).update(hour=timezone.now() - timedelta(hours=30), flags=["thin"])
    worked_month(cast.pool)
    client = logged_in(cast.analyst)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(address).status_code == 200
    said = "\n".join(query["sql"][:160] for query in queries)
    is_file = address.partition("?")[0].endswith((".csv", ".xlsx"))
    assert len(queries) <= COUNTS[address] + (AN_EVENT if is_file else 0), said
    assert COUNTS[address] <= LIMIT
