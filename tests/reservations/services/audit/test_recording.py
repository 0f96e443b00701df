"""An event stands in the transaction of its act, follows the one before it, and no role may take it back."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from getpass import getuser

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, connection, transaction

from reservations.domain.audit_chain import FIRST_LINK, AuditAct
from reservations.models import AuditEvent, AuditHead, User
from reservations.services.audit import Origin, UnableToRecordEvent, Via, coming_from, record_event, speak_for
from tests.fixtures.cast import Cast


def told(number: int = 0, **more: object) -> int:
    return record_event(what=AuditAct.THRESHOLD_SET, about="pool", ident=str(number), **more)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_events_are_numbered_without_a_gap_and_each_follows_the_one_before(cast: Cast) -> None:
    assert [told(number, by=cast.owner, after={"days": number}) for number in range(3)] == [1, 2, 3]
    rows = list(AuditEvent.objects.order_by("sequence"))
    assert [row.previous_hash for row in rows] == [FIRST_LINK, rows[0].hash, rows[1].hash]
    assert {(row.by_name, row.by_id) for row in rows} == {("owner", str(cast.owner.pk))}
    assert abs(rows[-1].at - datetime.now(UTC)) < timedelta(minutes=1)
    head = AuditHead.objects.get()
    assert (head.count, head.hash) == (3, rows[-1].hash)


@pytest.mark.django_db
def test_what_was_undone_leaves_no_event_and_no_gap() -> None:
    told(1)
    with transaction.atomic():
        told(2)
        transaction.set_rollback(True)
    assert told(3) == 2
    assert list(AuditEvent.objects.order_by("sequence").values_list("ident", flat=True)) == ["1", "3"]


@pytest.mark.django_db
def test_removing_a_person_alters_no_row(cast: Cast) -> None:
    told(1, by=cast.outsider, acting_for="approver")
    before = AuditEvent.objects.values().get()
    cast.outsider.delete()
    assert AuditEvent.objects.values().get() == before


@pytest.mark.django_db
def test_the_door_says_where_an_act_comes_from() -> None:
    with coming_from(Origin(via=Via.PAGE, address="192.0.2.7", request_id="abc")):
        told(1, by=AnonymousUser())
        told(2, via="api")
    told(3)
    rows = AuditEvent.objects.order_by("sequence").values_list("via", "address", "request_id", "by_name", "by_id")
    page, api = ("page", "192.0.2.7", "abc", "", ""), ("api", "192.0.2.7", "abc", "", "")
    assert list(rows) == [page, api, ("command", "", "", f"{getuser()} (operating system)", "")]


@pytest.mark.django_db
def test_a_name_that_a_service_was_given_is_the_person_whom_the_door_knows(cast: Cast) -> None:
    with coming_from(Origin(via=Via.PAGE, by=cast.owner)):
        told(1, by="owner")
        told(2, by="record_shortage")
        told(3)
        speak_for(("analyst", "7"))
        told(4)
    rows = AuditEvent.objects.order_by("sequence").values_list("by_name", "by_id")
    owner = ("owner", str(cast.owner.pk))
    assert list(rows) == [owner, ("record_shortage", ""), owner, ("analyst", "7")]


@pytest.mark.django_db
def test_what_a_stranger_may_write_is_kept_however_it_looks() -> None:
    told(1, why="a\x00b \ud800 ünï 🚢" * 5000, before={"\x00": "\udfff"})
    row = AuditEvent.objects.get()
    assert row.why.startswith("a\\x00b \\ud800 ünï 🚢")
    assert row.before == r'{"\\x00":"\\udfff"}'


@pytest.mark.django_db(transaction=True)
def test_an_event_apart_from_its_act_is_refused() -> None:
    with pytest.raises(UnableToRecordEvent, match="inside the transaction"):
        told(1)
    assert not AuditEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_many_writers_at_once_make_one_chain_without_a_gap() -> None:
    def write(number: int) -> None:
        try:
            for each in range(5):
                with transaction.atomic():
                    User.objects.create(username=f"person-{number}-{each}")
                    told(number)
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = list(AuditEvent.objects.order_by("sequence"))
    assert [row.sequence for row in rows] == list(range(1, 21))
    assert [row.previous_hash for row in rows[1:]] == [row.hash for row in rows[:-1]]
    assert [row.at for row in rows] == sorted(row.at for row in rows)


def _sql(statement: str) -> Callable[[], object]:
    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return run


REFUSED = {
    "an update": lambda: AuditEvent.objects.filter(sequence=1).update(why="another"),
    "an update that changes nothing": lambda: AuditEvent.objects.filter(sequence=1).update(act="threshold_set"),
    "a save": lambda: AuditEvent.objects.get(sequence=1).save(),
    "a deletion": lambda: AuditEvent.objects.filter(sequence=2).delete(),
    "emptying": _sql("TRUNCATE reservations_auditevent"),
    "emptying all": _sql("TRUNCATE reservations_auditevent, reservations_audithead CASCADE"),
    "an event that skips a number": _sql(
        "INSERT INTO reservations_auditevent SELECT (jsonb_populate_record(e, jsonb_build_object("
        "'sequence', 4, 'previous_hash', e.hash, 'hash', repeat('a', 64)))).* FROM reservations_auditevent e"
        " WHERE sequence = 2"
    ),
    "an event that follows another": _sql(
        "INSERT INTO reservations_auditevent SELECT (jsonb_populate_record(e, jsonb_build_object("
        "'sequence', 3, 'hash', repeat('a', 64)))).* FROM reservations_auditevent e WHERE sequence = 2"
    ),
    "a head further on": lambda: AuditHead.objects.update(count=3),
    "a head set back": lambda: AuditHead.objects.update(count=1),
    "a head of another hash": lambda: AuditHead.objects.update(hash="a" * 64),
    "taking the head away": lambda: AuditHead.objects.all().delete(),
    "emptying the head": _sql("TRUNCATE reservations_audithead"),
    "a second head": lambda: AuditHead.objects.create(id=2, count=1, hash="a" * 64),
    "writing as a replica does": _sql(
        "SET LOCAL session_replication_role = replica; UPDATE reservations_auditevent SET why = 'another'"
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("way", REFUSED)
def test_the_database_refuses_every_other_writing(way: str) -> None:
    told(1)
    told(2)
    rows = list(AuditEvent.objects.order_by("sequence").values())
    with pytest.raises(IntegrityError, match=r"audit trail|audit_"), transaction.atomic():
        REFUSED[way]()
    assert list(AuditEvent.objects.order_by("sequence").values()) == rows
    assert AuditHead.objects.get().count == 2
