from dataclasses import replace
from decimal import Decimal

import pytest

from reservations.domain.period import Period
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.rollup import roll_up
from telemetry.tables import by_step
from telemetry.tables.tiles import Cost, Tile, tiles
from telemetry.tables.usage import usage_row
from telemetry.tables.waterfall import unusable
from tests.telemetry.charts.test_stacked_hours import HOUR, START, row

PRICED = Cost(idle=Decimal(10), currency="USD", break_even=Decimal("0.45"))


def share_tile(hours: list[LedgerHour], cost: Cost = PRICED) -> Tile:
    total = roll_up(hours=hours, period=Period(START, START + 2 * (row(1).hour - row(0).hour)))
    return next(tile for tile in tiles(hours, total, cost) if tile.term == "busy_share")


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def test_break_even_is_held_against_busy_of_reserved_where_all_that_was_paid_was_usable() -> None:
    tile = share_tile([row(0), row(1)])
    assert (tile.value, plain(tile.words)) == ("50.0", "5.0 points above break-even, 45.0 %.")
    assert (tile.mark.share, tile.mark.even) == ("50.00%", "45.00%")


def test_break_even_is_held_against_busy_of_paid_and_says_so_where_they_differ() -> None:
    tile = share_tile([row(0), row(1, paid=30 * HOUR)])
    assert tile.value == "50.0"
    assert plain(tile.words) == "Busy ÷ paid, 40.0 %, is 5.0 points below break-even, 45.0 %."
    assert (tile.mark.share, tile.mark.even) == ("40.00%", "45.00%")


def test_an_hour_whose_busy_time_is_unknown_is_in_neither_share() -> None:
    tile = share_tile([row(0), row(1, paid=90 * HOUR, busy=None, idle=None)])
    assert plain(tile.words) == "5.0 points above break-even, 45.0 %. Over the 1 hour in which busy is known."


def test_without_a_break_even_its_own_reason_is_given() -> None:
    known_idle = replace(PRICED, break_even=None, why_no_even="some of these days have no on-demand price.")
    assert share_tile([row(0)], known_idle).words == "No break-even: some of these days have no on-demand price."


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"reserved": 0, "busy": 0}, "Nothing was reserved in this month."),
        ({"busy": None, "idle": None}, "Busy time is not known in any hour of this month."),
    ],
)
def test_a_share_of_nothing_and_an_unknown_one_are_told_apart(given: dict[str, int | None], why: str) -> None:
    tile = share_tile([row(0, **given)])
    assert (tile.value, tile.words, tile.mark) == ("–", why, None)


@pytest.mark.parametrize(
    ("expected", "allocated", "coverage"),
    [
        (0, "No GPU stood on a node.", "No device was expected."),
        (None, "How many GPUs stood on nodes is not known.", "How many devices were expected is not known."),
    ],
)
def test_nothing_on_nodes_and_not_knowing_are_told_apart(expected: int | None, allocated: str, coverage: str) -> None:
    hours = [row(0, expected=expected, known=expected, unknown=expected, allocated=0)]
    total = roll_up(hours=hours, period=Period(START, row(1).hour))
    said = {tile.term: tile.words for tile in tiles(hours, total, PRICED)}
    assert (said["allocated"], said["coverage"]) == (allocated, coverage)


def test_what_was_paid_but_not_usable_is_an_amount_of_its_own() -> None:
    hours = [row(0), row(1, reserved=0, paid=320 * HOUR)]
    total = roll_up(hours=hours, period=Period(START, START + 2 * (row(1).hour - row(0).hour)))
    assert plain(unusable(total, Decimal("1234.4"), "USD")) == "320 GPU-hours, 1 234 USD"
    assert plain(unusable(total, None, "")) == "320 GPU-hours"
    (last,) = by_step.hours_of(hours[1:], [roll_up(hours=hours[1:], period=Period(hours[1].hour, total.period.end))],
                               START.tzinfo, dated=False).rows  # fmt: skip
    assert plain("; ".join(last.remarks)) == "320 GPU-hours paid, not usable"


def test_where_all_that_was_paid_was_usable_nothing_is_said() -> None:
    assert unusable(roll_up(hours=[row(0)], period=Period(START, row(1).hour)), Decimal(0), "USD") == ""


def test_the_sum_of_the_days_rounds_each_figure_by_itself_as_the_waterfall_does() -> None:
    third = HOUR // 3
    hours = [row(0, reserved=16 * third, paid=16 * third, ec2_unused=4 * third, not_joined=4 * third,
                 expected=8 * third, known=4 * third, unknown=4 * third, busy=0, idle=4 * third,
                 idle_held=0, idle_free=4 * third, owner_busy=0, borrower_busy=0, unmanaged_busy=0,
                 unattributed_busy=0)]  # fmt: skip
    total = roll_up(hours=hours, period=Period(START, row(1).hour))
    table = by_step.days(hours, [total], total, START.tzinfo)
    (day,) = table.rows
    assert (day.reserved, [cell.text for cell in day.cells[:4]]) == ("5", ["2", "1", "1", "1"])
    assert (table.total.reserved, [cell.text for cell in table.total.cells[:4]]) == ("5", ["1", "1", "1", "1"])


def test_hours_without_one_valid_sample_are_in_the_most_that_can_have_been_busy() -> None:
    silent = {"known": 0, "unknown": 17 * HOUR, "busy": None, "idle": None, "idle_held": None, "idle_free": None}
    hours = [row(0), row(1, **silent)]
    total = roll_up(hours=hours, period=Period(START, row(2).hour))
    tile = next(tile for tile in tiles(hours, total, PRICED) if tile.term == "busy")
    assert (tile.value, tile.words) == ("10.0", "At most 29.0, had all unknown time been busy.")
    assert usage_row("h100", total)["busy_high_gpu_hours"] == 29
