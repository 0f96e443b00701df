"""The command brings in the same file as the page does."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from reservations.models import Reservation
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db

FILE = "provider,id,instance_type,instances,start\ngcp,one,a3,4,2026-05-01\n"


def run(*args: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("import_reservations", *args, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_a_file_is_shown_stored_and_then_unchanged(cast: Cast, tmp_path: Path) -> None:
    file = tmp_path / "held.csv"
    file.write_text(FILE)
    assert run(str(file), "--dry-run") == ("created: gcp one\n", "1 created: nothing was stored\n")
    assert not Reservation.objects.exists()
    assert run(str(file)) == ("created: gcp one\n", "1 created\n")
    assert run(str(file)) == ("unchanged: gcp one\n", "1 unchanged\n")


def test_what_is_wrong_is_said_with_its_line(cast: Cast, tmp_path: Path) -> None:
    file = tmp_path / "held.csv"
    file.write_text(FILE + "gcp,two,a3,no,2026-05-01\n")
    with pytest.raises(CommandError, match=r"^Line 3: instances: Write how many"):
        run(str(file))
    with pytest.raises(CommandError, match="No such file"):
        run(str(tmp_path / "other.csv"))
    assert not Reservation.objects.exists()
