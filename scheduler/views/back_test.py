"""The back-test: what the advice of the last year would have cost, month by month, against what was held."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.selectors.pools import PoolRow
from reservations.tables.sheet import Sheet
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import sheet_response
from scheduler.charts import back_test as chart
from scheduler.domain.recommendation.back_test import MonthTested
from scheduler.selectors.past_advice import back_tested
from scheduler.tables.recommendations.back_test import back_test_sheet, back_test_words
from scheduler.views.recommendations import sees_prices, visible_pools
from telemetry.views.figures.figure import Figure


@require_safe
@answers_plainly
def back_test(request: HttpRequest) -> HttpResponse:
    """``/recommendations/back-test/?pool=serve-h100``."""
    pools = visible_pools(request)
    context: dict[str, object] = {"section": "sizing", "pools": pools, "zone": zones_on(request).seen}
    if pools:
        pool = _asked(request, pools)
        context |= {"pool": pool, "prices": sees_prices(person_on(request), pool)}
        if context["prices"]:
            months = _months(request, pool)
            context |= {"figure": _figure(request, pool, months), "words": back_test_words(months)}
    return render(request, "scheduler/recommendations/back_test.html", context)


@require_safe
@answers_plainly
def back_test_download(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/recommendations/back-test/months.csv?pool=serve-h100``: the same months, every digit."""
    pools = visible_pools(request)
    if not pools:
        raise UnableToAnswer(404, "No pool", "There is no pool that you may see.")
    pool = _asked(request, pools)
    if not sees_prices(person_on(request), pool):
        raise UnableToAnswer(403, "Not for your role", "Your role does not include prices, and these are all money.")
    return sheet_response(_sheet(request, pool, _months(request, pool)), suffix, f"moorage-back-test-{pool.name}")


def _asked(request: HttpRequest, pools: list[PoolRow]) -> PoolRow:
    name = request.GET.get("pool", "").strip()
    found = next((pool for pool in pools if name in ("", pool.name)), None)
    if found is None:
        said = f"There is no pool {quoted(name)}, or it belongs to a team whose pools you may not see."
        raise UnableToAnswer(404, "No such pool", said)
    return found


def _months(request: HttpRequest, pool: PoolRow) -> list[MonthTested]:
    return back_tested(pool=pool, as_of=timezone.now(), zone=zones_on(request).accounting)


def _figure(request: HttpRequest, pool: PoolRow, months: list[MonthTested]) -> Figure:
    """The months as columns in the currency that most of them have, above their table."""
    query = f"?{urlencode({'pool': pool.name})}"
    told = [one.currency for one in months if one.saved is not None]
    currency = max(sorted(set(told)), key=told.count, default="")
    others = len(told) - told.count(currency)
    return Figure(
        name="months",
        title="Month by month",
        sheet=_sheet(request, pool, months),
        summary=f"{others} months in another currency stand in the table alone." if others else "",
        label="Cost of each month as it was held and as it was advised",
        chart=chart.figure(months, currency=currency) if told else None,
        key=(("idle_free", chart.HELD.label), ("cost-reserved", chart.ADVISED.label)) if told else (),
        shape="chart-size",
        csv=reverse("scheduler:back-test-sheet", args=["csv"]) + query,
        xlsx=reverse("scheduler:back-test-sheet", args=["xlsx"]) + query,
        about=pool.name,
        file=f"moorage-back-test-{pool.name}",
    )


def _sheet(request: HttpRequest, pool: PoolRow, months: list[MonthTested]) -> Sheet:
    about = (
        ("pool", pool.name),
        ("accounting zone", notation.zone_name(zones_on(request).accounting)),
        ("user", person_on(request).name),
    )
    return back_test_sheet(pool.name, months, about)
