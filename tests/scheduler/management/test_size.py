"""``size``: one sentence for whatever can't be sized, and for the rest the figures with nothing beside them."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from reservations.models import Pool, PriceQuote
from tests.fixtures.cast import Cast
from tests.scheduler.demanded import demand, worked_month
from tests.scheduler.domain.sizing.traces import START, worked_nodes

PRICES = ("--on-demand", "100", "--reserved", "62")
FIXED_KEYS = {
    "hours", "peak_nodes", "mean_nodes", "break_even_share", "reserved_nodes", "adjusted_break_even_share",
    "adjusted_reserved_nodes", "cost", "adjusted_cost", "all_on_demand_cost", "all_reserved_cost", "curve", "plateau",
}  # fmt: skip


def size(*words: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("size", *words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def told(*words: str) -> dict[str, Any]:
    return json.loads(size(*words, "--format", "json")[0], parse_float=Decimal)


def refused(*words: str) -> str:
    out = io.StringIO()
    with pytest.raises(CommandError) as raised:
        call_command("size", *words, "--format", "json", stdout=out)
    assert out.getvalue() == ""
    return str(raised.value)


def file(folder: Path, lines: Sequence[str], header: str = "hour,workload,nodes") -> str:
    place = folder / "demand.csv"
    place.write_text("\n".join([header, *lines]) + "\n")
    return str(place)


def hours(nodes: Sequence[int | str]) -> list[str]:
    return [f"{(START + timedelta(hours=at)).isoformat()},serving,{need}" for at, need in enumerate(nodes)]


@pytest.fixture
def worked(tmp_path: Path) -> str:
    return file(tmp_path, hours(worked_nodes()))


def test_the_worked_example_comes_out_under_the_fixed_names(worked: str) -> None:
    answer = told("--trace", worked, *PRICES)
    assert set(answer) >= FIXED_KEYS
    assert (answer["hours"], answer["peak_nodes"], answer["mean_nodes"]) == (730, 22, 14)
    assert (answer["reserved_nodes"], answer["break_even_share"]) == (13, Decimal("0.62"))
    assert answer["cost"] == {"reserved": 588_380, "overflow": 125_600, "total": 713_980}
    assert (answer["all_reserved_cost"], answer["all_on_demand_cost"]) == (995_720, 1_022_000)
    assert answer["plateau"] == [12, 14]
    assert (answer["adjusted_reserved_nodes"], answer["adjusted_cost"]) == (None, None)
    (thirteen,) = [row for row in answer["curve"] if row["nodes"] == 13]
    assert (thirteen["total_cost"], thirteen["adjusted_total_cost"]) == (713_980, None)
    assert answer["curve"][-1]["nodes"] == 22


def test_q_and_l_give_the_adjusted_fields_under_the_convention_asked_for(worked: str) -> None:
    shortage = ("--fail-probability", "0.25", "--shortage-cost", "96")
    extra = told("--trace", worked, *PRICES, *shortage)
    assert (extra["adjusted_break_even_share"], extra["adjusted_reserved_nodes"]) == (Decimal("0.5"), 14)
    over = sum(max(0, need - 14) for need in worked_nodes())
    parts = {"reserved": 14 * 62 * 730, "overflow": 100 * over, "shortage": 24 * over}
    assert extra["adjusted_cost"] == {**parts, "total": sum(parts.values())}
    instead = told("--trace", worked, *PRICES, *shortage, "--shortage-convention", "instead")
    assert round(instead["adjusted_break_even_share"], 6) == round(Decimal(62) / Decimal(99), 6)
    assert instead["adjusted_cost"]["overflow"] == 75 * sum(max(0, need - 13) for need in worked_nodes())


def test_the_table_says_it_in_a_sentence_and_csv_stands_alone(worked: str) -> None:
    table, _ = size("--trace", worked, *PRICES, "--current", "16")
    assert table.startswith(
        "Hold 13 nodes (now 16): saves 698\u202f160 a year; anything from 12 to 14 is within 1\u202f%."
    )
    text, err = size("--trace", worked, *PRICES, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["reserved_nodes"], row["cost_total"], err) == ("13", "713980", "")
    text, _ = size("--trace", worked, *PRICES, "--format", "csv", "--sheet", "curve")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["total_cost"] for row in rows if row["nodes"] == "13"] == ["713980"]


def test_spare_nodes_and_blocks_stand_beside_the_size(worked: str) -> None:
    answer = told("--trace", worked, *PRICES, "--spare", "1", "--headroom", "1", "--minimum-block", "16")
    assert (answer["reserved_nodes"], answer["to_hold_nodes"]) == (13, 16)
    assert (answer["spare_nodes"], answer["headroom_nodes"], answer["minimum_block_nodes"]) == (1, 1, 16)


def test_overflow_by_workload_and_shedding_are_priced_rows(tmp_path: Path) -> None:
    lines = [
        f"{(START + timedelta(hours=at)).isoformat()},{name},3" for at in range(700) for name in ("serving", "batch")
    ]
    answer = told(
        "--trace", file(tmp_path, lines), "--on-demand", "100", "--reserved", "62",
        "--overflow", "batch=spot:40", "--shed-cost", "10",
    )  # fmt: skip
    rows = {row["way"]: row for row in answer["regret"]}
    assert rows["by_workload_best"]["nodes"] == 3
    assert rows["by_workload_best"]["regret"] == (3 * 40 - 3 * 62) * 700
    assert (rows["shed"]["nodes"], rows["shed"]["regret"]) == (6, 0)


def test_growth_is_added_and_one_that_changes_nothing_is_said(worked: str, tmp_path: Path) -> None:
    lines = tmp_path / "growth.csv"
    lines.write_text("name,from,to,nodes\nlaunch,2026-03-02,,4\nlate,2030-01-01,2030-02-01,9\n")
    out, err = size("--trace", worked, *PRICES, "--growth", str(lines), "--format", "json")
    answer = json.loads(out)
    assert answer["reserved_nodes"] == 17
    assert [line["name"] for line in answer["growth"]] == ["launch", "late"]
    assert "“late” has no day" in err
    assert "“late” has no day" in answer["warnings"][0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the columns name, from, to, nodes"),
        ("name,from,to,nodes\n", "no lines"),
        ("name,from,nodes\nx,2026-03-02,4\n", "the columns"),
        ("name,from,to,nodes\nx,2026-03-02,4\n", "cells"),
        ("name,from,to,nodes\nx,March,,4\n", "are days"),
        ("name,from,to,nodes\nx,,,4\n", "from which day"),
        ("name,from,to,nodes\nx,2026-03-02,,NaN\n", "not a number"),
        ("name,from,to,nodes\nx,2026-03-02,,0\n", "above or below 0"),
        ("name,from,to,nodes\nx,2026-03-02,,900000000\n", "beyond any fleet"),
        ("name,from,to,nodes\nx,2026-03-02,2026-03-02,4\n", "not after its start"),
        ("name,from,to,nodes\nx,2026-03-02,,4\nx,2026-03-02,,4\n", "stands twice"),
    ],
)
def test_a_growth_file_that_is_none_is_refused_in_a_sentence(worked: str, tmp_path: Path, text: str, said: str) -> None:
    lines = tmp_path / "growth.csv"
    lines.write_text(text)
    assert said in refused("--trace", worked, *PRICES, "--growth", str(lines))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "no hours"),
        (hours(["-1"] * 700)[:1], "below 0"),
        (hours(["NaN"]), "not a finite number"),
        (hours(["many"]), "not a number"),
        (hours(["1e6"]), "any fleet"),
        (hours(["1e9"]), "more than can be"),
        (["2026-03-02T00:00:00,serving,4"], "2026-03-02T00:00:00"),
        ([*hours([4]), *hours([5])], "twice|also|already|stands"),
    ],
)
def test_demand_that_is_none_is_refused_in_a_sentence(tmp_path: Path, lines: list[str], said: str) -> None:
    sentence = refused("--trace", file(tmp_path, lines), *PRICES)
    assert any(word in sentence for word in said.split("|")), sentence


def test_a_file_that_is_empty_or_not_there_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.touch()
    assert "is empty" in refused("--trace", str(empty), *PRICES)
    assert "can't be read" in refused("--trace", str(tmp_path / "none.csv"), *PRICES)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--on-demand", "0", "--reserved", "62"), "on-demand price is 0"),
        (("--on-demand", "100", "--reserved", "-5"), "below 0"),
        (("--on-demand", "abc", "--reserved", "62"), "not a number"),
        (("--on-demand", "NaN", "--reserved", "62"), "not a number"),
        (("--on-demand", "100"), "no reserved price is known"),
        ((*PRICES, "--fail-probability", "1.5", "--shortage-cost", "5"), "from 0 to 1"),
        ((*PRICES, "--fail-probability", "-0.5", "--shortage-cost", "5"), "from 0 to 1"),
        ((*PRICES, "--fail-probability", "0.5"), "go together"),
        ((*PRICES, "--fail-probability", "0.5", "--shortage-cost", "-5"), "below 0"),
        ((*PRICES, "--spare", "-1"), "whole number"),
        ((*PRICES, "--current", "1.5"), "whole number"),
        ((*PRICES, "--overflow", "batch"), "WORKLOAD="),
        ((*PRICES, "--overflow", "batch=spot:40"), "no workload “batch”"),
        ((*PRICES, "--overflow", "serving=spot"), "no spot price"),
        ((*PRICES, "--workload", "batch"), "no workload “batch”"),
        ((*PRICES, "--month", "2026-03"), "go with --pool"),
        ((*PRICES, "--term-from", "2027-01-01"), "give both"),
        ((*PRICES, "--term-from", "2027-01-01", "--term-to", "2026-01-01"), "must end after"),
        ((*PRICES, "--draws", "-1"), "--draws"),
    ],
)
def test_what_does_not_go_is_refused_in_a_sentence(worked: str, words: tuple[str, ...], said: str) -> None:
    assert said in refused("--trace", worked, *words)


def test_whose_demand_must_be_said_once(worked: str) -> None:
    assert "--trace FILE or --pool NAME" in refused(*PRICES)
    assert "--trace FILE or --pool NAME" in refused("--trace", worked, "--pool", "x", *PRICES)


def test_too_little_data_answers_null_with_the_reason_and_no_error(tmp_path: Path) -> None:
    short = file(tmp_path, hours([5] * 100))
    out, err = size("--trace", short, *PRICES, "--format", "json")
    answer = json.loads(out)
    assert (answer["reserved_nodes"], answer["cost"], answer["curve"]) == (None, None, [])
    assert answer["reason"].startswith("not enough data: 100 hours")
    assert answer["reason"] in err
    assert "No size: not enough data" in size("--trace", short, *PRICES)[0]
    out, err = size("--trace", short, *PRICES, "--allow-short", "--format", "json")
    answer = json.loads(out)
    assert answer["reserved_nodes"] == 5
    assert "sized all the same" in answer["reason"]
    assert answer["reason"] in err


def test_gaps_are_said_and_too_many_leave_no_size(tmp_path: Path) -> None:
    lines = hours([5] * 1000)
    out, err = size("--trace", file(tmp_path, lines[:300] + lines[320:]), *PRICES, "--format", "json")
    assert (json.loads(out)["reserved_nodes"], json.loads(out)["missing_hours"]) == (5, 20)
    assert "20 hours in the middle are missing" in err
    answer = told("--trace", file(tmp_path, lines[:300] + lines[600:]), *PRICES)
    assert answer["reason"].startswith("not enough data: 700 of the 1000 hours")


def test_a_reservation_that_is_no_cheaper_is_warned_about(worked: str) -> None:
    out, err = size("--trace", worked, "--on-demand", "62", "--reserved", "62", "--format", "json")
    answer = json.loads(out)
    assert answer["reserved_nodes"] == 0
    assert "no node is worth reserving" in answer["warnings"][0]
    assert answer["warnings"][0] in err


def test_the_same_question_has_the_same_answer_to_the_last_letter(worked: str) -> None:
    words = ("--trace", worked, *PRICES, "--current", "16", "--format", "json")
    assert size(*words) == size(*words)


@pytest.mark.django_db
def test_a_pool_is_sized_with_the_prices_of_the_last_day_of_its_month(cast: Cast) -> None:
    worked_month(cast.pool)
    answer = told("--pool", "serve-h100", "--month", "2026-03")
    assert (answer["pool"], answer["currency"], answer["price_source"]) == (
        "serve-h100",
        "USD",
        "price book, from 2026-01-01",
    )
    assert (answer["on_demand_price"], answer["reserved_price"], answer["break_even_share"]) == (80, 40, Decimal("0.5"))
    assert (answer["reserved_nodes"], answer["current_nodes"]) == (14, 0)
    assert answer["workloads"] == ["batch", "serving"]
    part = told("--pool", "serve-h100", "--month", "2026-03", "--workload", "serving", "--reserved", "20")
    assert (part["peak_nodes"], part["reserved_price"]) == (16, 20)
    assert part["price_source"] == "price book, from 2026-01-01, and given"


@pytest.mark.django_db
def test_a_pools_own_spare_nodes_are_added_unless_others_are_given(cast: Cast) -> None:
    worked_month(cast.pool)
    Pool.objects.update(spare_nodes=2)
    words = ("--pool", "serve-h100", "--month", "2026-03")
    assert [told(*words)[key] for key in ("reserved_nodes", "spare_nodes", "to_hold_nodes")] == [14, 2, 16]
    assert told(*words, "--spare", "0")["to_hold_nodes"] == 14


@pytest.mark.django_db
def test_a_price_by_the_gpu_is_multiplied_to_a_node(cast: Cast) -> None:
    worked_month(cast.pool)
    PriceQuote.objects.update(unit="gpu-hour", source="quote 17")
    answer = told("--pool", "serve-h100", "--month", "2026-03")
    assert (answer["on_demand_price"], answer["reserved_price"], answer["price_source"]) == (640, 320, "quote 17")


@pytest.mark.django_db
def test_a_pool_without_hours_prices_or_name_is_refused_in_a_sentence(cast: Cast) -> None:
    assert "no hour of demand" in refused("--pool", "serve-h100", "--month", "2026-03")
    assert "there is no pool" in refused("--pool", "serve-h1000", "--month", "2026-03")
    assert "say which time" in refused("--pool", "serve-h100")
    worked_month(cast.pool)
    PriceQuote.objects.all().delete()
    assert "no on-demand and no reserved price is known" in refused("--pool", "serve-h100", "--month", "2026-03")


@pytest.mark.django_db
def test_a_year_by_two_instants_is_sized_too(cast: Cast) -> None:
    demand(cast.pool, {"serving": [3] * 1000}, start=datetime(2026, 1, 1, tzinfo=UTC))
    answer = told("--pool", "serve-h100", "--from", "2026-01-01T00:00Z", "--to", "2026-06-01T00:00Z")
    assert (answer["hours"], answer["reserved_nodes"]) == (1000, 3)
