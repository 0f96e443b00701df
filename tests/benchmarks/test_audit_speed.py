"""How long the chain takes to walk, and an event to be written at its end, as the trail grows."""

import time
from dataclasses import astuple
from datetime import UTC, datetime, timedelta
from statistics import median

import pytest
from django.db import connection, transaction

from reservations.domain.audit_chain import FIRST_LINK, AuditAct, Event, sealed
from reservations.selectors.audit import FIELDS
from reservations.services.audit import record_event
from reservations.services.audit.verifying import verify_audit
from tests.fixtures.trail import forge

pytestmark = [pytest.mark.benchmark, pytest.mark.django_db, pytest.mark.timeout(3600)]

START = datetime(2026, 1, 1, tzinfo=UTC)
STATES = (
    '{"standing":"open"}',
    '{"deed":"snoozed","alerts":[{"id":1,"rule":"idle_reservation","about":"serve-h100"}]}',
)


def filled(count: int) -> None:
    """So many events, as the tables' owner can lay them down."""
    link = FIRST_LINK
    forge("TRUNCATE reservations_auditevent, reservations_audithead")
    forge_on = "ALTER TABLE reservations_auditevent {} TRIGGER audit_event_continues"
    with connection.cursor() as cursor:
        cursor.execute(forge_on.format("DISABLE"))
        with cursor.copy(f"COPY reservations_auditevent ({', '.join(FIELDS)}) FROM STDIN") as copy:
            for number in range(1, count + 1):
                who = (f"person-{number % 40}", str(number % 40), "", "page", "192.0.2.17", "4f0c2a4f0c2a4f0c")
                what = ("alert_moved", "alert", str(number % 5000))
                at = START + timedelta(seconds=10 * number)
                event = sealed(Event(number, at, *what, *who, *STATES, "waits for the new queue", link))
                copy.write_row(astuple(event))
                link = event.hash
        cursor.execute(forge_on.format("ENABLE ALWAYS"))
    forge(f"INSERT INTO reservations_audithead (id, count, hash) VALUES (1, {count}, '{link}')")


@pytest.mark.parametrize("count", [100_000, 1_000_000])
def test_walking_the_chain_and_adding_to_it(count: int) -> None:
    filled(count)
    began, busy = time.perf_counter(), time.process_time()
    assert verify_audit().finding is None
    wall, busy = time.perf_counter() - began, time.process_time() - busy
    took = []
    for _ in range(200):
        began = time.perf_counter()
        with transaction.atomic():
            record_event(what=AuditAct.ALERT_MOVED, about="alert", ident="1", after={"deed": "woken"}, why="again")
        took.append(time.perf_counter() - began)
    walked = f"{count:,} events: walked in {wall:.1f} s ({busy:.1f} s of the processor)"
    print(f"{walked}, one added in {median(took) * 1000:.1f} ms")
