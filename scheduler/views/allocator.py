"""The allocator's page: one scenario planned in every mode, drawn, compared, and told job by job."""

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from reservations.domain.access import Action, may_somewhere
from reservations.tables.sheet import Sheet
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on
from reservations.views.downloads import FORMS, sheet_response
from reservations.views.paging import page_asked, paged
from scheduler.charts.lanes import has_lanes
from scheduler.domain.allocation.instance import ALIGNED, CONTIGUOUS, GUARANTEED, WEIGHTED
from scheduler.selectors.allocation_runs import AllocationRunWhole, allocation_run
from scheduler.selectors.scenarios import DEMOS
from scheduler.services.compared_plans import ComparedPlans, Plan, compared_plans
from scheduler.tables.allocation.jobs import REASONED_CELLS, JobLine, job_lines, starts, step_text
from scheduler.tables.allocation.modes import mode_lines
from scheduler.tables.allocation.sheets import blocks_sheet, jobs_sheet, modes_sheet, prices_sheet
from scheduler.tables.allocation.shown import ShownJob, shown_job
from scheduler.tables.allocation.words import MODES, headline, price_summary, size_words, summary_of
from scheduler.views.allocator_asked import NO_DECAY, Asked, asked_for
from scheduler.views.allocator_drawn import drawing, gantt

A_PAGE = 60
"""So many jobs are listed at once."""

SHADE_LABELS = (
    (0, "free"),
    (1, "up to a quarter held"),
    (2, "up to a half"),
    (3, "up to three quarters"),
    (4, "more"),
)

SHEETS = ("modes", "jobs", "grid", "prices")


@require_safe
@answers_plainly
def allocator(request: HttpRequest) -> HttpResponse:
    """``/allocator/?scenario=mixed&penalty=8&half_life=12&realtime=weighted&blocks=aligned&seed=0&full=7&plan=fast``."""
    asked = asked_for(request)
    run = run_asked(request, asked)
    found = compared_plans(instance=asked.instance, seed=asked.seed, full=run.result if run else None)
    plan = _plan(found, asked)
    context = {
        "section": "allocator",
        "asked": asked,
        "demos": DEMOS,
        "controls": _controls(asked),
        "size": size_words(asked.instance),
        "realtime_jobs": len(asked.instance.realtime),
        "found": found,
        "headline": headline(found),
        "price_summary": price_summary(found),
        "modes": mode_lines(found),
        "drawing": drawing(found),
        "picture_name": f"moorage-allocator-{asked.key}",
        "reasoned": plan.grid.size <= REASONED_CELLS,
        "shades": SHADE_LABELS,
        "plan": plan,
        "plan_name": MODES[plan.mode],
        "plan_summary": summary_of(plan),
        "plans": [(MODES[one.mode], one.mode, asked.address(plan=one.mode) + "#jobs") for one in found.plans],
        "blocks": blocks_sheet(plan) if has_lanes(asked.instance) else None,
        "prices": prices_sheet(found),
        "run": run.row if run else None,
        "may_allocate": may_somewhere(person_on(request), Action.ALLOCATE),
        "files": {
            sheet: {form: reverse("scheduler:allocator-sheet", args=[sheet, form]) + asked.address() for form in FORMS}
            for sheet in SHEETS
        },
        **_jobs(request, asked, found, plan),
    }
    return render(request, "scheduler/allocator/page.html", context)


@require_safe
@answers_plainly
def allocator_sheet(request: HttpRequest, sheet: str, suffix: str) -> HttpResponse:
    """``/allocator/jobs.csv``, ``/allocator/grid.xlsx``, with the page's own query: the same figures, every digit."""
    asked = asked_for(request)
    if sheet not in SHEETS:
        sentence = f"There is no table “{sheet[:40]}” of the allocator: {', '.join(SHEETS)}."
        raise UnableToAnswer(404, "No such table", sentence)
    run = run_asked(request, asked)
    found = compared_plans(instance=asked.instance, seed=asked.seed, full=run.result if run else None)
    return sheet_response(_sheet(request, asked, found, sheet), suffix, f"moorage-allocator-{asked.key}-{sheet}")


