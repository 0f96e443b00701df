"""``/health``: the state of each source, and its errors only for who may see all its pools."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from telemetry.models import CollectionRun, MetricsSource, PoolHour, PoolSource
from tests.fixtures.cast import MONTH, Cast
from tests.reservations.api.calling import Caller, token_of

pytestmark = pytest.mark.django_db


def sources(person) -> dict[str, dict]:
    return {row["name"]: row for row in Caller(token_of(person)).get("health").json()["sources"]}


@pytest.fixture
def shared(cast: Cast, collected: list[PoolHour]) -> None:
    """Both pools stand behind one source; an error of it may name either."""
    source = MetricsSource.objects.get(name="prod-a")
    PoolSource.objects.create(pool=cast.other, source=source)
    CollectionRun.objects.update(read_at=MONTH)


def test_who_may_see_all_sees_all(cast: Cast, shared: None) -> None:
    told = sources(cast.analyst)
    assert set(told) == {"prod-a", "prod us-east-1"}
    assert told["prod-a"]["pools"] == ["arms", "serve-h100"]
    assert told["prod us-east-1"]["hours_missing"] is None


def test_an_error_that_may_name_a_pool_of_another_team_is_kept_back(cast: Cast, shared: None) -> None:
    told = sources(cast.owner)
    assert told["prod-a"]["pools"] == ["serve-h100"]
    assert told["prod-a"]["last_error"] is None
    assert sources(cast.nobody) == {}


def test_the_health_takes_few_queries(cast: Cast, shared: None) -> None:
    caller = Caller(token_of(cast.analyst))
    caller.get("health")
    with CaptureQueriesContext(connection) as queries:
        assert caller.get("health").status_code == 200
    assert len(queries) <= 12
