import csv
import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from reservations.tables.writing import csv_text, json_text, table_text


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠SUM(A1)"]
)
def test_a_text_that_a_spreadsheet_would_run_is_marked(text: str) -> None:
    assert next(csv.DictReader(csv_text([{"name": text}], ["name"]).splitlines(keepends=True)))["name"].startswith("'")


def test_a_number_below_zero_stays_a_number() -> None:
    assert csv_text([{"a": Decimal("-1.50"), "b": -2, "c": None}], ["a", "b", "c"]) == "a,b,c\n-1.5,-2,\n"


def test_json_keeps_every_digit_of_a_decimal() -> None:
    value = {
        "big": Decimal("123456789012345678.1234567"),
        "zero": Decimal("-0.000"),
        "whole": Decimal("1200"),
        "n": None,
    }
    assert json_text(value) == '{"big": 123456789012345678.1234567, "zero": 0, "whole": 1200, "n": null}'
    assert json.loads(json_text({"at": datetime(2026, 5, 1, tzinfo=UTC), "x": ["“é”", True]})) == {
        "at": "2026-05-01T00:00:00+00:00",
        "x": ["“é”", True],
    }


def test_a_table_is_as_wide_as_it_must_be_and_shows_brackets_as_they_are() -> None:
    text = table_text([{"name": "[red]x", "n": 1}, {"name": "y" * 300, "n": None}], ["name", "n"])
    assert text.splitlines()[1].split() == ["[red]x", "1"]
    assert text.splitlines()[2].split() == ["y" * 300, "–"]
