"""Page, CSV, workbook, API and command give one size, to whoever may see prices and to nobody else."""

import csv
import io
import json
import re
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.html import strip_tags

from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller, problem, token_of
from tests.scheduler.demanded import worked_month

pytestmark = pytest.mark.django_db
ASKED = {
    "pool": "serve-h100", "month": "2026-03", "months": "1", "on_demand": "99.5", "reserved": "61.25",
    "fail_probability": "0.25", "shortage_cost": "96.1", "current": "16", "spare": "1", "shed_cost": "12.5",
}  # fmt: skip
GROWTH = "launch,2026-03-10,,1.5"


def exact(text: str | bytes) -> dict[str, Any]:
    return json.loads(text, parse_float=Decimal)


def from_command(tmp_path) -> dict[str, Any]:
    file = tmp_path / "growth.csv"
    file.write_text(f"name,from,to,nodes\n{GROWTH}\n")
    options = [word for name, text in ASKED.items() for word in (f"--{name.replace('_', '-')}", text)]
    out = io.StringIO()
    call_command("size", *options, "--growth", str(file), "--overflow", "batch=spot:40", "--format", "json", stdout=out)
    return exact(out.getvalue())


def query(**more: object) -> dict[str, object]:
    return {**ASKED, "growth": GROWTH, "overflow": "batch=spot:40", **more}


def rows(client: Client, sheet: str) -> list[dict[str, str]]:
    response = client.get(f"/sizing/{sheet}.csv", query())
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def cell(value: object) -> str:
    if value is None:
        return ""
    return f"{Decimal(value).normalize():f}" if isinstance(value, Decimal | int) else str(value)


@pytest.fixture
def client_of(cast: Cast, logged_in) -> Client:
    worked_month(cast.pool)
    return logged_in(cast.analyst)


def test_command_and_api_say_the_same_to_the_last_digit(client_of: Client, cast: Cast, tmp_path) -> None:
    command = from_command(tmp_path)
    answer = Caller(token_of(cast.analyst)).get("sizing", **query())
    assert answer.status_code == 200
    assert exact(answer.content) == command
    assert command["band"]["draws"] == 1_000
    assert command["growth"][0]["from"] == "2026-03-10"


@pytest.mark.parametrize("sheet", ["curve", "regret", "sensitivity"])
def test_the_pages_csv_holds_the_commands_rows(client_of: Client, tmp_path, sheet: str) -> None:
    command = from_command(tmp_path)[sheet]
    assert len(command) > 5
    assert rows(client_of, sheet) == [{name: cell(row[name]) for name in rows(client_of, sheet)[0]} for row in command]


def test_the_summary_holds_the_commands_figures_as_csv_and_workbook(client_of: Client, tmp_path) -> None:
    command = from_command(tmp_path)
    (row,) = rows(client_of, "summary")
    wanted = {
        **command,
        **{f"cost_{part}": value for part, value in command["cost"].items()},
        **{f"adjusted_cost_{part}": value for part, value in command["adjusted_cost"].items()},
        "plateau_low": command["plateau"][0],
        "plateau_high": command["plateau"][1],
        "adjusted_plateau_low": command["adjusted_plateau"][0],
        "adjusted_plateau_high": command["adjusted_plateau"][1],
    }
    assert row == {name: cell(wanted[name]) for name in row}
    book = openpyxl.load_workbook(io.BytesIO(client_of.get("/sizing/curve.xlsx", query()).content))
    body = list(book.worksheets[0].iter_rows(min_row=2, values_only=True))
    assert [line[0] for line in body] == [size["nodes"] for size in command["curve"]]
    assert [Decimal(repr(line[4])) for line in body] == [size["total_cost"] for size in command["curve"]]


def test_the_page_says_the_commands_sizes(client_of: Client, tmp_path) -> None:
    command = from_command(tmp_path)
    page = " ".join(strip_tags(client_of.get("/sizing/", query()).content.decode().replace("<", " <")).split())
    held = command["to_hold_nodes"]
    assert f"Hold {held} nodes (now 16)" in page
    assert re.search(rf"By price .{{0,200}}{command['reserved_nodes']} nodes", page)
    assert re.search(rf"Adjusted .{{0,200}}{command['adjusted_reserved_nodes']} nodes", page)
    low, high = command["adjusted_plateau"]
    assert f"anything from {low} to {high}" in page


def test_a_viewer_gets_no_price_from_any_of_them_but_may_bring_their_own(cast: Cast) -> None:
    worked_month(cast.pool)
    caller = Caller(token_of(cast.viewer))
    refused = caller.get("sizing", pool="serve-h100", month="2026-03")
    assert refused.status_code == 422
    assert "do not include prices" in str(problem(refused)["detail"])
    own = caller.get("sizing", pool="serve-h100", month="2026-03", months="1", on_demand="100", reserved="62")
    assert exact(own.content)["reserved_nodes"] == 13
    assert problem(Caller(token_of(cast.outsider)).get("sizing", pool="serve-h100"))["status"] == 404


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"reserved": "0"}, "The reserved price is 0"),
        ({"fail_probability": "7"}, "from 0 to 1"),
        ({"growth": "x"}, "Growth, line 1"),
        ({"months": "0"}, "number of months"),
        ({"month": "2026-13"}, "2026-13"),
        ({"month": "2026-01"}, "no hour of demand"),
    ],
)
def test_a_call_that_cannot_be_sized_is_told_why_in_a_sentence(
    client_of: Client, cast: Cast, more: dict[str, str], said: str
) -> None:
    told = problem(Caller(token_of(cast.analyst)).get("sizing", **query(**more)))
    assert said in str(told["detail"])
