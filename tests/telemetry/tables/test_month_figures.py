from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.lending import lending
from telemetry.domain.load_duration import load_duration_curve
from telemetry.domain.split import Kind, Part, QueueUse, by_team
from telemetry.domain.totals import Totals
from telemetry.domain.use import UseHour
from telemetry.domain.week import hours_of_week
from telemetry.selectors.details import HeldIdlePod
from telemetry.tables import by_month, held_idle
from telemetry.tables.lending import lending_sheet, lending_summary, pairs_sheet
from telemetry.tables.load_duration import Loads, load_sheet, load_summary
from telemetry.tables.split import split_sheet, split_summary, split_twin, told_shares
from telemetry.tables.week import clock_sheet, week_sheet, week_summary

H = 3_600_000
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


def plain(words: str) -> str:
    return words.replace("\u202f", " ")


def week(*busy: int | None) -> tuple:
    rows = [
        UseHour(MONDAY + timedelta(hours=place), 4 * H, None if amount is None else amount * H,
                0 if amount is None else 4 * H)
        for place, amount in enumerate(busy)
    ]  # fmt: skip
    return hours_of_week(rows, UTC)


def test_the_week_names_its_busiest_and_quietest_hour_and_what_it_leaves_out() -> None:
    said = week_summary(week(0, 4, 2, None), ZoneInfo("Europe/Berlin"))
    assert plain(said) == (
        "Busiest Mon 01:00–02:00 (100 %), quietest Mon 00:00–01:00 (0 %), of what was reserved in 3 hours; "
        "1 hour with busy time unknown left out. Clock of Europe/Berlin."
    )
    assert week_summary(week(None), UTC) == ""


def test_the_weeks_file_has_a_row_for_each_cell_and_its_table_a_column_for_each_day() -> None:
    cells = week(1, None)
    rows = week_sheet(cells).rows
    assert len(rows) == 168
    assert rows[0] == ("Mon", "00:00", 1, 1, Decimal(1), Decimal(4), Decimal("0.25"))
    assert rows[1] == ("Mon", "01:00", 1, 0, None, None, None)
    clock = clock_sheet(cells)
    assert len(clock.rows) == 24
    assert clock.rows[0] == ("00:00", Decimal("0.25"), *[None] * 6)


def loads(demand: list[int], busy: list[int], even: str | None = None) -> Loads:
    break_even = None if even is None else Decimal(even)
    return Loads(load_duration_curve(demand), load_duration_curve(busy), Fraction(16), break_even)


def test_the_curve_says_demand_against_reserved_and_break_even() -> None:
    said = load_summary(loads([2, 4, 4, 6], [1], "0.5"))
    assert plain(said).startswith(
        "4.0 nodes of 16.0 reserved needed on average, 6 at the peak, over the 4 hours in which that is known. "
        "4 nodes were needed in more than 50.0 % of them, the break-even. Demand is what pods held and what "
        "work waited for, in whole nodes."
    )


def test_the_curve_says_in_how_many_hours_it_is_a_lower_bound() -> None:
    known = loads([2, 4, 4, 6], [1])
    assert "unknown" not in load_summary(known)
    assert "In 3 hours what waited is unknown" in load_summary(replace(known, bound_only=3))
    assert load_summary(replace(known, bound_only=4)).endswith("demand is what pods held alone, in whole nodes.")
    assert "waited" not in load_summary(loads([], [1, 2]))


def test_a_node_needed_in_exactly_the_break_even_share_is_not_counted() -> None:
    assert "1 node was needed in more than 50.0 %" in plain(load_summary(loads([1, 2], [], "0.5")))
    assert "No node was needed in more than 50.0 %" in plain(load_summary(loads([1, 0], [], "0.5")))


def test_the_curve_says_how_many_nodes_each_break_even_justifies() -> None:
    both = replace(loads([2, 4, 4, 6], [1], "0.75"), adjusted=Decimal("0.5"))
    assert (
        "2 nodes were needed in more than 75.0 % of them, the break-even; 4 in more than the 50.0 % with launches "
        in (plain(load_summary(both)))
    )
    assert "; none in more than the 100 % with" in plain(load_summary(replace(both, adjusted=Decimal(1))))


def test_the_curves_file_has_a_row_up_to_the_higher_peak() -> None:
    rows = load_sheet(loads([1, 2], [3])).rows
    assert [row[0] for row in rows] == [1, 2, 3]
    assert rows[1] == (2, 1, Decimal("0.5"), 1, Decimal(1))
    assert rows[2] == (3, 0, Decimal(0), 1, Decimal(1))
    assert load_sheet(loads([], [])).rows == ()


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=12))
def test_told_shares_add_up_to_all_of_it(amounts: list[int]) -> None:
    shares = told_shares(amounts)
    if not sum(amounts):
        assert shares == [None] * len(amounts)
        return
    assert sum(shares) == 1
    for share, amount in zip(shares, amounts, strict=True):
        assert abs(share - Decimal(amount) / sum(amounts)) < Decimal("0.001")


