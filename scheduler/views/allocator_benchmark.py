"""The allocator's benchmark: what was measured on instances it was never tuned on, beside a published article's."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from reservations.tables.sheet import Sheet
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.downloads import FORMS, sheet_response
from scheduler.charts.boxes import Boxes, boxes
from scheduler.domain.allocation.measured import Measured, Spread, UnableToReadMeasured
from scheduler.selectors.measured import measured
from scheduler.tables.allocation.measured import (
    PLOTS,
    Plot,
    aim_lines,
    article_lines,
    case_name,
    measured_sheet,
    plot_summary,
    spread_words,
    spreads_of,
)

STEM = "moorage-allocator-benchmark"


@dataclass(frozen=True, slots=True)
class DrawnPlot:
    """One box plot: its words, its rows, and the table of the same."""

    plot: Plot
    summary: str
    boxes: Boxes
    sheet: Sheet


@require_safe
@answers_plainly
def allocator_benchmark(request: HttpRequest) -> HttpResponse:
    """``/allocator/benchmark/``: gaps, gains and times by family, targets, and the article's figures beside ours."""
    found = _found()
    context = {
        "section": "allocator",
        "crumbs": [("Allocator", reverse("scheduler:allocator")), ("Benchmark", "")],
        "found": found,
        "plots": [_drawn(plot, rows) for plot in PLOTS if (rows := spreads_of(found, plot))] if found else [],
        "article": article_lines(found),
        "aims": aim_lines(found),
        "files": {form: reverse("scheduler:allocator-measured", args=[form]) for form in FORMS},
    }
    return render(request, "scheduler/allocator/benchmark.html", context)


@require_safe
@answers_plainly
def allocator_measured(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/allocator/benchmark/figures.csv`` or ``.xlsx``: everything that was measured, with every digit."""
    found = _found()
    if found is None:
        raise UnableToAnswer(404, "Nothing measured", "This installation was shipped without figures of the benchmark.")
    return sheet_response(measured_sheet(found), suffix, STEM)


def _found() -> Measured | None:
    try:
        return measured()
    except UnableToReadMeasured as unable:
        raise UnableToAnswer(503, "The benchmark's file can't be read", str(unable)) from unable


def _drawn(plot: Plot, rows: Sequence[Spread]) -> DrawnPlot:
    names, told = [case_name(row.case) for row in rows], [spread_words(plot, row) for row in rows]
    sheet = measured_sheet(Measured(tuple(rows), ()), title=plot.title)
    return DrawnPlot(plot, plot_summary(plot, rows), boxes(rows, scale=plot.scale, names=names, told=told), sheet)
