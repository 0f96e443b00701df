"""What a pool's month was paid twice for and what reserving saved, as the commands and the pages have it."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Path, Router

from reservations.api.callers import opens
from reservations.api.pools import visible_pool
from reservations.api.problems import NOT_FOUND, PROBLEMS, not_there
from reservations.domain import notation
from reservations.domain.period import Period, month_period
from reservations.domain.tokens import Scope
from reservations.selectors.organisation import accounting_zone
from reservations.services.audit.exporting import record_taken
from reservations.tables.sheet import sheet_rows
from telemetry.api.asked import Month, month_begun
from telemetry.api.money_shapes import DoublePayTold, SavingsTold
from telemetry.domain.rollup import due_until
from telemetry.selectors.double_pay import double_pay
from telemetry.selectors.savings import saved_by_pool
from telemetry.tables.double_pay import double_pay_sheet, pool_paid_twice, pool_row
from telemetry.tables.savings import savings_row
from telemetry.tables.usage import usage_period

router = Router(tags=["pools"])


@router.get(
    "/pools/{path:name}/months/{month}/double-pay",
    response={200: DoublePayTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_POOLS),
    summary="What was paid twice in one pool's month",
    by_alias=True,
)
def pool_double_pay(request: HttpRequest, name: str, month: Path[Month]) -> dict[str, Any]:
    """Instances on demand while slots that fit them were free: the command `double_pay`. Needs `read:pools`."""
    pool = visible_pool(request.auth.person, name)
    due, about = _due(month)
    found = double_pay(pools=[pool], period=due, person=request.auth.person)
    rows = sheet_rows(double_pay_sheet(found))
    record_taken(name="double-pay", rows=len(rows))
    return {"month": month, **about, **pool_row(pool_paid_twice(pool.id, pool.name, found)), "rows": rows}


@router.get(
    "/pools/{path:name}/months/{month}/savings",
    response={200: SavingsTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_POOLS),
    summary="What reserving saved in one pool's month",
)
def pool_savings(request: HttpRequest, name: str, month: Path[Month]) -> dict[str, Any]:
    """The effective savings rate, coverage and waste: the command `savings`. Needs `read:pools`."""
    person = request.auth.person
    pool = visible_pool(person, name)
    due, about = _due(month)
    beside = double_pay(pools=[pool], period=due, person=person)
    _, (saved,) = saved_by_pool(pools=[pool], period=due, beside=beside, person=person)
    record_taken(name="savings", rows=1)
    return {"month": month, **about, **savings_row(saved)}


def _due(month: str) -> tuple[Period, dict[str, Any]]:
    """The part of a month that is over, and what is said of the month."""
    as_of, zone = timezone.now(), accounting_zone()
    begun = month_begun(month, zone, as_of)
    period, until = month_period(begun, zone), due_until(as_of)
    if until <= period.start:
        raise not_there(f"No hour of {notation.month(begun)} is over.")
    about = {"period": usage_period(period, zone=str(zone), until=until)}
    return Period(period.start, min(period.end, until)), about
