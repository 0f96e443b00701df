"""What pools are worth is what their single hours are worth, to those who may see prices."""

from datetime import UTC, date
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test.utils import CaptureQueriesContext

from reservations.domain.access import Grant, Person, Role
from reservations.domain.period import Period, month_period, zone
from reservations.models import Pool, PriceQuote, PriceSubject, ShortageRecord
from reservations.selectors.pools import pool_rows
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.worth import Worth, added_worth
from telemetry.selectors.worth import worth_by_pool
from telemetry.services.ledger import store_hours
from tests.telemetry.domain.lawful_rows import H, bare, lawful
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db

ANALYST = Person("analyst", (Grant(Role.ANALYST),))
VIEWER = Person("viewer", (Grant(Role.VIEWER),))
MAY = month_period(date(2026, 5, 1), UTC)
CHANGE = date(2026, 5, 9)


def quote(
    pool: Pool, start: date, end: date | None, reserved: int | None, on_demand: int | None = 80, **said: str
) -> None:
    subject, _ = PriceSubject.objects.get_or_create(pool=pool)
    unit = said.get("unit", "node-hour")
    PriceQuote.objects.create(
        subject=subject,
        period=DateRange(start, end),
        reserved=reserved,
        on_demand=on_demand,
        currency=said.get("currency", "USD"),
        unit=unit,
    )


def shortage(pool: Pool, start: date, end: date | None, q: str, lost: int, **said: str) -> None:
    ShortageRecord.objects.create(
        subject=PriceSubject.objects.get_or_create(pool=pool)[0],
        period=DateRange(start, end),
        fail_probability=Decimal(q),
        shortage_cost=lost,
        currency=said.get("currency", "USD"),
        convention=said.get("convention", "extra"),
        recorded_on=start,
    )


def collected(pool: Pool, rows: list[LedgerHour]) -> None:
    store_hours(pool_id=pool.pk, source="main", hours=rows, read_at=MAY.end)


def worth(person: Person = ANALYST, period: Period = MAY) -> dict[str, Worth]:
    rows = pool_rows()
    found = worth_by_pool(pools=rows, period=period, person=person)
    return {row.name: found[row.id] for row in rows}


@pytest.mark.parametrize("name", ["UTC", "Asia/Kolkata"])
def test_each_hour_costs_the_price_of_its_own_day(name: str) -> None:
    pool = a_pool("one")
    quote(pool, date(2026, 1, 1), CHANGE, 40)
    quote(pool, CHANGE, None, 24)
    rows = [lawful(number, busy=5 * H, known=7 * H) for number in range(0, 400, 3)]
    collected(pool, rows)
    period = month_period(date(2026, 5, 1), zone(name))
    expected = dict.fromkeys(("paid", "idle", "ec2_unused"), Fraction(0))
    for row in rows:
        price = Fraction(40 if row.hour.date() < CHANGE else 24, 8)
        for column in expected:
            expected[column] += Fraction(getattr(row, column), H) * price
    found = worth(period=period)["one"]
    assert (found.paid, found.idle) == (Decimal(float(expected["paid"])), Decimal(float(expected["idle"])))
    assert found.steps["ec2_unused"] == Decimal(float(expected["ec2_unused"]))
    steps = sum(amount for amount in found.steps.values() if amount is not None)
    assert abs(steps - found.paid) < Decimal("0.00001")  # each is rounded once, to a millionth
    on_demand = sum(Fraction(row.paid, H) * 10 for row in rows)
    assert round(Fraction(found.break_even), 30) == round(expected["paid"] / on_demand, 30)


def test_the_questions_do_not_grow_with_the_pools() -> None:
    for number in range(4):
        pool = a_pool(f"pool-{number}")
        quote(pool, date(2026, 1, 1 + number), None, 40 + number)
        collected(pool, [lawful(0)])
    rows = pool_rows()
    with CaptureQueriesContext(connection) as asked:
        found = worth_by_pool(pools=rows, period=MAY, person=ANALYST)
    assert len(asked) == 2
    assert [found[row.id].paid for row in rows] == [Decimal(2 * (40 + number)) for number in range(4)]


def test_who_may_not_see_prices_is_told_so_and_nothing_else() -> None:
    pool = a_pool("one")
    quote(pool, date(2026, 1, 1), None, 40)
    collected(pool, [lawful(0)])
    assert worth(VIEWER)["one"] == Worth(
        why_not="your role does not include prices.",
        why_no_idle="your role does not include prices.",
        why_no_even="your role does not include prices.",
        why_no_adjusted="your role does not include prices.",
    )


def test_a_day_without_a_price_leaves_everything_unknown_and_says_why() -> None:
    pool = a_pool("one")
    quote(pool, date(2026, 5, 6), None, 40)
    collected(pool, [lawful(0), lawful(60)])
    assert worth()["one"].why_not == "some of these days have no reserved price."
    assert worth()["one"].paid is None


def test_unknown_idle_time_costs_nothing_known() -> None:
    pool = a_pool("one")
    quote(pool, date(2026, 1, 1), None, 40, on_demand=None)
    collected(pool, [bare(0)])
    found = worth()["one"]
    assert (found.paid, found.idle, found.steps["owner_busy"]) == (Decimal(80), None, None)
    assert found.why_no_idle
    assert (found.break_even, found.why_no_even) == (None, "some of these days have no on-demand price.")


