from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from telemetry.charts import week
from telemetry.domain.use import UseHour
from telemetry.domain.week import hours_of_week

HOUR = 3_600_000
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


def use(place: int, busy: int | None) -> UseHour:
    known = busy is not None
    return UseHour(MONDAY + timedelta(hours=place), 4 * HOUR, busy * HOUR if known else None, 4 * HOUR if known else 0)


def figure(*rows: UseHour) -> dict[str, dict]:
    drawn = week.figure(hours_of_week(rows, UTC), UTC)
    return {trace["name"]: trace for trace in drawn["data"]}


def test_a_cell_without_data_is_hatched_and_has_no_colour() -> None:
    traces = figure(use(0, 0), use(1, None))
    assert traces["busy ÷ reserved"]["z"][0][:3] == [0.0, None, None]
    assert traces["not known"]["fillpattern"]["shape"] == "/"
    squares = list(zip(traces["not known"]["x"], traces["not known"]["y"], strict=True))
    assert (0.5, -0.5) in squares  # Monday, 01:00
    assert (-0.5, -0.5) not in squares  # Monday, 00:00, which is known to be nothing


def test_the_scale_is_the_same_whatever_the_month() -> None:
    heat = figure(use(0, 1))["busy ÷ reserved"]
    assert (heat["zmin"], heat["zmax"]) == (0, 100)
    assert [place for place, _ in heat["colorscale"]] == [0, 0.25, 0.5, 0.75, 1]
    assert all(colour.startswith("var(--heat-") for _, colour in heat["colorscale"])


def test_each_cell_says_its_share_and_over_how_many_hours() -> None:
    said = figure(use(0, 1), use(168, 3), use(1, None), use(169, 4), use(2, None))["busy ÷ reserved"]["text"][0]
    assert said[0].replace("\u202f", " ") == "Mondays, 00:00–01:00: 50.0 % of reserved busy, over 2 hours"
    assert said[1].replace("\u202f", " ") == "Mondays, 01:00–02:00: 100 % of reserved busy, over 1 of 2 hours"
    assert said[2] == "Mondays, 02:00–03:00: busy time unknown in 1 hour"
    assert said[23] == "Mondays, 23:00–00:00: no hour collected"


def test_the_axis_names_the_clock() -> None:
    zone = ZoneInfo("Asia/Kathmandu")
    drawn = week.figure(hours_of_week([use(0, 1)], zone), zone)
    assert drawn["layout"]["xaxis"]["title"]["text"] == "hour of the day, Asia/Kathmandu"
    assert drawn["data"][1]["z"][0][5] == 25.0
