"""The API keeps to its own description, whatever is asked of it: generated calls, good ones and bad ones."""

from collections.abc import Iterator

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from config.api import api
from config.wsgi import application
from reservations.api import callers
from telemetry.models import PoolHour
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import token_of
from tests.reservations.holdings import holding

SETTINGS = {
    "generation": {"mode": "all", "max-examples": 10, "deterministic": True},
    # What hangs together no description can say: a month and the hours around it, the jobs of a scenario and its GPUs.
    # And who has three runs under way is refused a fourth.
    "checks": {"positive_data_acceptance": {"expected-statuses": [200, 202, 404, 409, 422]}},
}
described = schemathesis.openapi.from_dict(api.get_openapi_schema(), config=SchemathesisConfig.from_dict(SETTINGS))
described.app = application


@pytest.fixture
def secret(cast: Cast, collected: list[PoolHour], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A token of the analyst of a fleet with hours and a reservation, whose calls nobody counts."""
    holding("cr-0aaa", pool=cast.pool, tags={"team": "ml"})
    monkeypatch.setattr(api.throttle, "num_requests", 100_000)
    monkeypatch.setattr(callers, "MISSES_A_MINUTE", 100_000)
    # A request ends with its connection checked, which would end the test's transaction.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield token_of(cast.analyst)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


# Every call only reads, so the same fleet serves them all.
@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@described.parametrize()
def test_every_call_is_answered_as_described(case: schemathesis.Case, secret: str) -> None:
    # Called without a server between, nothing would unpack a compressed answer.
    case.call_and_validate(headers={"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"})
