"""Reservations for tests, in the pools of the cast: one line each, everything else as it usually is."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.models import Owner, Pool, PoolMembership, ProcurementRule, Reservation

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


def holding(name: str, *, pool: Pool | None = None, owner: str | None = None, **said: object) -> Reservation:
    """One reservation as a sweep would have left it; ``owner`` is the name of a team there is."""
    fields: dict[str, object] = {
        "arn": f"arn:aws:ec2:us-east-1:111122223333:capacity-reservation/{name}",
        "external_id": name,
        "kind": "on_demand",
        "region": "us-east-1",
        "zone_id": "use1-az4",
        "shape": "p5.48xlarge",
        "state": "active",
        "state_raw": "active",
        "matching": "targeted",
        "gpus_per_instance": Decimal(8),
        "total_count": 4,
        "available_count": 1,
        "start_at": NOW - timedelta(days=100),
        "first_seen_at": NOW - timedelta(days=100),
        "last_seen_at": NOW,
        "owner": Owner.objects.get(name=owner) if owner else None,
    }
    row = Reservation.objects.create(**{**fields, **said})
    row.history.all().delete()  # a sweep writes in bulk and leaves none
    if pool is not None:
        PoolMembership.objects.create(pool=pool, reservation=row, period=DateTimeTZRange(None, None))
    return row


def publish_rule(*, procurement: int = 14, blocks: int = 21) -> ProcurementRule:
    """A published procurement rule with these lead times."""
    document = {"procurement_lead_days": procurement, "block_booking_lead_days": blocks}
    return ProcurementRule.objects.create(
        version=1, owner=Owner.objects.first(), document=document, status=ProcurementRule.Status.PUBLISHED
    )
