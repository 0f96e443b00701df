"""Page, CSV, workbook, API and command give one recommendation, its money to whoever may see prices alone."""

import csv
import io
import json
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from django.core.management import call_command
from django.utils.html import strip_tags

from scheduler.models import Recommendation
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller, token_of
from tests.scheduler.demanded import worked_month
from tests.scheduler.recommended import hold

pytestmark = pytest.mark.django_db


def exact(text: str | bytes) -> Any:
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def from_command() -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("recommend", "--as-of", "2026-04-02", "--format", "json", stdout=out, stderr=io.StringIO())
    return exact(out.getvalue())["recommendations"]


@pytest.fixture
def command(cast: Cast) -> list[dict[str, Any]]:
    worked_month(cast.pool)
    hold(cast.pool, 16)
    return sorted(from_command(), key=lambda one: one["action"] != "shrink")


def test_the_api_answers_what_the_command_prints(command: list[dict[str, Any]], cast: Cast) -> None:
    answer = Caller(token_of(cast.analyst)).get("recommendations")
    assert answer.status_code == 200
    assert exact(answer.content)["recommendations"] == command
    one = Caller(token_of(cast.analyst)).get("recommendations", pool="arms")
    assert exact(one.content)["recommendations"] == command[1:]


def test_files_hold_the_same_figures_to_the_last_digit(command: list[dict[str, Any]], cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    text = client.get("/recommendations/recommendations.csv").content.decode()
    shrink = next(csv.DictReader(io.StringIO(text)))
    wanted = command[0]
    for name in ("current_nodes", "proposed_nodes", "rule_nodes", "regret"):
        assert Decimal(shrink[name]) == wanted[name], name
    for name, part in (("saving", "amount"), ("saving_low", "low"), ("saving_high", "high")):
        assert Decimal(shrink[name]) == wanted["saving"][part]
    assert shrink["evidence_hash"] == wanted["evidence_hash"]
    book = openpyxl.load_workbook(io.BytesIO(client.get("/recommendations/recommendations.xlsx").content))
    cells = next(book.worksheets[0].iter_rows(min_row=2, values_only=True))
    assert Decimal(repr(cells[8])) == wanted["saving"]["amount"]


def test_the_page_says_the_commands_figures_and_hash(command: list[dict[str, Any]], cast: Cast, logged_in) -> None:
    client, wanted = logged_in(cast.analyst), command[0]
    row = Recommendation.objects.get(evidence_hash=wanted["evidence_hash"])
    amount = f"{round(wanted['saving']['amount']):,}".replace(",", "\u202f")
    for address in ("/recommendations/", f"/recommendations/{row.pk}/"):
        page = strip_tags(client.get(address).content.decode())
        assert amount in page
        assert f"from {wanted['current_nodes']} to {wanted['proposed_nodes']} nodes" in page
    assert wanted["evidence_hash"] in page


def test_a_viewer_gets_the_sizes_and_no_money(command: list[dict[str, Any]], cast: Cast) -> None:
    (told,) = exact(Caller(token_of(cast.viewer)).get("recommendations").content)["recommendations"]
    assert told == {**command[0], "saving": None, "regret": None}
    assert Caller(token_of(cast.outsider)).get("recommendations", pool="serve-h100").status_code == 404
