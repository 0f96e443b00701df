from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.pricing import MONEY_STEP
from telemetry.domain.totals import Totals, totals_of
from telemetry.domain.waterfall import STEPS, Step, Waterfall
from telemetry.domain.worth import Worth
from telemetry.tables.waterfall import Bar, bars, unusable, waterfall_sheet
from tests.telemetry.charts.test_stacked_hours import HOUR, row

# A step may be below nothing; what was reserved, their sum, never is.
AMOUNTS = st.lists(st.integers(-3 * HOUR, 5000 * HOUR), min_size=len(STEPS), max_size=len(STEPS)).filter(
    lambda amounts: sum(amounts) >= 0
)
COSTS = st.lists(st.decimals("0", "100000", places=6), min_size=len(STEPS) + 1, max_size=len(STEPS) + 1)


def number(text: str) -> Decimal:
    return Decimal(text.replace("\u202f", "").replace("%", "").replace("−", "-"))


def fall_of(amounts: list[int]) -> Waterfall:
    return Waterfall(sum(amounts), tuple(Step(*pair) for pair in zip(STEPS, amounts, strict=True)))


def parts(rows: tuple[Bar, ...], column: str) -> list[Decimal]:
    return [number(getattr(bar, column)) for bar in rows[1:]]


@given(AMOUNTS)
def test_hours_as_written_add_up_to_reserved_and_shares_to_a_hundred(amounts: list[int]) -> None:
    fall = fall_of(amounts)
    rows = bars(fall, Worth())
    assert sum(parts(rows, "hours")) == number(rows[0].hours)
    if fall.reserved:
        assert sum(parts(rows, "share")) == 100


@given(AMOUNTS)
def test_no_figure_is_a_whole_unit_away_from_the_truth(amounts: list[int]) -> None:
    fall = fall_of(amounts)
    rows = {bar.name: bar for bar in bars(fall, Worth())}
    unit = Decimal(1) if fall.reserved >= 100 * HOUR else Decimal("0.1")
    for step in fall.steps:
        if step.name in rows:
            assert abs(number(rows[step.name].hours) - Decimal(step.gpu_ms) / HOUR) < unit


@given(COSTS, st.integers(-6, 6))
def test_money_as_written_adds_up_to_what_was_paid(costs: list[Decimal], away: int) -> None:
    not_usable, *of_steps = costs
    paid = sum(costs) + away * MONEY_STEP
    worth = Worth(
        currency="USD", paid=max(paid, Decimal(0)), unusable=not_usable, steps=dict(zip(STEPS, of_steps, strict=True))
    )
    amounts = [HOUR] * len(STEPS)
    rows = bars(fall_of(amounts), worth)
    totals = Totals(hours=1, reserved=0, paid=HOUR)
    told = unusable(totals, worth).partition(", ")[2].removesuffix("USD")
    assert number(rows[0].money) == round(worth.paid)
    # what single steps lost by their own rounding is less than a unit, and shows only where paid lies on an edge
    assert abs(sum(parts(rows, "money")) + number(told) - round(worth.paid)) <= (1 if away else 0)


def test_the_sheet_has_every_step_exactly_and_the_page_rounds_it() -> None:
    totals = totals_of([row(0), row(1, busy=None, idle=None, idle_held=None, idle_free=None)])
    sheet = waterfall_sheet(totals, Worth())
    exact = {cells[0]: cells[2] for cells in sheet.rows}
    assert exact["reserved"] == sum(exact[name] for name in STEPS if exact[name] is not None)
    for bar in bars(totals.waterfall(), Worth()):
        assert exact[bar.name] is None or abs(number(bar.hours) - exact[bar.name]) < 1


def test_a_step_nobody_knows_is_a_dash_that_says_where_it_stands() -> None:
    fall = Waterfall(10 * HOUR, (Step("idle_held", None), Step("idle_unsplit", 10 * HOUR)))
    held = next(bar for bar in bars(fall, Worth()) if bar.name == "idle_held")
    assert (held.hours, held.linked) == ("–", False)
    assert "another bar" in held.why
