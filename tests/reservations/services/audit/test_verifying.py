"""Whoever takes the triggers away, as the tables' owner can, is found by the walk, and told from each other."""

import io
import json
import os

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from reservations.domain.audit_chain import AuditAct, Fault, Head
from reservations.models import AuditEvent, AuditHead
from reservations.services.audit import record_event
from reservations.services.audit.verifying import verify_audit
from tests.fixtures.trail import forge

pytestmark = pytest.mark.django_db

EVENTS = "reservations_auditevent"
HEAD = "reservations_audithead"
COLUMNS = "at, act, about, ident, by_name, by_id, acting_for, via, address, request_id, before, after, why"


@pytest.fixture
def trail() -> Head:
    for number in range(1, 7):
        record_event(
            what=AuditAct.PRICE_CHANGED,
            about="price",
            ident=str(number),
            before={"cost": number},
            after={"cost": number + 1},
            why="a reason",
        )
    row = AuditHead.objects.get()
    return Head(row.count, row.hash)


def found() -> tuple[int, Fault] | None:
    finding = verify_audit().finding
    return None if finding is None else (finding.sequence, finding.fault)


def test_a_trail_that_nobody_touched_holds(trail: Head) -> None:
    done = verify_audit(expected=[trail])
    assert (done.head, done.finding) == (trail, None)


def test_an_empty_trail_holds() -> None:
    assert verify_audit().finding is None


ALTERED = {
    "at": "at + interval '1 microsecond'",
    "act": "'threshold_set'",
    "about": "'prices'",
    "ident": "'33'",
    "by_name": "'somebody'",
    "by_id": "'99'",
    "acting_for": "'somebody'",
    "via": "'api'",
    "address": "'192.0.2.1'",
    "request_id": "'r'",
    "before": "replace(before, ':', ': ')",
    "after": "''",
    "why": "'another'",
    "previous_hash": "repeat('b', 64)",
    "hash": "repeat('a', 64)",
}


def test_every_column_of_a_row_is_under_its_hash() -> None:
    assert {field.column for field in AuditEvent._meta.concrete_fields} == {*ALTERED, "sequence"}


@pytest.mark.parametrize("column", ALTERED)
def test_an_altered_field_is_found(trail: Head, column: str) -> None:
    forge(f"UPDATE {EVENTS} SET {column} = {ALTERED[column]} WHERE sequence = 3")
    assert found() == (3, Fault.ALTERED)


def test_a_deleted_row_is_found(trail: Head) -> None:
    forge(f"DELETE FROM {EVENTS} WHERE sequence = 1")
    assert found() == (1, Fault.MISSING)


def test_a_deleted_row_behind_which_the_others_moved_up_is_found(trail: Head) -> None:
    moves = [f"UPDATE {EVENTS} SET sequence = {number - 1} WHERE sequence = {number}" for number in (5, 6)]
    tail = f"UPDATE {HEAD} SET count = 5"
    forge(f"DELETE FROM {EVENTS} WHERE sequence = 4", *moves, tail)
    assert found() == (4, Fault.REORDERED)


def test_swapped_rows_are_found(trail: Head) -> None:
    forge(
        f"UPDATE {EVENTS} SET sequence = 99 WHERE sequence = 2",
        f"UPDATE {EVENTS} SET sequence = 2 WHERE sequence = 4",
        f"UPDATE {EVENTS} SET sequence = 4 WHERE sequence = 99",
    )
    finding = verify_audit().finding
    assert finding is not None
    assert (finding.sequence, finding.fault) == (2, Fault.REORDERED)
    assert "row 2 was written as row 4" in finding.sentence


def test_an_inserted_row_is_found(trail: Head) -> None:
    moves = [f"UPDATE {EVENTS} SET sequence = {number + 1} WHERE sequence = {number}" for number in (6, 5, 4, 3)]
    insert = (
        f"INSERT INTO {EVENTS} (sequence, {COLUMNS}, previous_hash, hash)"
        f" SELECT 3, {COLUMNS}, hash, repeat('c', 64) FROM {EVENTS} WHERE sequence = 2"
    )
    forge(*moves, insert, f"UPDATE {HEAD} SET count = 7")
    assert found() == (3, Fault.ALTERED)


def test_a_tail_that_was_cut_off_is_found_by_the_count_beside_it(trail: Head) -> None:
    forge(f"DELETE FROM {EVENTS} WHERE sequence > 4")
    assert found() == (5, Fault.CUT_OFF)


def test_a_tail_cut_off_with_its_count_is_found_by_a_head_kept_outside_alone(trail: Head) -> None:
    forge(
        f"DELETE FROM {EVENTS} WHERE sequence > 4",
        f"UPDATE {HEAD} SET count = 4, hash = (SELECT hash FROM {EVENTS} WHERE sequence = 4)",
    )
    assert found() is None
    finding = verify_audit(expected=[trail]).finding
    assert finding is not None
    assert (finding.sequence, finding.fault) == (5, Fault.CUT_OFF)


def test_a_trail_that_was_emptied_is_found_by_a_head_kept_outside_alone(trail: Head) -> None:
    forge(f"TRUNCATE {EVENTS}, {HEAD}")
    assert found() is None
    finding = verify_audit(expected=[trail]).finding
    assert finding is not None
    assert finding.fault is Fault.CUT_OFF


def test_a_head_that_was_altered_or_taken_away_is_found(trail: Head) -> None:
    forge(f"UPDATE {HEAD} SET hash = repeat('d', 64)")
    assert found() == (6, Fault.NOT_COUNTED)
    forge(f"DELETE FROM {HEAD}")
    assert found() == (6, Fault.NOT_COUNTED)


def test_after_a_forgery_the_triggers_stand_again(trail: Head) -> None:
    forge()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), bool_and(tgenabled = 'A') FROM pg_trigger WHERE NOT tgisinternal"
            f" AND tgrelid IN ('{EVENTS}'::regclass, '{HEAD}'::regclass)"
        )
        assert cursor.fetchone() == (6, True)


def test_the_command_tells_it_as_json_and_by_its_exit(trail: Head, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_audit", "--expect", str(trail))
    told = json.loads(capsys.readouterr().out)
    assert told == {"holds": True, "events": 6, "head": str(trail), "row": None, "fault": None, "sentence": None}
    call_command("verify_audit", "--head")
    assert capsys.readouterr().out.strip() == str(trail)
    forge(f"UPDATE {EVENTS} SET why = 'another' WHERE sequence = 2")
    with pytest.raises(SystemExit) as left:
        call_command("verify_audit")
    assert left.value.code == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["row"] == 2
    assert err.strip() == "The audit trail does not hold: row 2 was altered: its hash is of other values."
    with pytest.raises(CommandError, match="COUNT:HASH"):
        call_command("verify_audit", "--expect", "5")


def test_the_command_has_its_answer_as_a_table_too(trail: Head) -> None:
    out = io.StringIO()
    call_command("verify_audit", "--format", "table", stdout=out)
    assert out.getvalue().split(os.linesep)[0].split() == ["holds", "events", "head", "row", "fault", "sentence"]
