from decimal import Decimal
from fractions import Fraction

from telemetry.charts import load_duration
from telemetry.domain.load_duration import load_duration_curve

NONE = load_duration_curve([])


def figure(demand: list[int], busy: list[int] | None = None, **more: object) -> dict:
    given = {"reserved": None, "break_even": None, **more}
    return load_duration.figure(load_duration_curve(demand), load_duration_curve(busy or []), **given)


def test_the_curve_steps_down_over_whole_nodes_and_ends_at_the_peak() -> None:
    demand = next(trace for trace in figure([1, 2, 2, 4])["data"] if trace["name"] == "needed")
    assert demand["line"]["shape"] == "vh"
    assert list(zip(demand["x"], demand["y"], strict=True)) == [
        (0, 100.0), (1, 100.0), (2, 75.0), (3, 25.0), (4, 25.0), (4, 0.0),
    ]  # fmt: skip


def test_a_node_says_in_how_many_of_which_hours_it_was_needed() -> None:
    drawn = figure([6] * 413 + [0] * 587, [6] * 1 + [0] * 1)
    words = drawn["data"][-1]
    assert words["x"][5] == 5.5
    assert words["text"][5].replace("\u202f", " ") == "node 6 needed in 41.3 % of 1 000 h, busy in 50.0 % of 2 h"


def test_reserved_stands_upright_and_the_break_even_lies() -> None:
    layout = figure([1, 2], reserved=Fraction(31, 2), break_even=Decimal("0.62"))["layout"]
    *levels, mark = layout["shapes"]
    level = levels[-1]
    assert (level["y0"], level["y1"], level["xref"]) == (62.0, 62.0, "paper")
    assert (mark["x0"], mark["x1"], mark["yref"]) == (15.5, 15.5, "paper")
    assert [note["text"] for note in layout["annotations"]] == ["reserved 15.5"]
    assert layout["xaxis"]["range"][1] > 15.5


def test_without_prices_or_reservations_there_are_no_lines() -> None:
    layout = figure([1, 2])["layout"]
    assert layout["shapes"] == layout["annotations"] == []


def test_what_is_not_known_in_any_hour_has_no_curve() -> None:
    assert [trace["name"] for trace in figure([], [1])["data"]] == ["busy", "in words"]
    assert figure([], [1])["data"][-1]["text"] == ["node 1 busy in 100\u202f% of 1 h"]
