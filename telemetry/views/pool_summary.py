"""A pool's month in a few lines, as a part of other pages: what became of what was reserved."""

from dataclasses import dataclass
from decimal import Decimal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from telemetry.charts.palette import INKS
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.totals import Totals
from telemetry.selectors.totals import totals_together
from telemetry.views.asked import answers_plainly, month_asked


@dataclass(frozen=True, slots=True)
class Part:
    """One step of the waterfall as a part of one bar."""

    name: str
    label: str
    x: str
    width: str
    hours: str
    share: str


@require_safe
@answers_plainly
def pool_summary(request: HttpRequest, name: str, month: str) -> HttpResponse:
    """``/pools/NAME/YYYY-MM/summary/``: a fragment without the frame."""
    asked = month_asked(request, name=name, month=month, as_of=timezone.now())
    totals = totals_together(pool_ids=asked.ids, periods={"month": asked.period}).get("month")
    context = {
        "asked": asked,
        "totals": totals,
        "figures": _figures(totals) if totals else (),
        "parts": _parts(totals) if totals else (),
    }
    return render(request, "telemetry/pool_summary.html", context)


def _figures(totals: Totals) -> tuple[tuple[str, str, str], ...]:
    """Term, label and value."""
    return (
        ("reserved", "reserved", _hours(totals.reserved)),
        ("busy", "busy", _hours(totals.busy)),
        ("busy_share", "busy ÷ reserved", notation.percent(totals.busy_share)),
        ("coverage", "coverage", notation.percent(totals.coverage)),
    )


def _parts(totals: Totals) -> tuple[Part, ...]:
    """The steps that are not nothing, in the order in which hours are stacked; shares are of what was reserved."""
    whole = totals.reserved or 0
    parts: list[Part] = []
    at = Decimal(0)
    steps = totals.steps()
    for name in INKS:
        gpu_ms = steps[name] or 0
        if whole and gpu_ms > 0:
            share = Decimal(gpu_ms) / whole
            x, width = f"{at * 100:.3f}%", f"{share * 100:.3f}%"
            told = notation.gpu_hours(gpu_ms), notation.percent(share)
            parts.append(Part(name, STEP_LABELS[name], x, width, *told))
            at += share
    return tuple(parts)


def _hours(gpu_ms: int | None) -> str:
    return notation.UNKNOWN if gpu_ms is None else f"{notation.gpu_hours(gpu_ms)} GPU-hours"
