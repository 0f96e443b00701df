"""Pools of the demo fleet with their real reservations, and sources that answer or do not."""

from datetime import UTC, datetime, timedelta

from reservations.domain.period import Period
from reservations.models import Account, Owner, Pool, PoolReservationRule
from reservations.services.memberships import assign_reservations
from reservations.services.sweeps import record_sweeps
from telemetry.domain.ledger import LedgerHour
from telemetry.models import CollectionRun, MetricsSource, PoolHour, PoolSource
from telemetry.services.ledger import store_hours
from telemetry.sources.synthetic.capacity import sweeps
from telemetry.sources.synthetic.story import POOLS, world_at

FLEET = "synthetic://7/2026-05-10"
NOWHERE = "http://127.0.0.1:9"
TEN = datetime(2026, 5, 4, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


def source(name: str, url: str = FLEET) -> MetricsSource:
    kind = "synthetic" if url.startswith("synthetic") else "prometheus"
    return MetricsSource.objects.create(name=name, url=url, kind=kind, scrape_interval_seconds=300)


def pool(name: str, of: MetricsSource | None = None) -> Pool:
    owner, _ = Owner.objects.get_or_create(name="serving")
    shape = next((one.instance_type for one in POOLS if one.name == name), "p5.48xlarge")
    made = Pool.objects.create(name=name, owner=owner, instance_type=shape, gpus_per_node=8)
    PoolReservationRule.objects.create(pool=made, tag_key="pool", value=name)
    PoolSource.objects.create(pool=made, source=of)
    return made


def reserve(hours: int) -> None:
    """What EC2 showed of the fleet from ten minutes before ten o'clock on, every five minutes."""
    Account.objects.create(name="demo", account_id="111122223333", regions=["us-east-1"])
    seen = Period(TEN - timedelta(minutes=10), TEN + hours * HOUR)
    record_sweeps(sweeps=list(sweeps(world_at(FLEET), "demo", seen)))
    assign_reservations(as_of=seen.end)


def settle(of: Pool, source: str, until: datetime) -> None:
    """Final hours for all that a run by the clock would otherwise have to make up before an instant."""
    first = until - timedelta(days=15)
    zero = {"ec2_unused": 0, "not_observed": 0}
    rows = [LedgerHour(hour, reserved=0, paid=0, final=True, **zero) for hour in Period(first, until).hours()]
    store_hours(pool_id=of.pk, source=source, hours=rows, read_at=until + timedelta(minutes=5))


def tries(of: Pool) -> list[tuple[datetime, str, datetime]]:
    """Every try of a pool: the hour, how it ended and when."""
    runs = CollectionRun.objects.filter(pool=of).order_by("read_at", "hour")
    return list(runs.values_list("hour", "status", "read_at"))


def hours_of(of: Pool) -> list[datetime]:
    """The hours a pool has in the ledger."""
    return list(PoolHour.objects.filter(pool=of).order_by("hour").values_list("hour", flat=True))
