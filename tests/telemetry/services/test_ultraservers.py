"""A block that only its UltraserverType makes an UltraServer, on the days when nobody may ask for that."""

from datetime import UTC, datetime, timedelta

import pytest

from reservations.models import Account, Reservation
from telemetry.services.sync import sync_reservations
from telemetry.sources.synthetic.endpoint import Fault
from tests.telemetry.sources.ec2_world import NOON, PROD, aws, block, real_client

pytestmark = pytest.mark.django_db

END = datetime(2026, 5, 8, 11, 30, tzinfo=UTC)
ULTRA = [{"CapacityBlockId": "cb-0ultra", "UltraserverType": "u-p6e-gb200x72"}]
REFUSED = [Fault(status=403, code="UnauthorizedOperation"), Fault(status=503, code="RequestLimitExceeded")]


@pytest.mark.parametrize("fault", REFUSED, ids=["denied", "throttled"])
def test_it_still_stops_an_hour_before_its_end_and_before_it_was_known_nothing_is_said(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_client(monkeypatch)
    closed = [True]
    seen = (block("cr-0u", "cb-0ultra"), block("cr-0plain"))
    with aws(
        *seen,
        blocks=ULTRA,
        fault=lambda call: fault if closed[0] and call.action == "DescribeCapacityBlocks" else None,
    ) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        said = []
        for minute, closed[0] in ((0, True), (5, False), (10, True)):
            report = sync_reservations(as_of=NOON + timedelta(minutes=minute))
            assert ("ec2:DescribeCapacityBlocks" in report.regions[0].degraded) == closed[0]
            said.append(dict(Reservation.objects.values_list("external_id", "usable_until")))
    told = {"cr-0u": END - timedelta(minutes=60), "cr-0plain": END - timedelta(minutes=30)}
    assert said == [{"cr-0u": None, "cr-0plain": None}, told, told]
