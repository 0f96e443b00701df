"""Walking the whole chain, as it stood at one instant."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from reservations.domain.audit_chain import Finding, Head, first_fault
from reservations.selectors.audit import trail_events, trail_head


@dataclass(frozen=True, slots=True)
class Verified:
    """How far the trail has come, and the first row at which it does not hold; ``finding`` None: it holds."""

    head: Head | None
    finding: Finding | None


def verify_audit(*, expected: Sequence[Head] = ()) -> Verified:
    """Check every row against its hash and the one before it, then the count beside the trail and noted heads."""
    with transaction.atomic():
        _as_of_now()
        head = trail_head()
        return Verified(head, first_fault(trail_events(), head=head, expected=expected))


def _as_of_now() -> None:
    """Read the head and the rows as of one instant, however many are written meanwhile; within another's transaction
    it can't be asked for any more."""
    if not connection.savepoint_ids:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