def test_the_split_names_the_largest_parts_and_the_rest() -> None:
    parts = [
        Part(Kind.NAMED, name, within=amount * H) for name, amount in zip("abcdef", (10, 50, 20, 12, 5, 3), strict=True)
    ]
    assert (
        plain(split_summary(parts)) == "b 50.0 %, c 20.0 %, d 12.0 %, a 10.0 %, all else 8.0 % of 100 busy GPU-hours."
    )
    assert split_summary([Part(Kind.NAMED, "a", allocated=H)]) == "No GPU was busy."
    assert [row[0] for row in split_sheet("by-team", parts).rows] == list("abcdef")


def test_a_file_of_the_split_has_every_digit_and_the_page_parts_that_add_up() -> None:
    parts = [Part(Kind.NAMED, name, within=amount * H) for name, amount in zip("abc", (1, 1, 4), strict=True)]
    share = split_sheet("by-team", parts).names.index("of_busy_share")
    filed, shown = ([row[share] for row in sheet("by-team", parts).rows] for sheet in (split_sheet, split_twin))
    assert filed == [Decimal("0.166666667"), Decimal("0.166666667"), Decimal("0.666666667")]
    assert shown == [Decimal("0.167"), Decimal("0.167"), Decimal("0.666")]
    idle = [Part(Kind.NAMED, "a", allocated=H)]
    assert split_sheet("by-team", idle).rows[0][share] is split_twin("by-team", idle).rows[0][share] is None


def test_unmanaged_and_unattributed_time_stand_in_rows_of_their_own() -> None:
    rows = split_sheet("by-team", by_team([QueueUse(1, False, "", "", H, 0, 0, 2 * H, H)], 3 * H)).rows
    assert [row[0] for row in rows] == ["outside any queue", "not attributed"]


def test_lending_says_who_lent_and_who_borrowed_most() -> None:
    told = lending(
        [
            QueueUse(1, True, "research", "batch", 0, 0, 900 * H, 0, 0),
            QueueUse(1, True, "serving", "", 0, 0, 5 * H, 0, 0),
        ],
        {1: "serving"},
    )
    assert plain(lending_summary(told)) == (
        "900 GPU-hours lent: most by serving (900), most borrowed by research (900). "
        "Teams used 5.00 GPU-hours of their own pools beyond their own quota."
    )
    assert lending_sheet(told).rows == (
        ("research", Decimal(0), Decimal(900), Decimal(0)),
        ("serving", Decimal(900), Decimal(0), Decimal(5)),
    )
    assert pairs_sheet(told).rows == (("serving", "research", Decimal(900)),)
    assert lending_summary(lending([], {})) == "No team used another team's pool beyond its own quota."


def month(number: int, busy: int | None, *, to_date: bool = False) -> by_month.MonthOfUse:
    known = busy is not None
    totals = Totals(hours=1, reserved=100, paid=100, busy=busy, busy_reserved=100 * known, busy_paid=100 * known)
    return by_month.MonthOfUse(date(2026, number, 1), totals, to_date)


def test_full_months_are_held_against_the_break_even_and_the_running_one_stands_apart() -> None:
    months = [month(8, None), month(9, 70), month(10, 50), month(11, 62), month(12, 90, to_date=True)]
    said = by_month.by_month_summary(months, Decimal("0.62"), "")
    assert plain(said) == (
        "Busy ÷ paid was above this month's break-even of 62.0 % in 1 of 3 full months. December 2026 to date: 90.0 %."
    )
    without = by_month.by_month_summary(months, None, "no price is known for this pool.")
    assert plain(without) == (
        "Busy ÷ paid was 50.0 % to 70.0 % in 3 full months. December 2026 to date: 90.0 %. "
        "No break-even: no price is known for this pool."
    )


def test_a_month_without_hours_is_empty_and_not_zero() -> None:
    rows = by_month.by_month_sheet([by_month.MonthOfUse(date(2026, 1, 1), None, False)]).rows
    assert rows == (("2026-01", False, None, None, None, None, None),)
    assert by_month.why_no_months([by_month.MonthOfUse(date(2026, 1, 1), None, False)])


def pod(still: bool, cost: str | None) -> held_idle.IdlePod:
    held = HeldIdlePod(
        1, "serve", "ml", "train-0", "u", "cq-a", "", 160 * H, 320 * H, Decimal(8), MONDAY, MONDAY + timedelta(hours=19)
    )
    return held_idle.IdlePod(held, still, None if cost is None else Decimal(cost))


def test_idle_pods_say_how_much_they_held_and_whether_they_still_do() -> None:
    said = held_idle.held_idle_summary([pod(True, "800"), pod(False, "800")], "USD", "")
    assert plain(said) == (
        "2 pods held 320 GPU-hours idle; 1 of them still does. That cost 1 600 USD at the month's mean reserved price."
    )
    hidden = held_idle.held_idle_summary([pod(False, None)], "", "your role does not include prices.")
    assert plain(hidden) == (
        "1 pod held 160 GPU-hours idle; none of them still does. Without money: your role does not include prices."
    )


def test_the_file_of_idle_pods_has_money_only_where_it_may_be_seen() -> None:
    priced, plainly = (
        held_idle.held_idle_sheet([pod(True, "8")], "USD"),
        held_idle.held_idle_sheet([pod(True, None)], ""),
    )
    assert priced.names[-1] == "idle_held_cost"
    assert plainly.names[-1] == "still_idle"
    assert plainly.rows[0][7:] == (MONDAY, MONDAY + timedelta(hours=20), True)
    assert plainly.rows[0][4] is None
