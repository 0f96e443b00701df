from datetime import UTC
from zoneinfo import ZoneInfo

from telemetry.domain.waterfall import Step, Waterfall, waterfall
from telemetry.tables.summaries import hours_summary, waterfall_summary
from tests.telemetry.charts.test_stacked_hours import HOUR, row


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def test_a_waterfall_names_its_largest_steps_and_the_rest() -> None:
    assert plain(waterfall_summary(waterfall([row(0)]))) == (
        "Of 20.0 reserved GPU-hours: busy (owner) 20.0 %, idle (free) 15.0 %, busy (borrower) 15.0 %, all else 50.0 %."
    )


def test_a_waterfall_of_one_step_has_no_rest() -> None:
    fall = Waterfall(4 * HOUR, (Step("ec2_unused", 4 * HOUR), Step("unknown", 0), Step("idle_held", None)))
    assert plain(waterfall_summary(fall)) == "Of 4.00 reserved GPU-hours: not launched 100 %."


def test_a_pool_that_reserved_nothing_says_so() -> None:
    assert waterfall_summary(Waterfall(0, ())) == "Nothing was reserved in the hours that were collected."


def test_hours_say_their_range_their_peak_in_the_zone_and_what_is_unknown() -> None:
    hours = [row(0), row(1, busy=12 * HOUR, reserved=24 * HOUR), row(2, busy=None, idle=None, final=False)]
    assert plain(hours_summary(hours, 2, ZoneInfo("Asia/Kolkata"))) == (
        "Busy 10.0 to 12.0 GPU-hours an hour (most on 1 Mar, 06:30–07:30) of 20.0 to 24.0 reserved; "
        "2 hours not collected; 1 hour with busy time unknown; 1 hour not final."
    )


def test_hours_in_which_nothing_is_known_are_not_called_idle() -> None:
    blind = row(0, busy=None, idle=None)
    assert hours_summary([blind], 0, UTC).startswith(
        "Busy time is not known in any hour; 20.0 GPU-hours an hour reserved"
    )
