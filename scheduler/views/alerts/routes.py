"""Where messages go: of oneself, of teams and of the organisation; added, changed, tried and removed."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from reservations.domain.access import Action, Person, may, reach
from reservations.forms.preferences import zone_names
from reservations.selectors.contacts import contacts
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on
from scheduler.forms.routes import RouteForm, initial_of
from scheduler.selectors.notification_routes import RouteRow, route_with, routes_for, routes_of_teams
from scheduler.services.notification_routes import (
    Added,
    UnableToKeepRoute,
    add_route,
    change_route,
    remove_route,
    test_route,
)
from scheduler.tables.alerts.routes import RouteShown, routes_shown
from scheduler.tables.alerts.rules import rule_titles

HIDDEN = ("address", "secret")


@dataclass(frozen=True, slots=True)
class TeamRoutes:
    """One team's routes; ``email`` is told besides them, ``fallback`` the team that steps in."""

    name: str
    email: str
    fallback: str
    routes: list[RouteShown]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters(*HIDDEN)
@answers_plainly
def notifications(request: HttpRequest) -> HttpResponse:
    """``/me/notifications/``: the routes of whoever asks; POST adds one."""
    form = _form(request)
    if request.method == "POST":
        added = _added(request, form, user=person_on(request).name)
        if added is not None:
            return _after_adding(request, form, added, reverse("scheduler:notifications"))
    context = {
        "section": "alerts",
        "crumbs": [("Preferences", reverse("reservations:me")), ("Notifications", "")],
        "routes": routes_shown(routes_for(user=person_on(request).name)),
        "form": form,
        "zone_names": zone_names(),
    }
    return render(request, "scheduler/alerts/notifications.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters(*HIDDEN)
@answers_plainly
def team_routes(request: HttpRequest) -> HttpResponse:
    """``/alerts/routes/``: those of the teams one may say it of, and the organisation's; POST adds one."""
    person, form = person_on(request), _form(request)
    owner = request.POST.get("owner", "")
    if request.method == "POST":
        if not may(person, Action.ROUTE_ALERTS, {owner} if owner else None):
            whose = f"the team {quoted(owner)}" if owner else "the organisation"
            raise UnableToAnswer(
                403, "Not yours to say", f"None of your roles lets you say where alerts of {whose} go."
            )
        added = _added(request, form, owner=owner)
        if added is not None:
            return _after_adding(request, form, added, reverse("scheduler:alert-routes"))
    teams = reach(person, Action.ROUTE_ALERTS)
    every = routes_of_teams(teams=teams)
    context = {
        "section": "alerts",
        "everything": teams is None,
        "organisation": routes_shown([one for one in every if not one.owner]),
        "teams": _teams(teams, every),
        "form": form,
        "owner": owner,
        "zone_names": zone_names(),
    }
    return render(request, "scheduler/alerts/routes.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters(*HIDDEN)
@sensitive_variables("form")
@answers_plainly
def route(request: HttpRequest, pk: int) -> HttpResponse:
    """``/alerts/routes/<id>/``: one route to change."""
    row = _own(request, pk)
    form = RouteForm(request.POST or None, initial=initial_of(row), rules=rule_titles())
    if request.method == "POST" and form.is_valid():
        try:
            change_route(pk=pk, values=form.values(), networks=settings.PRIVATE_NETWORKS)
        except UnableToKeepRoute as unable:
            form.refuse(unable.said)
        else:
            messages.success(request, f"The route “{form.cleaned_data['name']}” is changed.")
            return redirect(_list_of(row))
    context = {
        "section": "alerts",
        "crumbs": [("Your notifications" if row.user else "Teams' routes", _list_of(row)), (row.name, "")],
        "row": row,
        "form": form,
        "back": _list_of(row),
        "zone_names": zone_names(),
    }
    return render(request, "scheduler/alerts/route.html", context, status=400 if form.errors else 200)


@require_POST
@answers_plainly
def try_route(request: HttpRequest, pk: int) -> HttpResponse:
    """``/alerts/routes/<id>/test/``: one message now, and what became of it."""
    row = _own(request, pk)
    person, networks = person_on(request), settings.PRIVATE_NETWORKS
    tried = test_route(pk=pk, by=person.name, at=timezone.now(), networks=networks)
    level = messages.success if tried.sent else messages.error
    level(request, f"{row.name}: {tried.sentence}")
    return redirect(_list_of(row))


@require_POST
@answers_plainly
def forget_route(request: HttpRequest, pk: int) -> HttpResponse:
    """``/alerts/routes/<id>/remove/``: the address is forgotten, and what was owed to it is dropped."""
    row = _own(request, pk)
    remove_route(pk=pk)
    messages.success(request, f"The route “{row.name}” is removed.")
    return redirect(_list_of(row))


def _form(request: HttpRequest) -> RouteForm:
    zone = str(zones_on(request).seen)
    return RouteForm(request.POST or None, initial={"zone": zone}, rules=rule_titles())


@sensitive_variables("form")
def _added(request: HttpRequest, form: RouteForm, *, owner: str = "", user: str = "") -> Added | None:
    if not form.is_valid():
        return None
    try:
        return add_route(
            owner=owner,
            user=user,
            values=form.values(),
            by=person_on(request).name,
            at=timezone.now(),
            networks=settings.PRIVATE_NETWORKS,
        )
    except UnableToKeepRoute as unable:
        form.refuse(unable.said)
        return None


@sensitive_variables("added")
def _after_adding(request: HttpRequest, form: RouteForm, added: Added, back: str) -> HttpResponse:
    name = form.cleaned_data["name"]
    if added.secret and not form.cleaned_data["secret"]:
        context = {"section": "alerts", "name": name, "secret": added.secret, "back": back}
        return render(request, "scheduler/alerts/secret.html", context, status=201)
    messages.success(request, f"The route “{name}” is kept. Try it, so that you know that it arrives.")
    return redirect(back)


def _own(request: HttpRequest, pk: int) -> RouteRow:
    """A route that this person may change; UnableToAnswer otherwise, whichever it is."""
    row = route_with(pk=pk)
    if row is None or not _may_change(person_on(request), row):
        raise UnableToAnswer(404, "No such route", f"There is no route {pk}, or it is not yours to change.")
    return row


def _may_change(person: Person, row: RouteRow) -> bool:
    if row.user:
        return row.user == person.name
    return may(person, Action.ROUTE_ALERTS, {row.owner} if row.owner else None)


def _list_of(row: RouteRow) -> str:
    return reverse("scheduler:notifications" if row.user else "scheduler:alert-routes")


def _teams(teams: frozenset[str] | None, every: list[RouteRow]) -> list[TeamRoutes]:
    known = contacts()
    return [
        TeamRoutes(name, known[name].email, known[name].fallback, routes_shown([r for r in every if r.owner == name]))
        for name in sorted(known)
        if teams is None or name in teams
    ]