def test_currencies_are_never_added_and_what_has_no_price_is_named() -> None:
    for name, currency, price in (("a", "USD", 40), ("b", "USD", 20), ("c", "EUR", 30), ("d", "", None)):
        pool = a_pool(name)
        if price:
            quote(pool, date(2026, 1, 1), None, price, currency=currency)
        collected(pool, [lawful(0)])
    found = worth()
    together = added_worth({name: found[name] for name in "abd"})
    assert (together.paid, together.currency, together.unpriced) == (Decimal(120), "USD", ("d",))
    assert together.break_even == Decimal(120) / Decimal(320)
    mixed = added_worth(found)
    assert (mixed.paid, mixed.why_not) == (None, "the pools' prices are in more than one currency.")
    assert added_worth({"d": found["d"]}).why_not == "no price is known for this pool."


def test_a_price_of_nothing_is_a_price() -> None:
    pool = a_pool("one")
    quote(pool, date(2026, 1, 1), None, 0)
    collected(pool, [lawful(0)])
    assert worth()["one"].paid == 0


@pytest.mark.parametrize("name", ["UTC", "Asia/Kolkata"])
def test_the_adjusted_break_even_is_what_was_paid_over_what_each_hour_would_have_cost_on_its_day(name: str) -> None:
    pool = a_pool("one")
    quote(pool, date(2026, 1, 1), CHANGE, 40)
    quote(pool, CHANGE, None, 5, on_demand=9, unit="gpu-hour")
    recorded = date(2026, 5, 12)
    shortage(pool, date(2026, 1, 1), recorded, "0.2", 50)
    shortage(pool, recorded, None, "0.25", 30, convention="instead")
    rows = [lawful(number, busy=5 * H, known=7 * H) for number in range(0, 400, 3)]
    collected(pool, rows)
    paid = without = on_demand = Fraction(0)
    for row in rows:
        day, nodes = row.hour.date(), Fraction(row.paid, 8 * H)
        p_res, p_od = (40, 80) if day < CHANGE else (5 * 8, 9 * 8)
        paid += nodes * p_res
        on_demand += nodes * p_od
        without += nodes * (p_od + Fraction(2, 10) * 50 if day < recorded else Fraction(3, 4) * p_od + Fraction(30, 4))
    found = worth(period=month_period(date(2026, 5, 1), zone(name)))["one"]
    assert (Fraction(found.paid), Fraction(found.without)) == (paid, round(without, 6))
    assert round(Fraction(found.adjusted), 9) == round(paid / without, 9)
    assert round(Fraction(found.break_even), 9) == round(paid / on_demand, 9)
    assert [one.fail_probability for one in found.shortages] == [Decimal("0.2"), Decimal("0.25")]
    assert found.why_no_adjusted == ""


def test_without_q_and_l_on_every_billed_day_there_is_no_adjusted_break_even_and_it_says_why() -> None:
    pool = a_pool("one")
    quote(pool, date(2026, 1, 1), None, 40)
    collected(pool, [lawful(0), lawful(60)])
    assert (worth()["one"].adjusted, worth()["one"].why_no_adjusted) == (
        None, "no shortage is recorded for these days.",
    )  # fmt: skip
    shortage(pool, date(2026, 5, 6), None, "0.2", 50)
    assert worth()["one"].why_no_adjusted == "no shortage is recorded for some of these days."
    shortage(pool, date(2026, 1, 1), date(2026, 5, 6), "0.2", 50, currency="EUR")
    found = worth()["one"]
    said = "the shortage cost is recorded in EUR, not in the currency of the prices."
    assert (found.adjusted, found.without, found.why_no_adjusted) == (None, None, said)
    assert found.break_even == Decimal("0.5")


def test_pools_together_have_an_adjusted_break_even_only_where_each_has_one() -> None:
    for number, name in enumerate("abc"):
        pool = a_pool(name)
        quote(pool, date(2026, 1, 1), None, 40 + number)
        collected(pool, [lawful(0)])
        if name != "c":
            shortage(pool, date(2026, 1, 1), None, "0.5", 40 * number)
    found = worth()
    both = added_worth({name: found[name] for name in "ab"})
    assert both.without == Decimal(2 * (80 + 80 + 20))
    assert both.adjusted == Decimal(81) / Decimal(180)
    every = added_worth(found)
    assert (every.adjusted, every.why_no_adjusted) == (None, "it is not known for c.")
    assert every.break_even == Decimal(123) / Decimal(240)
    assert added_worth({"c": found["c"]}).why_no_adjusted == "no shortage is recorded for these days."


def test_a_shape_s_record_holds_where_the_pool_has_none_and_no_role_sees_it_without_prices() -> None:
    pool = a_pool("one")
    quote(pool, date(2026, 1, 1), None, 40)
    collected(pool, [lawful(0)])
    shortage(pool, date(2026, 1, 1), None, "0.5", 80)
    shape = PriceSubject.objects.create(shape=pool.instance_type)
    ShortageRecord.objects.update(subject=shape)
    assert round(worth()["one"].adjusted, 9) == round(Decimal(40) / Decimal(120), 9)
    hidden = worth(VIEWER)["one"]
    assert (hidden.adjusted, hidden.without, hidden.shortages) == (None, None, ())
