"""A pool with one reservation, seen every five minutes, and its metrics source: what collection starts from."""

from datetime import datetime, timedelta

from reservations.models import (
    Owner,
    Pool,
    PoolMembership,
    Queue,
    Reservation,
    ReservationObservation,
    ReservationSize,
)
from telemetry.models import MetricsSource, PoolSource

POLL = timedelta(minutes=5)


def collected_pool(
    url: str,
    *,
    first: datetime,
    last: datetime,
    instances: int,
    available: int,
    gpus_per_node: int,
    reservation: str = "cr-0aaa",
    queues: tuple[str, ...] = ("cq-a", "cq-b"),
) -> Pool:
    """``instances`` promised all the time, ``available`` of them free whenever somebody looked from first to last."""
    owner = Owner.objects.create(name="serving")
    pool = Pool.objects.create(
        name="reserved-h100", owner=owner, instance_type="p5.48xlarge", gpus_per_node=gpus_per_node
    )
    for queue in queues:
        Queue.objects.create(pool=pool, cluster_queue=queue, owner=owner, workload="serving")
    _reserve(pool, reservation, first - timedelta(days=1), last, instances, available)
    source = MetricsSource.objects.create(name="main", url=url)
    PoolSource.objects.create(pool=pool, source=source)
    return pool


def _reserve(pool: Pool, name: str, first: datetime, last: datetime, instances: int, available: int) -> None:
    held = Reservation.objects.create(
        arn=f"arn:aws:ec2:us-east-1:111122223333:capacity-reservation/{name}",
        external_id=name,
        kind="on_demand",
        state="active",
        state_raw="active",
        total_count=instances,
        start_at=first,
        first_seen_at=first,
        last_seen_at=last,
    )
    ReservationSize.objects.create(reservation=held, period=(first, None), instances=instances, dated_by="provider")
    PoolMembership.objects.create(pool=pool, reservation=held, period=(first, None))
    ReservationObservation.objects.bulk_create(
        ReservationObservation(
            reservation=held,
            observed_at=first + POLL * poll,
            state_raw="active",
            total_count=instances,
            available_count=available,
        )
        for poll in range((last - first) // POLL + 1)
    )
