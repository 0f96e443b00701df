"""What a sizing starts from: prices of every day of its hours, the size of the last block, in few queries."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test.utils import CaptureQueriesContext

from reservations.domain.period import Period
from reservations.domain.pricing import PriceKind, PriceSpan, Unit
from reservations.domain.reservation_state import Kind
from reservations.domain.terms import Terms
from reservations.models import Pool, PriceQuote
from reservations.selectors.pools import PoolRow, pool_rows
from scheduler.domain.sizing.given import KnownPrices
from scheduler.domain.sizing.reality import block_bounds
from scheduler.selectors.sizing import PoolAsked, facts_of, known_terms, pool_facts
from telemetry.models import DemandHour, PoolHour
from tests.fixtures.cast import Cast
from tests.scheduler.demanded import MARCH, demand
from tests.scheduler.recommended import hold

HOUR = timedelta(hours=1)
NODE_MS = 8 * 3_600_000
Q1 = Period(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
POOL = PoolRow(1, "serve-h100", "serving", "p5.48xlarge", Decimal(8), frozenset())


def quote(start: date, end: date | None, on_demand: str, reserved: str | None, **said: object) -> PriceSpan:
    money = None if reserved is None else Decimal(reserved)
    fields = {"currency": "USD", "unit": Unit.NODE_HOUR, **said}
    return PriceSpan(start, end, on_demand=Decimal(on_demand), reserved=money, **fields)  # type: ignore[arg-type]


def days(first: date, end: date) -> Period:
    return Period(*(datetime(day.year, day.month, day.day, tzinfo=UTC) for day in (first, end)))


def told(on_demand: str, reserved: str) -> dict[PriceKind, Decimal]:
    return {PriceKind.ON_DEMAND: Decimal(on_demand), PriceKind.RESERVED: Decimal(reserved)}


def test_the_prices_in_force_are_those_of_the_last_day_and_every_other_day_has_its_own() -> None:
    old = quote(date(2025, 6, 1), date(2026, 1, 20), "120", "70")
    euro = quote(date(2026, 2, 1), date(2026, 2, 10), "110", "60", currency="EUR")
    now = quote(date(2026, 3, 1), None, "12.5", "7.75", unit=Unit.GPU_HOUR)
    known = known_terms(Terms([old, euro, now]), pool=POOL, period=Q1)
    assert (known.prices, known.currency) == (told("100", "62"), "USD")
    assert sorted(known.earlier, key=lambda one: one.period.start) == [
        KnownPrices(days(date(2026, 1, 1), date(2026, 1, 20)), told("120", "70")),
        KnownPrices(days(date(2026, 1, 20), date(2026, 2, 1))),
        KnownPrices(days(date(2026, 2, 1), date(2026, 2, 10))),
        KnownPrices(days(date(2026, 2, 10), date(2026, 3, 1))),
    ]


def test_between_two_blocks_the_price_is_that_of_the_last_one_rounded_to_what_can_be_weighed() -> None:
    third = Decimal(1) / 3
    block = quote(date(2026, 2, 1), date(2026, 2, 15), "100", f"{third:f}", derived=True)
    after = quote(date(2026, 2, 15), None, "100", None)
    known = known_terms(Terms([block, after]), pool=POOL, period=Q1)
    assert known.prices[PriceKind.RESERVED] == Decimal("0.333333333333")
    assert known_terms(Terms([after]), pool=POOL, period=Q1).prices == {PriceKind.ON_DEMAND: Decimal(100)}


def test_blocks_alone_have_bounds() -> None:
    assert block_bounds([], 0) is None
    assert block_bounds([Kind.BLOCK, Kind.ON_DEMAND], 9) is None
    assert block_bounds([Kind.BLOCK, Kind.BLOCK], 64) == (1, 64)
    assert block_bounds([Kind.BLOCK], 65) == (1, 256)


def ledger(pool: Pool, nodes: list[int], *, needed: int = 4, start: datetime = MARCH) -> None:
    """Hours one after another with so many nodes held; where any are, so many were needed."""
    for at, held in enumerate(nodes):
        hour, gpu_ms = start + at * HOUR, held * NODE_MS
        PoolHour.objects.create(
            pool=pool, hour=hour, source="main", reserved=gpu_ms, paid=gpu_ms, expected=gpu_ms, known=gpu_ms,
            unknown=0, busy=gpu_ms, idle=0, sm=gpu_ms, ec2_unused=0, not_joined=0, not_observed=0, allocated=gpu_ms,
            read_at=hour + HOUR,
        )  # fmt: skip
        if held:
            DemandHour.objects.create(pool=pool, hour=hour, workload="training", nodes=needed, source="ledger")


@pytest.mark.django_db
def test_between_two_blocks_today_s_size_is_that_of_the_last_one(cast: Cast) -> None:
    ledger(cast.pool, [4] * 6 + [0] * 10 + [6, 6, 3] + [0] * 5)
    row = next(row for row in pool_rows() if row.id == cast.pool.pk)
    facts = pool_facts(pool=row, period=Period(MARCH, MARCH + 48 * HOUR), as_of=MARCH + 24 * HOUR)
    assert (len(facts.trace.hours), facts.trace.off_hours, facts.known.current) == (9, 15, 6)
    hold(cast.pool, 5, kind="block", start_at=MARCH)
    facts = pool_facts(pool=row, period=Period(MARCH, MARCH + 48 * HOUR), as_of=MARCH + 24 * HOUR)
    assert (facts.known.current, facts.known.block) == (5, (1, 64))


@pytest.mark.django_db
def test_four_questions_take_no_more_queries_than_one(cast: Cast) -> None:
    rows = [row for row in pool_rows() if row.id in (cast.pool.pk, cast.other.pk)]
    demand(cast.pool, {"serving": [3] * 48})
    asked = [PoolAsked(row, Period(MARCH, MARCH + days * HOUR)) for row in rows for days in (24, 48)]
    with CaptureQueriesContext(connection) as queries:
        four = facts_of(asked, as_of=MARCH + 48 * HOUR)
    assert len(queries) <= 5
    assert four == [pool_facts(pool=one.pool, period=one.period, as_of=MARCH + 48 * HOUR) for one in asked]
    assert [len(one.trace.hours) for one in four if one.pool.id == cast.pool.pk] == [24, 48]


@pytest.mark.django_db
def test_a_price_that_changed_in_the_period_is_read_from_the_book(cast: Cast) -> None:
    demand(cast.pool, {"serving": [3] * 48})
    row = next(row for row in pool_rows() if row.id == cast.pool.pk)
    old = PriceQuote.objects.get(subject__pool=cast.pool)
    old.period = DateRange(date(2026, 1, 1), date(2026, 3, 2))
    old.save()
    PriceQuote.objects.create(
        subject=old.subject, period=DateRange(date(2026, 3, 2), None), on_demand=90, reserved=50, currency="USD",
        unit=old.unit, source="quote 18",
    )  # fmt: skip
    known = pool_facts(pool=row, period=Period(MARCH, MARCH + 48 * HOUR), as_of=MARCH + 48 * HOUR).known
    assert (known.source, known.prices[PriceKind.ON_DEMAND]) == ("quote 18", 90)
    (before,) = known.earlier
    assert (before.period, before.prices[PriceKind.ON_DEMAND]) == (Period(MARCH, MARCH + 24 * HOUR), old.on_demand)
