from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from reservations.domain.break_even import Shortage
from reservations.domain.shortage import ShortageSpan
from telemetry.domain.totals import Totals
from telemetry.domain.worth import Worth
from telemetry.tables.break_even import even_sheet, even_told, sentence

WORTH = Worth(
    currency="USD",
    paid=Decimal(62),
    on_demand=Decimal(100),
    without=Decimal(110),
    break_even=Decimal("0.62"),
    adjusted=Decimal("0.5636"),
)
Q_AND_L = ShortageSpan(
    start=date(2026, 1, 1),
    end=None,
    fail_probability=Decimal("0.2"),
    shortage_cost=Decimal(50),
    currency="USD",
    convention=Shortage.EXTRA,
    source="karpenter",
    recorded_on=date(2026, 3, 1),
    attempts=30,
    failures=6,
)


def totals(busy: int | None = 70, allocated: int | None = 80) -> Totals:
    return Totals(hours=1, reserved=100, paid=100, busy=busy, busy_reserved=100, busy_paid=100 if busy else 0,
                  allocated=allocated, allocated_reserved=100 if allocated else 0)  # fmt: skip


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


@pytest.mark.parametrize(
    ("busy", "allocated", "worth", "said"),
    [
        (70, 80, WORTH, "Holding pays: busy ÷ paid, 70.0 %, is above both lines, 62.0 % by price alone and 56.4 % with "
         "launches that fail."),
        (60, 80, WORTH, "Holding pays because launches fail: busy ÷ paid, 60.0 %, is not above the break-even by price "
         "alone, 62.0 %, but above the one with launches that fail, 56.4 %, which decides."),
        (40, 80, WORTH, "Holding does not pay as it is used: busy ÷ paid, 40.0 %, is not above the break-even of "
         "56.4 %, and allocated ÷ reserved, 80.0 %, is. Idle allocations decide, before the size does."),
        (40, 50, WORTH, "Holding does not pay: busy ÷ paid, 40.0 %, is above neither line, 62.0 % by price alone or "
         "56.4 % with launches that fail."),
        (65, 60, replace(WORTH, adjusted=Decimal("0.68")), "Holding does not pay, as work that finds no capacity costs "
         "less than running it: busy ÷ paid, 65.0 %, is above the break-even by price alone, 62.0 %, but not above "
         "the one with launches that fail, 68.0 %, which decides."),
        (70, None, replace(WORTH, adjusted=None), "By price alone holding pays: busy ÷ paid, 70.0 %, is above the "
         "break-even of 62.0 %."),
        (50, None, replace(WORTH, adjusted=None), "By price alone holding does not pay: busy ÷ paid, 50.0 %, is not "
         "above the break-even of 62.0 %."),
        (None, 80, WORTH, "Whether holding pays is not known: busy time is not known in any of these hours."),
        (70, 80, Worth(why_no_even="no price is known for this pool."), "Whether holding pays is not known: no price "
         "is known for this pool."),
    ],
)  # fmt: skip
def test_what_decides_is_said_in_words(busy: int | None, allocated: int | None, worth: Worth, said: str) -> None:
    assert plain(sentence(totals(busy, allocated), worth)) == said


def test_each_line_says_how_far_busy_and_allocated_are_from_it_or_why_it_is_not_known() -> None:
    told = even_told(totals(60), replace(WORTH, shortages=(Q_AND_L,)))
    rows = [tuple(map(plain, (line.even, line.busy, line.allocated))) for line in told.lines]
    assert rows == [
        ("62.0 %", "2.0 points below", "18.0 points above"),
        ("56.4 %", "3.6 points above", "23.6 points above"),
    ]
    assert [line.decides for line in told.lines] == [False, True]
    assert [plain(record) for record in told.records] == [
        "20.0 % of launches fail (9.5 % to 37.3 %, 6 of 30), and a failed one costs 50.00 USD a node-hour on top of "
        "paying on demand later: karpenter, recorded 1 Mar 2026."
    ]
    unknown = even_told(totals(60), replace(WORTH, adjusted=None, why_no_adjusted="no shortage is recorded."))
    assert (unknown.lines[1].even, unknown.lines[1].why) == ("–", "No shortage is recorded.")


def test_the_sheet_has_both_lines_with_every_digit() -> None:
    sheet = even_sheet(totals(60), WORTH)
    rows = [dict(zip((column.name for column in sheet.columns), row, strict=True)) for row in sheet.rows]
    assert [row["break_even_share"] for row in rows] == [Decimal("0.62"), Decimal("0.5636")]
    assert [(row["without_cost"], row["paid_cost"]) for row in rows] == [(100, 62), (110, 62)]
    assert [row["decides"] for row in rows] == [False, True]
