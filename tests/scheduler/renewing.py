"""Reservations with ends, and renewals of them, for tests that need a database."""

from datetime import UTC, datetime, timedelta

from reservations.models import Pool, Reservation
from scheduler.domain.renewal.standing import Choice
from scheduler.models import Renewal
from scheduler.services.renewals import decide_renewal, propose_renewals
from scheduler.services.renewals.stepping import Mover
from tests.reservations.holdings import holding

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
END = datetime(2026, 7, 11, 11, 30, tzinfo=UTC)
DAY = timedelta(days=1)
ADA = Mover(None, "ada")


def ending_block(pool: Pool | None = None, *, name: str = "cr-0aaa", **said: object) -> Reservation:
    """A block of four nodes that ends in forty days."""
    fields: dict[str, object] = {
        "kind": "block",
        "end_at": END,
        "usable_until": END - timedelta(minutes=30),
        "start_at": END - 60 * DAY,
        "ends_terminate_instances": True,
    }
    return holding(name, pool=pool, **{**fields, **said})


def proposed(pool: Pool | None = None, **said: object) -> Renewal:
    """The renewal of such a block."""
    block = ending_block(pool, **said)
    propose_renewals(as_of=NOW)
    return Renewal.objects.get(reservation=block)


def decided(pool: Pool | None = None, *, choice: Choice = Choice.RENEW, **said: object) -> Renewal:
    """The renewal of such a block, decided to go on for two weeks, or as said."""
    found = proposed(pool, **said)
    until = None if choice is Choice.LAPSE else END + 14 * DAY
    nodes = None if choice is Choice.LAPSE else 2 if choice is Choice.RESIZE else 4
    decide_renewal(pk=found.pk, choice=choice, nodes=nodes, until_at=until, by=ADA, at=NOW + timedelta(hours=1))
    found.refresh_from_db()
    return found
