"""``/usage`` and ``/pools/{name}/months/{month}``: the ledger, as the command ``usage`` and the pages have it."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Path, Query, Router

from reservations.api.callers import opens
from reservations.api.pools import visible_pool, visible_pools
from reservations.api.problems import NOT_FOUND, PROBLEMS
from reservations.api.shapes import page_of
from reservations.domain.period import month_period
from reservations.domain.tokens import Scope
from reservations.selectors.organisation import accounting_zone
from telemetry.api.asked import Month, UsageAsked, month_begun, period_asked
from telemetry.api.shapes import MonthTold, UsagePage
from telemetry.domain.rollup import due_until
from telemetry.domain.totals import Totals
from telemetry.domain.waterfall import Waterfall
from telemetry.domain.worth import Worth
from telemetry.selectors.usage import UsageAsked as Wanted
from telemetry.selectors.usage import usage_parts
from telemetry.selectors.worth import worth_by_pool
from telemetry.tables.break_even import sentence, verdict_of
from telemetry.tables.usage import gpu_hours, part_row, share, usage_cuts, usage_period

router = Router()


@router.get(
    "/usage",
    response={200: UsagePage, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_USAGE),
    tags=["usage"],
    summary="What became of the reserved GPU time",
)
def usage(request: HttpRequest, asked: Query[UsageAsked]) -> dict[str, Any]:
    """The rows of the command `usage`, to the last digit: a `month`, or whole hours `from` one instant `to` another.

    By hour at most 400 days can be had at once, otherwise five years. Needs the scope `read:usage`.
    """
    zone, until = accounting_zone(), due_until(timezone.now())
    period = period_asked(asked, zone)
    person = request.auth.person
    pools = [visible_pool(person, asked.pool)] if asked.pool else visible_pools(person)
    parts = usage_cuts(period, by=asked.by, zone=zone)
    wanted = Wanted(pools=pools, period=period, parts=parts, until=until, whole=asked.by is None)
    rows, total = usage_parts(wanted, offset=asked.offset, limit=asked.limit)
    about = usage_period(period, zone=str(zone), until=until)
    return page_of([part_row(row) for row in rows], total, asked) | {"period": about}


@router.get(
    "/pools/{path:name}/months/{month}",
    response={200: MonthTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_POOLS),
    tags=["pools"],
    summary="One pool's month",
)
def pool_month(request: HttpRequest, name: str, month: Path[Month]) -> dict[str, Any]:
    """Its usage, its waterfall and, where your roles include prices, what that is worth.

    Needs the scope `read:pools`.
    """
    as_of, zone = timezone.now(), accounting_zone()
    pool = visible_pool(request.auth.person, name)
    period = month_period(month_begun(month, zone, as_of), zone)
    until = due_until(as_of)
    wanted = Wanted(pools=[pool], period=period, parts=[period], until=until, whole=True)
    ((part,), _) = usage_parts(wanted, offset=0, limit=1)
    worth = worth_by_pool(pools=[pool], period=period, person=request.auth.person)[pool.id]
    return {
        "pool": pool.name,
        "month": month,
        "period": usage_period(period, zone=str(zone), until=until),
        "usage": part_row(part),
        "busy_share": share(part.totals.busy_share),
        "busy_paid_share": share(part.totals.busy_paid_share),
        "allocated_reserved_share": share(part.totals.allocated_reserved_share),
        "waterfall": _waterfall(part.totals, worth),
        "worth": _worth(part.totals, worth),
    }


def _waterfall(totals: Totals, worth: Worth) -> list[dict[str, Any]]:
    fall: Waterfall = totals.waterfall()
    return [
        {
            "step": step.name,
            "gpu_hours": gpu_hours(step.gpu_ms),
            "reserved_share": share(fall.share(step)),
            "cost": worth.steps.get(step.name),
        }
        for step in fall.steps
    ]


def _worth(totals: Totals, worth: Worth) -> dict[str, Any]:
    found = verdict_of(totals, worth)
    return {
        "currency": worth.currency,
        "paid_cost": worth.paid,
        "unusable_cost": worth.unusable,
        "cost_of_idle": worth.idle,
        "on_demand_cost": worth.on_demand,
        "break_even_share": share(worth.break_even),
        "without_cost": worth.without,
        "adjusted_break_even_share": share(worth.adjusted),
        "pays": found.pays,
        "decides": found.decides,
        "verdict": sentence(totals, worth),
        "why_not": worth.why_not,
        "why_no_idle": worth.why_no_idle,
        "why_no_even": worth.why_no_even,
        "why_no_adjusted": worth.why_no_adjusted,
    }
