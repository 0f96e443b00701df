"""Bringing a scenario along: pasted or uploaded, checked, kept, and planned from then on; and letting go of it."""

import json
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from reservations.domain.access import Action, may_somewhere
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on
from scheduler.domain.allocation.scenario import IllegalScenario
from scheduler.domain.allocation.scenario_text import (
    UnableToReadScenario,
    UnableToTakeScenario,
    json_object,
    scenario_within,
)
from scheduler.domain.policy import ONLINE_LIMITS
from scheduler.selectors.scenarios import DEMOS, demo_scenario, kept_scenario
from scheduler.services.scenarios import LONGEST_NAME, forget_scenario, keep_scenario

MOST_DRAWN_BACK = 200_000
"""Up to so many characters of what could not be read are given back to be mended on the page."""


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def new_scenario(request: HttpRequest) -> HttpResponse:
    """``/allocator/scenarios/new/?from=mixed``: a form, with another scenario as its draft; what is legal is kept."""
    if not may_somewhere(person_on(request), Action.ALLOCATE):
        sentence = "Bringing a scenario along takes a role, and you were granted none yet: an admin can."
        raise UnableToAnswer(HTTPStatus.FORBIDDEN, "Not yours to bring along", sentence)
    if request.method != "POST":
        return _page(request, draft=_draft(request))
    name, data = request.POST.get("name", ""), _sent(request)
    try:
        if len(data) > ONLINE_LIMITS.scenario_bytes:
            raise UnableToTakeScenario(f"The scenario is larger than {ONLINE_LIMITS.scenario_bytes:,} bytes.")
        if not data.strip():
            raise UnableToReadScenario("Choose a file or paste a scenario: there is nothing to read.")
        scenario = scenario_within(ONLINE_LIMITS, json_object(data))
        key = keep_scenario(scenario=scenario, name=name, user_id=request.user.pk, as_of=timezone.now())
    except (UnableToReadScenario, UnableToTakeScenario, IllegalScenario) as unable:
        return _page(request, draft=data.decode("utf-8", "replace"), name=name, fault=str(unable))
    return HttpResponseRedirect(f"{reverse('scheduler:allocator')}?{urlencode({'scenario': key})}")


@require_POST
def forget(request: HttpRequest, key: str) -> HttpResponse:
    """``POST /allocator/scenarios/3f2a…/forget/``: delete one's own scenario."""
    gone = forget_scenario(key=key, user_id=request.user.pk)
    messages.success(request, "The scenario is deleted." if gone else "There was no such scenario of yours.")
    return HttpResponseRedirect(reverse("scheduler:allocator"))


def _sent(request: HttpRequest) -> bytes:
    file = request.FILES.get("file")
    if file is not None:
        return bytes(file.read(ONLINE_LIMITS.scenario_bytes + 1))
    return request.POST.get("text", "").encode("utf-8", "replace")


def _draft(request: HttpRequest) -> str:
    """The scenario to start from, a job on each line; blank where there is none of that name."""
    key = request.GET.get("from", "")
    found = demo_scenario(key) or kept_scenario(user_id=request.user.pk, key=key[:12])
    if found is None:
        return ""
    jobs = ",\n".join(f"  {json.dumps(job, ensure_ascii=False)}" for job in found["jobs"])
    head = json.dumps({name: value for name, value in found.items() if name != "jobs"}, ensure_ascii=False)
    return f'{head[:-1]},\n "jobs": [\n{jobs}\n ]}}\n'


def _page(request: HttpRequest, *, draft: str, name: str = "", fault: str = "") -> HttpResponse:
    limits = ONLINE_LIMITS
    context = {
        "section": "allocator",
        "crumbs": [("Allocator", reverse("scheduler:allocator")), ("Your own scenario", "")],
        "draft": draft if len(draft) <= MOST_DRAWN_BACK else "",
        "too_long": len(draft) > MOST_DRAWN_BACK,
        "name": name[:LONGEST_NAME],
        "longest_name": LONGEST_NAME,
        "fault": fault,
        "demos": DEMOS,
        "limits": limits,
        "most_kb": limits.scenario_bytes // 1000,
        "kept_days": limits.kept_for.days,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK
    return render(request, "scheduler/allocator/new.html", context, status=status)
