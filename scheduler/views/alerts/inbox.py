"""The inbox: alerts that somebody may see, filtered, ordered and paged by its address."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Action, may_somewhere, reach
from reservations.selectors.granted import people_who_may
from reservations.views.answers import answers_plainly
from reservations.views.asking import zones_on
from reservations.views.downloads import sheet_response
from scheduler.domain.alert.put_off import LABELS
from scheduler.domain.alert.severity import Severity
from scheduler.selectors.alert_choices import alert_choices
from scheduler.selectors.alert_evaluations import newest_evaluation
from scheduler.selectors.alerts import EpisodeCounts, episode_counts, episodes
from scheduler.tables.alerts.empty import evaluation_words, why_no_alerts
from scheduler.tables.alerts.lines import lines
from scheduler.tables.alerts.rules import rule_title, rule_titles
from scheduler.tables.alerts.sheet import alerts_sheet
from scheduler.tables.alerts.sums import sums
from scheduler.views.alerts.asked import SORTS, STATES, Asked, asked_for

STATE_WORDS = {
    "": "open or acknowledged",
    "open": "open",
    "acknowledged": "acknowledged",
    "snoozed": "snoozed",
    "resolved": "resolved",
    "any": "any",
}
SORT_WORDS = {
    "": "severity",
    "money": "money a week",
    "newest": "newest first",
    "oldest": "oldest first",
    "subject": "subject",
}
assert STATE_WORDS.keys() == STATES.keys()  # nosec B101
assert SORT_WORDS.keys() == SORTS.keys()  # nosec B101


@require_safe
@answers_plainly
def inbox(request: HttpRequest) -> HttpResponse:
    """``/alerts/?state=&severity=&rule=&owner=&pool=&assigned=me&q=&sort=&page=``."""
    asked, as_of = asked_for(request), timezone.now()
    wanted = asked.wanted(by_money=_sees_all_money(asked))
    counts = episode_counts(wanted, teams=asked.teams)
    page = asked.paged(counts.total)
    rows = episodes(wanted, teams=asked.teams, start=page.start, end=page.end) if counts.total else []
    shown = lines(rows, person=asked.person, as_of=as_of, zone=zones_on(request).seen)
    handles = any(one.movable for one in shown)
    context = {
        "section": "alerts",
        "asked": asked,
        "as_of": as_of,
        "lines": shown,
        "counts": counts,
        "sums": sums(counts, _priced(asked, counts)),
        "paged": page,
        "choices": alert_choices(teams=asked.teams),
        "handles": handles,
        "people": [one.name for one in people_who_may(Action.HANDLE_ALERT)] if handles else [],
        "until": [(one.value, label) for one, label in LABELS.items()],
        "why_none": "" if shown else why_no_alerts(asked.person, narrowed=asked.narrowed, mine=asked.mine),
        **_evaluated(as_of),
        **_controls(asked),
    }
    return render(request, "scheduler/alerts/inbox.html", context)


@require_safe
@answers_plainly
def alerts_download(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/alerts/alerts.csv`` or ``.xlsx`` with the inbox's own query: all that match, in its order."""
    asked, as_of = asked_for(request), timezone.now()
    rows = episodes(asked.wanted(by_money=_sees_all_money(asked)), teams=asked.teams)
    about = (
        ("as of", notation.instant(as_of, zones_on(request).seen)),
        ("for", asked.person.name),
        *((name, text) for name, text in asked.texts.items() if text),
    )
    return sheet_response(alerts_sheet(rows, asked.person, about), suffix, f"moorage-alerts-{as_of:%Y-%m-%d}")


def _sees_all_money(asked: Asked) -> bool:
    return reach(asked.person, Action.SEE_PRICES) == asked.teams


def _priced(asked: Asked, counts: EpisodeCounts) -> EpisodeCounts:
    """The counts of those whose money this person may see."""
    if _sees_all_money(asked):
        return counts
    teams = reach(asked.person, Action.SEE_PRICES)
    return EpisodeCounts() if teams == frozenset() else episode_counts(asked.wanted(by_money=True), teams=teams)


def _evaluated(as_of: datetime) -> dict[str, object]:
    """When the rules were last asked, and which of them could not be."""
    newest = newest_evaluation()
    words, late = evaluation_words(newest.as_of if newest else None, as_of)
    failed = [(rule_title(name), why) for name, why in newest.failed.items()] if newest else []
    return {"evaluated": words, "late": late, "failed": failed}


def _controls(asked: Asked) -> dict[str, object]:
    rule = asked.texts["rule"]
    return {
        "states": STATE_WORDS.items(),
        "severities": [one.value for one in reversed(Severity)],
        "rules": rule_titles(),
        "rule_title": rule_title(rule) if rule else "",
        "sorts": SORT_WORDS.items(),
        "query": asked.address(),
        "csv": reverse("scheduler:alerts-sheet", args=["csv"]) + asked.address(),
        "xlsx": reverse("scheduler:alerts-sheet", args=["xlsx"]) + asked.address(),
        "may_handle": may_somewhere(asked.person, Action.HANDLE_ALERT),
    }
