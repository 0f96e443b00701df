"""What the front page's tests stand on: the cast's pool in its week, reservations with free slots, a fixed clock."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from reservations.models import Pool, PoolMembership, ProcurementRule, Reservation, ReservationObservation
from scheduler.views import attention

NOW = datetime(2026, 3, 8, 12, 0, tzinfo=UTC)
POLL = timedelta(minutes=5)


@pytest.fixture
def in_march(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """The page's clock stands at noon of 8 March 2026."""

    class Clock:
        now = staticmethod(lambda: NOW)

    monkeypatch.setattr(attention, "timezone", Clock)
    return NOW


def reserve(name: str, *, pool: Pool | None, total: int, **said: object) -> Reservation:
    """A reservation held since 1 February; without a pool nobody's."""
    since = NOW - timedelta(days=35)
    held = Reservation.objects.create(
        **{
            "arn": f"arn:aws:ec2:us-east-1:111122223333:capacity-reservation/{name}",
            "external_id": name,
            "kind": "on_demand",
            "state": "active",
            "state_raw": "active",
            "shape": "p5.48xlarge",
            "matching": "open",
            "gpus_per_instance": 8,
            "total_count": total,
            "start_at": since,
            "first_seen_at": since,
            "last_seen_at": NOW,
            **said,
        }
    )
    if pool is not None:
        PoolMembership.objects.create(pool=pool, reservation=held, period=(since, None))
    return held


def observe(held: Reservation, free: dict[datetime, int | None], **said: object) -> None:
    """What sweeps saw at some instants."""
    ReservationObservation.objects.bulk_create(
        ReservationObservation(
            **{
                "reservation": held,
                "observed_at": at,
                "state_raw": "active",
                "total_count": held.total_count,
                "available_count": available,
                **said,
            }
        )
        for at, available in free.items()
    )


def polled(free: int, *, since: datetime, until: datetime = NOW) -> dict[datetime, int | None]:
    """The same count every five minutes."""
    return {since + POLL * poll: free for poll in range((until - since) // POLL + 1)}


def publish_rule(owner: object) -> None:
    """A decision takes 14 days, and 21 more for a block."""
    ProcurementRule.objects.create(
        version=1,
        owner=owner,
        document={"procurement_lead_days": 14, "block_booking_lead_days": 21},
        status="published",
    )


def sheet(client: Client, name: str, query: str = "") -> list[dict[str, str]]:
    """The rows of one of the page's CSVs."""
    answer = client.get(f"/attention/{name}.csv{query}")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))
