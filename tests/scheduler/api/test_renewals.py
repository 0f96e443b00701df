"""``/api/v1/renewals`` and the command ``renewals`` tell the same."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from scheduler.services.renewals import propose_renewals
from tests.fixtures.cast import Cast
from tests.reservations.holdings import publish_rule
from tests.scheduler.renewing import ending_block

pytestmark = pytest.mark.django_db


@pytest.fixture
def soon(cast: Cast) -> Cast:
    """A block that ends forty days from now, with its renewal proposed now: calls and commands read the clock."""
    publish_rule()
    now = timezone.now()
    end = now.replace(microsecond=0) + timedelta(days=40)
    ending_block(cast.pool, start_at=end - timedelta(days=60), end_at=end, usable_until=end - timedelta(minutes=30))
    propose_renewals(as_of=now)
    return cast


def printed(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    call_command("renewals", *args)
    return capsys.readouterr().out


def test_the_call_and_the_command_say_the_same(soon: Cast, logged_in, capsys: pytest.CaptureFixture[str]) -> None:
    told = logged_in(soon.analyst).get("/api/v1/renewals").json()
    assert told["total"] == 1
    mine = json.loads(printed(capsys, "--format", "json"))["renewals"]
    row = told["rows"][0]
    assert {**mine[0], "end": None} == {**row, "end": None}
    assert (row["reservation"], row["state"], row["possible"]) == ("cr-0aaa", "proposed", ["renew", "resize", "lapse"])
    assert row["term_cost"] == 230_400
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "--format", "csv"))))
    assert [one["reservation"] for one in rows] == ["cr-0aaa"]
    assert "cr-0aaa" in printed(capsys)


@pytest.mark.parametrize(
    ("query", "args", "count"),
    [
        ("?owner=serving", ["--owner", "serving"], 1),
        ("?owner=robotics", ["--owner", "robotics"], 0),
        ("?state=proposed", ["--state", "proposed"], 1),
        ("?state=decided", ["--state", "decided"], 0),
        ("", ["--within", "3"], 0),
        ("", ["--within", "6"], 1),
    ],
)
def test_both_are_narrowed(soon: Cast, logged_in, capsys, query: str, args: list[str], count: int) -> None:
    if query:
        assert logged_in(soon.analyst).get(f"/api/v1/renewals{query}").json()["total"] == count
    assert len(json.loads(printed(capsys, "--format", "json", *args))["renewals"]) == count


@pytest.mark.parametrize(("name", "count", "money"), [("viewer", 1, None), ("outsider", 0, None), ("nobody", 0, None)])
def test_a_caller_is_told_what_they_may_see(soon: Cast, logged_in, name: str, count: int, money: object) -> None:
    told = logged_in(getattr(soon, name)).get("/api/v1/renewals").json()
    assert told["total"] == count
    assert [row["term_cost"] for row in told["rows"]] == [money] * count


def test_a_state_that_is_none_is_refused(soon: Cast, logged_in) -> None:
    assert logged_in(soon.analyst).get("/api/v1/renewals?state=sold").status_code == 422


def test_the_command_that_proposes_says_what_it_did(soon: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("propose_renewals")
    assert capsys.readouterr().err.strip() == "0 proposed, 0 executed, 0 superseded, 0 opened again"
