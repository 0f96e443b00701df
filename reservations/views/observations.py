"""What the sweeps saw of one reservation: a part of its page, and a page of its own."""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from reservations.charts.observed import observed_paths
from reservations.domain import notation
from reservations.domain.period import UnableToReadTime, read_instant
from reservations.selectors.reservation_detail import Observed
from reservations.selectors.reservation_detail import observations as seen_by_sweeps
from reservations.tables.listing import number
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import zones_on
from reservations.views.reservation_detail import found

A_PAGE = 288
"""A day of sweeps every five minutes."""


@dataclass(frozen=True, slots=True)
class Run:
    """Equal observations one after another."""

    first: datetime
    last: datetime
    state: str
    used: str
    total: str
    times: int


@require_safe
@answers_plainly
def observations(request: HttpRequest, pk: int) -> HttpResponse:
    """``/reservations/<pk>/observations/?before=``: the newest, or those before an instant."""
    row = found(request, pk)
    text = request.GET.get("before", "")
    try:
        before = read_instant(text) if text else None
    except UnableToReadTime as unable:
        raise UnableToAnswer(400, "That is not an instant", f"“{text[:40]}” is no instant.") from unable
    seen = seen_by_sweeps(pk=row.id, before=before, limit=A_PAGE + 1)
    shown = seen[:A_PAGE]
    zone = zones_on(request).seen
    context = {
        "section": "reservations",
        "row": row,
        "zone": zone,
        "runs": [_run(list(run)) for _, run in groupby(shown, key=_said)],
        "chart": observed_paths([(one.at, one.total, _used(one)) for one in reversed(shown)]),
        "summary": _summary(shown, zone),
        "between": (shown[-1].at, shown[0].at) if shown else (),
        "most": number(max((one.total for one in shown if one.total is not None), default=None)),
        "older": "?" + urlencode({"before": shown[-1].at.isoformat()}) if len(seen) > A_PAGE else "",
        "newest": before is not None,
    }
    part = "observations" if request.htmx and not request.htmx.boosted else "observations_page"
    return render(request, f"reservations/{part}.html", context)


def _said(one: Observed) -> tuple[object, ...]:
    return one.present, one.state, one.total, one.available


def _used(one: Observed) -> int | None:
    return None if one.total is None or one.available is None else one.total - one.available


def _run(run: list[Observed]) -> Run:
    newest = run[0]
    return Run(
        first=run[-1].at,
        last=newest.at,
        state=newest.state if newest.present else "not listed",
        used=number(_used(newest)),
        total=number(newest.total),
        times=len(run),
    )


def _summary(shown: list[Observed], zone: object) -> str:
    if not shown:
        return ""
    used = [value for one in shown if (value := _used(one)) is not None]
    between = f"{notation.instant(shown[-1].at, zone)} to {notation.instant(shown[0].at, zone)}"
    if not used:
        return f"{between}: how many were in use was not told."
    span = str(used[0]) if min(used) == max(used) else f"between {min(used)} and {max(used)}"
    held = next(one.total for one in shown if _used(one) is not None)
    return f"{between}: {span} of {number(held)} instances in use."
