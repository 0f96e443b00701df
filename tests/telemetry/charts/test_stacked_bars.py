"""Days as bars: a running month keeps the room of the days to come."""

from typing import Any

from telemetry.charts import stacked_bars
from telemetry.charts.stacked_bars import Column
from telemetry.domain.totals import totals_of
from tests.telemetry.charts.test_stacked_hours import row


def column(place: int, *, to_date: bool = False) -> Column:
    name = f"{place + 1} May"
    return Column(f"2026-05-{place + 1:02}", name, name, totals_of([row(place)]), to_date=to_date)


def drawn(days: int, ahead: int) -> dict[str, Any]:
    bars = [column(place, to_date=place == days - 1 and ahead > 0) for place in range(days)]
    names = [f"{place + 1} May" for place in range(days, days + ahead)]
    return stacked_bars.figure(bars, unit="GPU-hours per day", title="day, UTC", ahead=names)


def test_a_bar_is_as_wide_on_the_first_day_of_a_month_as_on_its_last() -> None:
    first, last = drawn(1, 30)["layout"]["xaxis"], drawn(31, 0)["layout"]["xaxis"]
    assert first["range"] == last["range"] == [-0.5, 30.5]
    assert first["ticktext"] == last["ticktext"]


def test_what_is_to_come_is_hatched_from_the_end_of_the_last_bar_on_and_explained() -> None:
    figure = drawn(2, 29)
    come = next(trace for trace in figure["data"] if trace["name"] == "to come")
    assert (min(come["x"]), max(come["x"])) == (1.5, 30.5)
    explained = [name for name, _ in stacked_bars.key(figure)]
    assert explained.index("to_date") + 1 == explained.index("to_come")


def test_a_whole_month_has_nothing_to_come() -> None:
    assert "to come" not in [trace["name"] for trace in drawn(31, 0)["data"]]
