import json
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from reservations.domain.period import Period, month_period
from telemetry.charts import stacked_hours
from telemetry.domain.ledger import LedgerHour

HOUR = 3_600_000
START = datetime(2026, 3, 1, tzinfo=UTC)
PERIOD = Period(START, START + timedelta(days=31))
STACK = [
    "busy, owner",
    "busy, borrower",
    "busy, unmanaged",
    "busy, unattributed",
    "idle, held",
    "idle, free",
    "no telemetry",
    "not joined",
    "not launched",
]


def row(place: int, **given: object) -> LedgerHour:
    amounts = {
        "reserved": 20,
        "paid": 20,
        "ec2_unused": 2,
        "expected": 17,
        "not_joined": 1,
        "not_observed": 0,
        "known": 15,
        "unknown": 2,
        "busy": 10,
        "idle": 5,
        "idle_held": 2,
        "idle_free": 3,
        "owner_busy": 4,
        "borrower_busy": 3,
        "unmanaged_busy": 2,
        "unattributed_busy": 1,
    }
    whole = {name: value * HOUR for name, value in amounts.items()}
    return LedgerHour(hour=START + timedelta(hours=place), **{**whole, "final": True, **given})


def figure(*rows: LedgerHour, hours: int = 6) -> dict[str, dict]:
    drawn = stacked_hours.figure(rows, PERIOD, START + timedelta(hours=hours), UTC)
    return {trace["name"]: trace for trace in drawn["data"]}


def test_hours_are_stacked_in_the_one_order_and_reserved_lies_on_top() -> None:
    assert list(figure(row(0)))[:9] == STACK
    drawn = list(figure(row(0)))
    assert drawn.index("reserved") > drawn.index("not launched")


def test_the_stack_reaches_the_reserved_line() -> None:
    traces = figure(row(0))
    assert sum(traces[name]["y"][0] for name in STACK) == traces["reserved"]["y"][0] == 20


def test_hours_are_steps_and_the_last_is_as_wide_as_the_others() -> None:
    traces = figure(row(0), row(1), hours=2)
    assert traces["busy, owner"]["line"]["shape"] == traces["reserved"]["line"]["shape"] == "hv"
    assert traces["reserved"]["y"] == [20, 20, 20]
    assert (traces["reserved"]["x0"], traces["reserved"]["dx"]) == ("2026-03-01 00:00", HOUR)


def test_a_missing_hour_is_a_gap_that_says_so_and_never_zero() -> None:
    traces = figure(row(0), row(2), hours=3)
    assert traces["busy, owner"]["y"] == [4, None, 4, 4]
    assert traces["reserved"]["y"] == [20, None, 20, 20]
    assert traces["not collected"]["x"][:4] == ["2026-03-01 01:00"] * 2 + ["2026-03-01 02:00"] * 2
    assert traces["in words"]["text"][1] == "1 Mar, 01:00–02:00: not collected"


def test_hours_that_were_not_due_are_not_missing() -> None:
    assert "not collected" not in figure(row(0), hours=1)


@pytest.mark.parametrize(("known", "hatched"), [(8, True), (9, False)])
def test_coverage_under_a_half_is_hatched(known: int, hatched: bool) -> None:
    traces = figure(row(0, known=known * HOUR, unknown=(17 - known) * HOUR, expected=18 * HOUR), hours=1)
    assert ("coverage under 50\u202f%" in traces) is hatched


def test_what_is_not_final_is_hatched_up_to_its_reserved_line() -> None:
    band = figure(row(0), row(1, final=False), row(2, final=False, reserved=24 * HOUR), hours=3)["not final"]
    assert band["x"] == ["2026-03-01 01:00"] * 2 + ["2026-03-01 03:00"] * 2 + ["2026-03-01 01:00", None]
    assert max(y for y in band["y"] if y is not None) == 24
    assert band["fillpattern"]["shape"] == "/"


def test_a_resize_is_written_at_its_step() -> None:
    sizes = (20, 20, 22, 24, 24)  # the third hour holds the resize itself
    rows = [row(place, reserved=size * HOUR) for place, size in enumerate(sizes)]
    drawn = stacked_hours.figure(rows, PERIOD, START + timedelta(hours=5), UTC)
    notes = {note["x"]: note["text"] for note in drawn["layout"]["annotations"]}
    assert notes["2026-03-01 00:00"] == "reserved 20.0"
    assert notes["2026-03-01 03:00"] == "resized to 24.0"
    assert "2026-03-01 02:00" not in notes


def test_a_late_resize_is_written_to_the_left_and_above_what_was_before() -> None:
    sizes = [48] * 600 + [24] * 100 + [0] * 44
    rows = [row(place, reserved=size * HOUR) for place, size in enumerate(sizes)]
    notes = stacked_hours.figure(rows, PERIOD, PERIOD.end, UTC)["layout"]["annotations"]
    assert [(note["text"], note["xanchor"], note["y"]) for note in notes] == [
        ("reserved 48.0", "left", 48),
        ("resized to 24.0", "right", 48),
    ]


