from datetime import date
from decimal import Decimal

from telemetry.charts import by_month, lending, split
from telemetry.domain.lending import Balance
from telemetry.domain.split import Kind, Part, folded

H = 3_600_000
PARTS = (
    Part(Kind.NAMED, "research", beyond=3 * H, allocated=5 * H),
    Part(Kind.NAMED, "serving", within=4 * H, beyond=H),
    Part(Kind.UNMANAGED, "outside any queue", other=6 * H),
)


def test_each_part_is_a_row_and_its_bars_are_its_busy_time() -> None:
    drawn = split.figure(PARTS)
    bars = [trace for trace in drawn["data"] if trace["type"] == "bar"]
    assert [sum(trace["x"][row] for trace in bars) for row in range(3)] == [3, 5, 6]
    assert drawn["layout"]["yaxis"]["ticktext"] == ["research", "serving", "outside any queue"]


def test_borrowed_time_is_patterned_and_unmanaged_time_has_its_own_colour() -> None:
    bars = {trace["name"]: trace["marker"] for trace in split.figure(PARTS)["data"] if trace["type"] == "bar"}
    assert bars["beyond quota"]["pattern"]["shape"] == "/"
    assert bars["busy, unmanaged"]["color"] == "var(--busy-unmanaged)"


def test_what_was_allocated_is_marked_where_it_is_known() -> None:
    marks = next(trace for trace in split.figure(PARTS)["data"] if trace["name"] == "allocated")
    assert (marks["y"], marks["x"]) == ([0], [5])


def test_more_than_eight_teams_are_drawn_as_eight_and_the_others() -> None:
    parts = [Part(Kind.NAMED, f"team-{place:02}", within=(place % 5 + 1) * H) for place in range(12)]
    shown = folded([*parts, Part(Kind.UNMANAGED, "outside any queue", other=H)])
    assert len(shown) == 10
    assert [part.name for part in shown][-2:] == ["4 others", "outside any queue"]
    assert [part.name for part in shown[:8]] == sorted(part.name for part in shown[:8])
    assert sum(part.busy for part in shown) == sum(part.busy for part in parts) + H
    assert folded(parts[:8]) == tuple(parts[:8])


def test_what_was_borrowed_lies_left_and_what_was_lent_right() -> None:
    told = [Balance("research", 0, 900 * H, 0), Balance("serving", 900 * H, 0, 5 * H)]
    drawn = lending.figure(told, [one.team for one in told])
    bars = {trace["name"]: trace["x"] for trace in drawn["data"] if trace["type"] == "bar"}
    assert bars == {"borrowed": [-900, 0], "lent": [0, 900]}
    assert drawn["layout"]["xaxis"]["ticktext"] == ["500", "0", "500"]


def test_the_teams_that_moved_most_are_drawn_in_their_order() -> None:
    told = [Balance(f"team-{place:02}", place * H, 0, 7 * H) for place in range(12)]
    assert [one.team for one in lending.drawn(told)] == [f"team-{place:02}" for place in range(4, 12)]


def month(number: int, share: str | None, paid: str | None = None, *, to_date: bool = False) -> by_month.Month:
    held = None if share is None else Decimal(share)
    return date(2026, number, 1), held, held if paid is None else Decimal(paid), to_date


def test_the_running_month_stands_apart_and_is_hatched() -> None:
    drawn = by_month.figure([month(9, "0.5"), month(10, "0.6"), month(11, "0.1", to_date=True)], None)
    columns = drawn["data"][0]
    assert columns["x"] == [0, 1, 2.5]
    assert columns["marker"]["pattern"]["shape"] == ["", "", "/"]
    # plotly takes a colour given column by column for the lines too: they would be as clear as what they stand on
    assert columns["marker"]["color"] == columns["marker"]["pattern"]["fgcolor"] == "var(--busy-owner)"
    assert columns["text"][2].replace("\u202f", " ") == "November 2026 to date: 10.0 % of reserved busy"


def test_a_month_that_nobody_knows_has_no_column_and_says_so() -> None:
    drawn = by_month.figure([month(9, None), month(10, "0")], None)
    assert drawn["data"][0]["y"] == [None, 0.0]
    assert drawn["data"][2]["text"] == ["–"]
    assert "unknown" in drawn["data"][2]["hovertext"][0]


def test_busy_of_paid_is_marked_only_where_it_is_another_figure() -> None:
    drawn = by_month.figure([month(9, "0.5"), month(10, "0.5", "0.4")], Decimal("0.62"))
    assert (drawn["data"][1]["x"], drawn["data"][1]["y"]) == ([1], [40.0])
    assert drawn["layout"]["shapes"][0]["y0"] == 62.0
