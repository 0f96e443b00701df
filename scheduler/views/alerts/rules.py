"""The rules: when each fires, its thresholds with their reasons, and what was set otherwise by whom."""

from dataclasses import dataclass
from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from reservations.domain.access import Action, may
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on
from scheduler.selectors.alert_counts import rule_counts
from scheduler.selectors.alert_evaluations import newest_evaluation
from scheduler.selectors.thresholds import threshold_history, thresholds_set
from scheduler.services.alerts.thresholds import UnableToSetThreshold, set_threshold
from scheduler.tables.alerts.rule_pages import history_shown, label_of, rules_shown
from scheduler.tables.alerts.rules import rules
from scheduler.views.alerts.asked import seen_teams

LATELY = timedelta(days=30)
LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class Refused:
    """A value that could not be set: shown again in its form with the sentence that says why."""

    rule: str = ""
    name: str = ""
    pool: str = ""
    value: str = ""
    reason: str = ""
    sentence: str = ""


@require_safe
@answers_plainly
def alert_rules(request: HttpRequest) -> HttpResponse:
    """``/alerts/rules/?history=RULE``: every rule; of one all that was ever set."""
    return _page(request, Refused())


@require_POST
@answers_plainly
def set_rule_threshold(request: HttpRequest, rule: str) -> HttpResponse:
    """``/alerts/rules/<rule>/``: a threshold for a pool, or for all; a blank value goes back to the default."""
    if rule not in rules():
        raise UnableToAnswer(404, "No such rule", f"There is no rule {quoted(rule)}.")
    name, pool, value, reason = (request.POST.get(part, "").strip() for part in ("name", "pool", "value", "reason"))
    _ask_leave(request, pool)
    try:
        person, at = person_on(request), timezone.now()
        row = set_threshold(rule=rule, name=name, pool=pool, value=value, reason=reason, by=person.name, at=at)
    except UnableToSetThreshold as unable:
        sentence = f"{str(unable)[:1].upper()}{str(unable)[1:]}"
        return _page(request, Refused(rule, name, pool, value[:40], reason[:LONGEST_REASON], sentence))
    whose = f"for {pool}" if pool else "for all pools"
    what = "stands so already" if row is None else f"is {row.value}" if row.value else "is the default again"
    messages.success(request, f"{rules()[rule].title}: {label_of(name)} {whose} {what}.")
    return redirect(f"{reverse('scheduler:alert-rules')}#{rule}")


def _ask_leave(request: HttpRequest, pool: str) -> None:
    """For all pools it needs a role in the whole organisation; for one pool a role in the team that owns it."""
    person = person_on(request)
    found = next((one for one in _seen_pools(request) if one.name == pool), None)
    if pool and found is None:
        raise UnableToAnswer(404, "No such pool", f"There is no pool {quoted(pool)}, or it is not yours to see.")
    if not may(person, Action.SET_THRESHOLD, {found.owner} if found else None):
        whose = f"the pool {pool}" if pool else "all pools"
        raise UnableToAnswer(403, "Not yours to set", f"None of your roles lets you set thresholds for {whose}.")


def _seen_pools(request: HttpRequest) -> list[PoolRow]:
    person = person_on(request)
    return [pool for pool in pool_rows() if may(person, Action.SEE_POOL, pool.teams)]


def _page(request: HttpRequest, refused: Refused) -> HttpResponse:
    person, pools = person_on(request), _seen_pools(request)
    names = {pool.name for pool in pools}
    newest = newest_evaluation()
    asked = request.GET.get("history", "")
    context = {
        "section": "alerts",
        "rules": rules_shown(
            thresholds_set(),
            rule_counts(teams=seen_teams(person), since=timezone.now() - LATELY),
            silent=newest.silent if newest else {},
            failed=newest.failed if newest else {},
            pools=names,
        ),
        "history_of": asked if asked in rules() else "",
        "history": history_shown(threshold_history(rule=asked), names) if asked in rules() else [],
        "everything": may(person, Action.SET_THRESHOLD),
        "settable": [pool.name for pool in pools if may(person, Action.SET_THRESHOLD, {pool.owner})],
        "refused": refused,
    }
    return render(request, "scheduler/alerts/rules.html", context, status=422 if refused.sentence else 200)
