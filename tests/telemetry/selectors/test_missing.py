from datetime import UTC, datetime, timedelta

import pytest

from reservations.domain.period import Period
from reservations.models import Owner, Pool
from telemetry.models import PoolHour
from telemetry.selectors.missing import missing_hours

pytestmark = pytest.mark.django_db

MIDNIGHT = datetime(2026, 5, 4, tzinfo=UTC)


def at(hour: int) -> datetime:
    return MIDNIGHT + timedelta(hours=hour)


def pool(name: str, *hours: int) -> Pool:
    owner, _ = Owner.objects.get_or_create(name="serving")
    made = Pool.objects.create(name=name, owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)
    for hour in hours:
        PoolHour.objects.create(pool=made, hour=at(hour), reserved=0, paid=0, read_at=at(40))
    return made


def test_hours_without_a_row_come_in_stretches() -> None:
    asked = pool("asked", 0, 3, 4, 9)
    pool("other", 1, 2)
    assert missing_hours(pool_id=asked.pk, period=Period(at(1), at(8))) == [Period(at(1), at(3)), Period(at(5), at(8))]


def test_nothing_is_missing_where_every_hour_stands() -> None:
    assert missing_hours(pool_id=pool("asked", 0, 1).pk, period=Period(at(0), at(2))) == []
