"""The trail by command: as lines, as a table, as a pack; bad questions get one sentence."""

import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from reservations.domain.audit_chain import AuditAct
from reservations.models import AuditEvent
from reservations.services.audit import record_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def trail() -> None:
    for number in (1, 2):
        record_event(what=AuditAct.PRICE_CHANGED, about="price", ident=str(number), by="ada", after={"n": number})


def test_lines_and_a_table_hold_the_same_events_and_taking_them_is_an_event(
    trail: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("export_audit", "--person", "ada")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["sequence"] for line in lines] == [1, 2]
    call_command("export_audit", "--act", "price_changed", "--format", "csv", "--output", str(tmp_path / "trail.csv"))
    assert len((tmp_path / "trail.csv").read_text().splitlines()) == 3
    taken = AuditEvent.objects.filter(act="exported").order_by("sequence")
    assert [(one.ident, json.loads(one.after)["rows"]) for one in taken] == [("jsonl", 2), ("csv", 2)]


def test_a_period_is_half_open(trail: None, capsys: pytest.CaptureFixture[str]) -> None:
    at = AuditEvent.objects.get(sequence=2).at.isoformat()
    call_command("export_audit", "--to", at)
    assert [json.loads(line)["sequence"] for line in capsys.readouterr().out.splitlines()] == [1]


def test_a_pack_is_written_to_a_file(trail: None, tmp_path: Path) -> None:
    place = tmp_path / "pack.zip"
    call_command("export_audit", "--format", "pack", "--about", "price", "--ident", "2", "--output", str(place))
    with zipfile.ZipFile(place) as pack:
        assert set(pack.namelist()) == {"trail.jsonl", "trail.csv", "READ-ME.txt", "manifest.json"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--format", "pack"], "a pack is of one object"),
        (["--format", "pack", "--about", "price", "--ident", "1"], "say where with --output"),
        (["--month", "2026-05", "--from", "2026-05-01T00:00Z"], "not both"),
        (["--month", "May"], "May"),
        (["--from", "2026-05-02T00:00Z", "--to", "2026-05-01T00:00Z"], "must be after"),
    ],
)
def test_a_question_that_makes_no_sense_gets_one_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("export_audit", *words)
