from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.period import month_period
from telemetry.domain.use import UseHour
from telemetry.domain.week import WeekCell, hours_of_week

HOUR = 3_600_000
START = datetime(2026, 3, 2, tzinfo=UTC)  # a Monday


def use(at: datetime, busy: int | None = 1, reserved: int = 4) -> UseHour:
    return UseHour(at, reserved * HOUR, None if busy is None else busy * HOUR, 0 if busy is None else reserved * HOUR)


def week(zone: str, month: date) -> dict[tuple[int, int], WeekCell]:
    place = ZoneInfo(zone)
    cells = hours_of_week([use(at) for at in month_period(month, place).hours()], place)
    return {(cell.weekday, cell.hour): cell for cell in cells}


def test_there_are_168_cells_from_monday_midnight_on() -> None:
    cells = hours_of_week([], UTC)
    assert len(cells) == 168
    assert (cells[0].weekday, cells[0].hour, cells[-1].weekday, cells[-1].hour) == (0, 0, 6, 23)


def test_a_cell_without_any_known_hour_has_no_share_and_is_not_zero() -> None:
    cells = hours_of_week([use(START, None), use(START + timedelta(hours=1), 0)], UTC)
    assert (cells[0].hours, cells[0].known, cells[0].share) == (1, 0, None)
    assert cells[1].share == 0
    assert (cells[2].hours, cells[2].share) == (0, None)


def test_an_hour_that_nobody_knows_thins_nothing_out() -> None:
    cells = hours_of_week([use(START, 4), use(START + timedelta(days=7), None)], UTC)
    assert (cells[0].hours, cells[0].known, cells[0].share) == (2, 1, Decimal(1))


def test_the_hour_that_comes_twice_counts_twice() -> None:
    # clocks in Berlin go back at 03:00 on Sunday the 25th of October 2026, which has four Sundays
    cells = week("Europe/Berlin", date(2026, 10, 1))
    assert {hour: cells[6, hour].hours for hour in (1, 2, 3)} == {1: 4, 2: 5, 3: 4}
    assert sum(cell.hours for cell in cells.values()) == 31 * 24 + 1


def test_the_hour_that_is_skipped_is_not_there() -> None:
    # clocks in Berlin go forward at 02:00 on Sunday the 29th of March 2026, which has five Sundays
    cells = week("Europe/Berlin", date(2026, 3, 1))
    assert {hour: cells[6, hour].hours for hour in (1, 2, 3)} == {1: 5, 2: 4, 3: 5}
    assert sum(cell.hours for cell in cells.values()) == 31 * 24 - 1


def test_in_a_zone_whose_clocks_move_by_half_an_hour_what_counts_is_where_an_hour_starts() -> None:
    # on Sunday the 4th of October 2026 Lord Howe goes from 02:00 (+10:30) to 02:30 (+11): of the hours that start at
    # 15:00 and 16:00 UTC one starts at 01:30 and the next at 03:00, none between them
    forward = week("Australia/Lord_Howe", date(2026, 10, 1))
    assert {hour: forward[6, hour].hours for hour in (0, 1, 2, 3)} == {0: 4, 1: 4, 2: 3, 3: 4}
    # on Sunday the 5th of April it goes from 02:00 (+11) back to 01:30 (+10:30): hours start at 01:00 and 01:30
    back = week("Australia/Lord_Howe", date(2026, 4, 1))
    assert {hour: back[6, hour].hours for hour in (0, 1, 2, 3)} == {0: 4, 1: 5, 2: 4, 3: 4}


def test_a_zone_off_by_quarters_counts_an_hour_where_it_starts() -> None:
    # 00:00 UTC is 05:45 in Kathmandu
    cells = hours_of_week([use(START)], ZoneInfo("Asia/Kathmandu"))
    assert [(cell.weekday, cell.hour) for cell in cells if cell.hours] == [(0, 5)]


@pytest.mark.parametrize("zone", ["UTC", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York"])
@given(
    hours=st.lists(
        st.tuples(st.integers(0, 8_784), st.one_of(st.none(), st.integers(0, 4))), max_size=60, unique_by=lambda h: h[0]
    )
)
def test_cells_are_what_a_plain_count_gives(zone: str, hours: list[tuple[int, int | None]]) -> None:
    rows = [use(START + timedelta(hours=place), busy) for place, busy in hours]
    names = Counter(f"{row.hour.astimezone(ZoneInfo(zone)):%a %H}" for row in rows if row.busy is not None)
    cells = hours_of_week(rows, ZoneInfo(zone))
    days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    assert {f"{days[c.weekday]} {c.hour:02}": c.known for c in cells if c.known} == names
    assert sum(cell.busy for cell in cells) == sum(row.busy or 0 for row in rows)
