"""A pool with 16 nodes held and a month of demand: what recommendations are made of in tests that need a database."""

from datetime import UTC, datetime, timedelta

from reservations.models import Pool, PoolMembership, Reservation
from reservations.selectors.pools import pool_rows
from scheduler.models import Recommendation
from scheduler.services.recommendations import recommend
from tests.scheduler.demanded import worked_month

AS_OF = datetime(2026, 4, 2, 9, tzinfo=UTC)


def hold(pool: Pool, nodes: int, *, name: str = "cr-0aaa", **said: object) -> Reservation:
    """An on-demand reservation that backs a pool since February."""
    since = datetime(2026, 2, 1, tzinfo=UTC)
    held = Reservation.objects.create(
        **{
            "arn": f"arn:aws:ec2:us-east-1:111122223333:capacity-reservation/{name}",
            "external_id": name,
            "kind": "on_demand",
            "state": "active",
            "state_raw": "active",
            "shape": pool.instance_type,
            "gpus_per_instance": 8,
            "total_count": nodes,
            "start_at": since,
            "first_seen_at": since,
            "last_seen_at": AS_OF,
            **said,
        }
    )
    PoolMembership.objects.create(pool=pool, reservation=held, period=(since, None))
    return held


def recommended(pool: Pool, *, nodes: int = 16, as_of: datetime = AS_OF, **said: object) -> Recommendation:
    """The recommendation of a pool that holds so many nodes and needed the worked month's."""
    worked_month(pool)
    hold(pool, nodes, **said)
    recommend(as_of=as_of, made_at=as_of + timedelta(minutes=1), pools=pool_rows())
    return Recommendation.objects.get(pool=pool, replaced_at__isnull=True)
