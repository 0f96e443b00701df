"""The month of one pool: its figures, its waterfall, its hours and the same numbers as tables."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.views.asking import zones_on
from telemetry.charts import stacked_hours
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.replacement import MADE_UP_WITHIN
from telemetry.selectors.as_of import PoolReach
from telemetry.selectors.ledger import ledger_hours
from telemetry.services.collection import DUE_HOURS_A_RUN
from telemetry.tables import by_step
from telemetry.tables.summaries import hours_summary
from telemetry.views.addresses import halves, hour_template, kept, pool_address
from telemetry.views.asked import Asked, answers_plainly, month_asked
from telemetry.views.behind import HOURS, hours_behind, step_asked
from telemetry.views.downloads import behind
from telemetry.views.month_figures import Month, month_context, month_of
from telemetry.views.month_frame import month_frame


@require_safe
@answers_plainly
def pool_now(request: HttpRequest, name: str) -> HttpResponse:
    """``/pools/NAME/`` leads to the pool's current month."""
    this_month = timezone.now().astimezone(zones_on(request).accounting)
    address = redirect("telemetry:pool-month", name=name, month=f"{this_month:%Y-%m}").url
    return redirect(f"{address}{kept(request)}")


@require_safe
@answers_plainly
def pool_month(request: HttpRequest, name: str, month: str) -> HttpResponse:
    """``/pools/NAME/YYYY-MM/``, with ``?day=YYYY-MM-DD`` or ``?step=NAME`` for the hours behind a number."""
    asked = month_asked(request, name=name, month=month, as_of=timezone.now())
    frame = month_frame(request, asked)
    hours = ledger_hours(pool_id=asked.ids[0], period=asked.period, with_queues=False)
    if not hours:
        return render(request, "telemetry/month_empty.html", frame | _why_empty(asked, frame["reach"]))
    return render(request, "telemetry/month.html", frame | _numbers(request, month_of(asked), hours))


def _numbers(request: HttpRequest, month: Month, hours: list[LedgerHour]) -> dict[str, object]:
    asked = month.asked
    assert asked.pool is not None  # nosec B101
    here = pool_address(asked.pool.name, asked.month)
    steps = f"{here}{kept(request, day=None, slot='step')}#hours"
    days = f"{here}{kept(request, step=None, slot='day')}#hours"
    each_hour = f"{hour_template(asked.pool.name)}{kept(request)}"
    figure = stacked_hours.figure(hours, asked.period, asked.until, asked.zone, each_hour)
    return month_context(request, month, steps=steps, days=days) | {
        "hour_lead": halves(each_hour),
        "hours_figure": figure,
        "hours_summary": hours_summary(hours, month.whole.missing, asked.zone),
        "key": stacked_hours.key(figure),
        **_behind(request, asked, hours),
    }


def _behind(request: HttpRequest, asked: Asked, hours: list[LedgerHour]) -> dict[str, object]:
    step = step_asked(request)
    found = hours_behind(asked, step, hours)
    if found is None:
        return {}
    return {
        "behind": found,
        "behind_table": by_step.hours_of(found.parts, asked.zone, dated=found.dated, step=step),
        "behind_files": behind(request, asked, HOURS, found.heading),
    }


def _why_empty(asked: Asked, reach: object) -> dict[str, object]:
    assert isinstance(reach, dict)  # nosec B101
    one: PoolReach = reach[asked.ids[0]]
    return {"one": one, "hours_a_run": DUE_HOURS_A_RUN, "days_back": MADE_UP_WITHIN.days}
