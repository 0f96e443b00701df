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
from reservations.models import Pool, PriceQuote, PriceSubject
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