def test_unknown_use_is_said_with_its_reason() -> None:
    blind = row(0, busy=None, idle=None, known=0, unknown=17 * HOUR, notes=(("sm_not_exported", "No SM activity."),))
    assert "busy unknown" in figure(blind)["in words"]["text"][0]
    assert "No SM activity." in figure(blind)["in words"]["text"][0]


def test_the_sentence_of_an_hour_has_busy_reserved_and_coverage() -> None:
    said = figure(row(13), hours=14)["in words"]["text"][13].replace("\u202f", " ")
    assert said == "1 Mar, 13:00–14:00: 10.0 of 20.0 reserved GPU-hours busy (50.0 %), coverage 88.2 %"


def test_axes_say_their_units_and_the_month_is_whole() -> None:
    layout = stacked_hours.figure([row(0)], PERIOD, START + timedelta(hours=1), UTC)["layout"]
    assert layout["yaxis"]["title"]["text"] == "GPU-hours per hour"
    assert layout["yaxis"]["range"][0] == 0
    assert layout["xaxis"]["title"]["text"] == "hour, UTC"
    assert layout["xaxis"]["range"] == ["2026-03-01 00:00", "2026-04-01 00:00"]


@pytest.mark.parametrize(
    ("zone", "month", "hours", "ticks"),
    [
        # clocks go back on the 1st: the day has 25 hours, and every later day begins an hour later by UTC
        ("America/New_York", date(2026, 11, 1), 721, ["11-01 04:00", "11-08 05:00", "11-15 05:00", "11-22 05:00"]),
        ("America/New_York", date(2026, 3, 1), 743, ["03-01 05:00", "03-08 05:00", "03-15 04:00", "03-22 04:00"]),
        # a day's first whole hour begins half an hour after its midnight
        ("Asia/Kolkata", date(2026, 3, 1), 744, ["02-28 19:00", "03-07 19:00", "03-14 19:00", "03-21 19:00"]),
    ],
)
def test_the_axis_is_in_the_accounting_zone_and_no_two_hours_share_a_place(
    zone: str, month: date, hours: int, ticks: list[str]
) -> None:
    period = month_period(month, ZoneInfo(zone))
    drawn = stacked_hours.figure([], period, period.end, ZoneInfo(zone))
    axis, words = drawn["layout"]["xaxis"], drawn["data"][-1]
    assert axis["title"]["text"] == f"hour, {zone}"
    assert [place.removeprefix("2026-") for place in axis["tickvals"]][:4] == ticks
    assert axis["ticktext"][:4] == [f"{day} {month:%b}" for day in (1, 8, 15, 22)]
    assert axis["range"][0] == axis["tickvals"][0]
    assert (len(words["text"]), words["dx"]) == (hours, HOUR)


def test_the_hour_that_comes_twice_is_said_twice() -> None:
    zone = ZoneInfo("America/New_York")
    period = month_period(date(2026, 11, 1), zone)
    said = stacked_hours.figure([], period, period.end, zone)["data"][-1]["text"]
    assert [words.split(": ")[0] for words in said[:4]] == [
        "1 Nov, 00:00–01:00",
        "1 Nov, 01:00–01:00",
        "1 Nov, 01:00–02:00",
        "1 Nov, 02:00–03:00",
    ]


def test_the_first_reservation_of_a_month_is_not_called_a_resize() -> None:
    rows = [row(place, reserved=size * HOUR) for place, size in enumerate((0, 0, 24, 24))]
    drawn = stacked_hours.figure(rows, PERIOD, START + timedelta(hours=4), UTC)
    assert [note["text"] for note in drawn["layout"]["annotations"]][:2] == ["nothing reserved", "reserved 24.0"]


def test_a_month_in_which_nothing_was_reserved_has_an_axis_all_the_same() -> None:
    layout = stacked_hours.figure([row(0, reserved=0)], PERIOD, START + timedelta(hours=1), UTC)["layout"]
    assert layout["yaxis"]["range"] == [0, 1.12]


def test_a_month_of_hours_travels_light() -> None:
    drawn = stacked_hours.figure([row(place) for place in range(744)], PERIOD, PERIOD.end, UTC)
    assert len(json.dumps(drawn)) < 250_000


def test_the_key_explains_every_layer_from_the_reserved_line_down() -> None:
    drawn = stacked_hours.figure([row(0), row(2, final=False)], PERIOD, START + timedelta(hours=3), UTC)
    told = [label for _, label in stacked_hours.key(drawn)]
    assert told == ["reserved", "not collected", "not final", "to come", *STACK[::-1]]


def test_hours_lead_to_themselves_through_one_address() -> None:
    drawn = stacked_hours.figure([row(0)], PERIOD, START + timedelta(hours=2), UTC, "/pools/h100/hours/{}/")
    words = next(trace for trace in drawn["data"] if trace["name"] == "in words")
    assert words["customdata"] == ["2026-03-01T00", "2026-03-01T01"]
    assert words["meta"] == {"leads": "/pools/h100/hours/{}/"}


def test_coverage_is_said_only_where_it_puts_the_figure_in_doubt() -> None:
    thin = figure(row(0, known=12 * HOUR, unknown=5 * HOUR), row(1, known=17 * HOUR, unknown=0), hours=2)
    first, second = thin["in words"]["text"]
    assert "coverage 70.6" in first
    assert "coverage" not in second
