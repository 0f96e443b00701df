from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from reservations.domain.period import Period
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.rollup import roll_up
from telemetry.domain.totals import totals_of
from telemetry.domain.worth import Worth
from telemetry.tables import by_step
from telemetry.tables.compared import Compared, Figures
from telemetry.tables.tiles import Tile, tiles
from telemetry.tables.usage import usage_row
from telemetry.tables.waterfall import unusable
from tests.telemetry.charts.test_stacked_hours import HOUR, START, row

PRICED = Worth(currency="USD", paid=Decimal(62), on_demand=Decimal(124), idle=Decimal(10), break_even=Decimal("0.45"))


def told(hours: list[LedgerHour], worth: Worth = PRICED) -> dict[str, Tile]:
    now = Figures(date(2026, 3, 1), {1: "h100"}, {1: totals_of(hours)}, {1: worth})
    object.__setattr__(now, "money", worth)
    before = Figures(date(2026, 2, 1), {1: "h100"}, {}, {})
    return {tile.term: tile for tile in tiles(Compared(now, before), 0)}


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def test_break_even_is_held_against_busy_of_reserved_where_all_that_was_paid_was_usable() -> None:
    tile = told([row(0), row(1)])["busy_share"]
    assert (tile.value, plain(tile.remark)) == ("50.0", "5.0 points above break-even, 45.0 %.")
    assert (tile.mark.share, tile.mark.even) == ("50.00%", "45.00%")


def test_break_even_is_held_against_busy_of_paid_and_says_so_where_they_differ() -> None:
    tile = told([row(0), row(1, paid=30 * HOUR)])["busy_share"]
    assert tile.value == "50.0"
    assert plain(tile.remark) == "Busy ÷ paid, 40.0 %, is 5.0 points below break-even, 45.0 %."
    assert (tile.mark.share, tile.mark.even) == ("40.00%", "45.00%")


def test_an_hour_whose_busy_time_is_unknown_is_in_neither_share() -> None:
    tile = told([row(0), row(1, paid=90 * HOUR, busy=None, idle=None)])["busy_share"]
    assert plain(tile.remark) == "5.0 points above break-even, 45.0 %. Over the 1 hour in which busy is known."


def test_without_a_break_even_its_own_reason_is_given() -> None:
    known_idle = replace(PRICED, break_even=None, why_no_even="some of these days have no on-demand price.")
    tile = told([row(0)], known_idle)["busy_share"]
    assert tile.remark == "No break-even: some of these days have no on-demand price."


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"reserved": 0, "busy": 0}, "Nothing was reserved."),
        ({"busy": None, "idle": None}, "Busy time is not known in any of these hours."),
    ],
)
def test_a_share_of_nothing_and_an_unknown_one_are_told_apart(given: dict[str, int | None], why: str) -> None:
    tile = told([row(0, **given)])["busy_share"]
    assert (tile.value, tile.remark, tile.mark) == ("–", why, None)


@pytest.mark.parametrize(
    ("expected", "allocated", "coverage"),
    [
        (0, "No GPU stood on a node.", "No device was expected."),
        (None, "How many GPUs stood on nodes is not known.", "How many devices were expected is not known."),
    ],
)
def test_nothing_on_nodes_and_not_knowing_are_told_apart(expected: int | None, allocated: str, coverage: str) -> None:
    said = told([row(0, expected=expected, known=expected, unknown=expected, allocated=0)])
    assert (said["allocated"].remark, said["coverage"].remark) == (allocated, coverage)


def test_what_was_paid_but_not_usable_is_an_amount_of_its_own() -> None:
    hours = [row(0), row(1, reserved=0, paid=320 * HOUR)]
    totals = totals_of(hours)
    assert plain(unusable(totals, replace(PRICED, unusable=Decimal("1234.4")))) == "320 GPU-hours, 1 234 USD"
    assert plain(unusable(totals, Worth())) == "320 GPU-hours"
    (last,) = by_step.hours_of([by_step.hour_part(hours[1])], START.tzinfo, dated=False).rows
    assert plain("; ".join(last.remarks)) == "320 GPU-hours paid, not usable"


def test_where_all_that_was_paid_was_usable_nothing_is_said() -> None:
    assert unusable(totals_of([row(0)]), PRICED) == ""


def test_hours_without_one_valid_sample_are_in_the_most_that_can_have_been_busy() -> None:
    silent = {"known": 0, "unknown": 17 * HOUR, "busy": None, "idle": None, "idle_held": None, "idle_free": None}
    hours = [row(0), row(1, **silent)]
    tile = told(hours)["busy"]
    assert (tile.value, tile.remark) == ("10.0", "At most 29.0, had all unknown time been busy.")
    total = roll_up(hours=hours, period=Period(START, row(2).hour))
    assert usage_row("h100", total)["busy_high_gpu_hours"] == 29
