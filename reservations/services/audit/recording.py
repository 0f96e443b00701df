"""Writing one event down, as the next link of the chain."""

from collections.abc import Mapping
from dataclasses import asdict

from django.db import connection

from reservations.domain.audit_chain import FIRST_LINK, AuditAct, Event, Via, sealed
from reservations.domain.audit_state import kept_text, state_text
from reservations.models import AuditEvent
from reservations.services.audit.origin import By, named, origin

TRAIL = 0x61756474
"""The advisory lock under which the trail grows: one writer at a time, until its transaction ends."""

LAST = """
SELECT clock_timestamp(), last.sequence, last.hash FROM (SELECT) AS one
LEFT JOIN (SELECT sequence, hash FROM reservations_auditevent ORDER BY sequence DESC LIMIT 1) AS last ON true
"""


class UnableToRecordEvent(RuntimeError):
    """An act would be written down apart from what it does: a mistake in the program."""


def record_event(
    *,
    what: AuditAct,
    about: str,
    ident: str,
    by: By = None,
    acting_for: str = "",
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    why: str = "",
    via: str = "",
) -> int:
    """The number of a new event, in the transaction of the act that it tells of; UnableToRecordEvent outside of one.

    Called last in a transaction, since every other writer of the trail waits for its end. ``by`` and ``via`` are what
    the door said where they are left out; ``before`` and ``after`` None: nothing stood there.
    """
    if not connection.in_atomic_block:
        raise UnableToRecordEvent(f"{what} is recorded inside the transaction of what it tells of")
    place = origin()
    name, number = named(by, place)
    told = {
        "act": AuditAct(what).value,
        "about": kept_text(about)[:64],
        "ident": kept_text(str(ident))[:200],
        "by_name": kept_text(name)[:150],
        "by_id": number,
        "acting_for": kept_text(acting_for)[:150],
        "via": Via(via or place.via).value,
        "address": kept_text(place.address)[:64],
        "request_id": kept_text(place.request_id)[:64],
        "before": state_text(before),
        "after": state_text(after),
        "why": kept_text(why),
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [TRAIL])
        # The clock and the end of the trail are read once the lock is held: else two would follow the same event.
        cursor.execute(LAST)
        at, count, link = cursor.fetchone()
    event = sealed(Event(sequence=(count or 0) + 1, at=at, previous_hash=link or FIRST_LINK, **told))
    AuditEvent.objects.create(**asdict(event))
    return event.sequence
