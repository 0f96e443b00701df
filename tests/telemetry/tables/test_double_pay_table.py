from datetime import UTC, datetime, timedelta
from decimal import Decimal

from telemetry.domain.double_pay.parties import Cause
from telemetry.selectors.double_pay import PaidTwiceFound, PaidTwiceLine
from telemetry.tables.double_pay import double_pay_sheet, double_pay_twin

AT = datetime(2026, 5, 4, tzinfo=UTC)
HOUR_MS = 3_600_000


def line(number: int, cause: Cause, hours: int, *, held: str = "cr-0a", cost: str | None = "10") -> PaidTwiceLine:
    return PaidTwiceLine(
        pool_id=1,
        pool="h100",
        reservation=held,
        instance_id=f"i-{number}",
        account_id="111122223333",
        cause=cause,
        instance_ms=hours * HOUR_MS,
        gpu_ms=8 * hours * HOUR_MS,
        first=AT + timedelta(hours=number),
        last=AT + timedelta(hours=number + hours),
        cost=None if cost is None else Decimal(cost),
        currency="" if cost is None else "USD",
    )


def test_the_page_has_one_row_for_each_cause_and_the_file_one_for_each_instance() -> None:
    some = [line(number, Cause.NOT_NAMED, 2, held=f"cr-{number % 3}") for number in range(40)]
    found = PaidTwiceFound(
        (*some, line(50, Cause.OPTED_OUT, 1), line(60, Cause.OTHER_ZONE, 99, cost=None)), {1: HOUR_MS}, {}
    )
    twin = double_pay_twin(found, pools=False)
    assert twin.names == (
        "cause", "instances", "reservation", "instance_hours", "cost", "currency", "from", "until", "what_to_do"
    )  # fmt: skip
    shown = [dict(zip(twin.names, row, strict=True)) for row in twin.rows]
    assert [row["cause"] for row in shown] == ["does not name it", "opted out", "other zone"], "near misses come last"
    first = shown[0]
    assert (first["instances"], first["reservation"]) == (40, "cr-0, cr-1 and 1 more")
    assert (first["instance_hours"], first["cost"], first["currency"]) == (Decimal(80), Decimal(400), "USD")
    assert (first["from"], first["until"]) == (AT, AT + timedelta(hours=41))
    assert shown[2]["cost"] is None
    whole = double_pay_sheet(found)
    assert len(whole.rows) == 42
    hours = whole.names.index("instance_hours")
    assert sum(row[hours] for row in whole.rows) == sum(row["instance_hours"] for row in shown)