@require_safe
@answers_plainly
def allocator_scenario(request: HttpRequest) -> HttpResponse:
    """``/allocator/scenario.json``: what was planned, with everything that was changed of it, for command and API."""
    asked = asked_for(request)
    headers = {"Content-Disposition": f'attachment; filename="scenario-{asked.key}.json"'}
    return HttpResponse(json.dumps(asked.scenario, indent=1), content_type="application/json", headers=headers)


def run_asked(request: HttpRequest, asked: Asked) -> AllocationRunWhole | None:
    """The run of full mode that an address names; UnableToAnswer for none, and for one of another question."""
    if asked.full is None:
        return None
    run = allocation_run(user_id=request.user.pk, run_id=asked.full)
    if run is None:
        sentence = f"There is no run number {asked.full} of yours, or it is too old to be kept."
        raise UnableToAnswer(404, "No such run", sentence)
    if run.scenario != asked.scenario or run.row.seed != asked.seed:
        sentence = f"Run number {asked.full} answers another question than this address asks."
        raise UnableToAnswer(409, "Another question", sentence)
    return run


def _plan(found: ComparedPlans, asked: Asked) -> Plan:
    return found.by_mode.get(asked.plan, found.best) if asked.plan else found.best


def _jobs(request: HttpRequest, asked: Asked, found: ComparedPlans, plan: Plan) -> dict[str, object]:
    """The jobs of one page, as they start, beside FIFO's start."""
    first, before = starts(plan), starts(found.by_mode["fifo"])
    order = sorted(range(len(asked.instance.jobs)), key=lambda at: (at not in first, first.get(at, 0), at))
    page = paged(
        page_asked(request), count=len(order), a_page=A_PAGE, address=lambda at: asked.address(page=at) + "#jobs"
    )
    shown = order[page.start : page.end]
    lines = [_shown(line, found, before.get(line.at)) for line in job_lines(found, plan, shown)]
    rows = () if has_lanes(found.instance) else gantt(found, plan, shown)
    return {"jobs": lines, "paged": page, "gantt": rows}


def _shown(line: JobLine, found: ComparedPlans, fifo_start: int | None) -> ShownJob:
    return shown_job(line, found.instance, step_text(fifo_start, found.instance))


def _sheet(request: HttpRequest, asked: Asked, found: ComparedPlans, sheet: str) -> Sheet:
    plan = _plan(found, asked)
    objective = asked.instance.objective
    about = (
        ("scenario", asked.title),
        ("size", size_words(asked.instance)),
        ("plan", MODES[plan.mode]),
        ("penalty", f"{objective.realtime_penalty:g}"),
        ("half-life", "none" if objective.half_life_steps is None else f"{objective.half_life_steps:g} steps"),
        ("real-time demand", objective.realtime),
        ("blocks", asked.instance.blocks),
        ("seed", str(asked.seed)),
        ("user", person_on(request).name),
    )
    sheets = {
        "modes": lambda: modes_sheet(found, about),
        "jobs": lambda: jobs_sheet(found, plan, about),
        "grid": lambda: blocks_sheet(plan, about),
        "prices": lambda: prices_sheet(found, about),
    }
    return sheets[sheet]()


def _controls(asked: Asked) -> dict[str, object]:
    """What the form shows: the values that were planned with, whoever gave them."""
    objective, steps = asked.instance.objective, asked.instance.steps
    now = objective.half_life_steps
    lives = sorted({value for value in (now, steps / 4, steps / 2, float(steps)) if value})
    clock = asked.instance.step_minutes / 60
    return {
        "penalty": f"{objective.realtime_penalty:g}",
        "half_life": NO_DECAY if now is None else f"{now:g}",
        "half_lives": [(f"{value:g}", f"{value * clock:g} h") for value in lives],
        "realtime": objective.realtime,
        "realtimes": (WEIGHTED, GUARANTEED),
        "blocks": asked.instance.blocks,
        "block_kinds": (ALIGNED, CONTIGUOUS),
        "seed": asked.seed,
    }
