"""A person's own page: their zone, what they were granted, the views they keep."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from reservations.domain.access import Action, may
from reservations.forms.preferences import PreferencesForm, zone_names
from reservations.selectors.saved_views import SavedViewRow, saved_views_of
from reservations.services.preferences import set_preferences
from reservations.tables.roles import grant_words
from reservations.views.asking import person_on, zones_on
from reservations.views.tokens import tokens_context


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def me(request: HttpRequest) -> HttpResponse:
    """``/me/``: GET shows what is set, POST sets the zone and the view that is opened first."""
    views = saved_views_of(user_id=request.user.pk)
    if request.method != "POST":
        return _page(request, views, _form(request, views))
    form = PreferencesForm(request.POST, views=_choices(views))
    if not form.is_valid():
        return _page(request, views, form, status=400)
    set_preferences(
        user_id=request.user.pk, zone=form.cleaned_data["zone"], landing_view_id=form.cleaned_data["landing"]
    )
    messages.success(request, "Your preferences are kept.")
    return redirect("reservations:me")


@never_cache
@require_safe
def menu(request: HttpRequest) -> HttpResponse:
    """``/me/menu/``: the part of the person's menu that is fetched when it is opened."""
    context = {
        "views": saved_views_of(user_id=request.user.pk),
        "may_configure": may(person_on(request), Action.CONFIGURE),
        "may_see_audit": may(person_on(request), Action.SEE_AUDIT),
    }
    return render(request, "reservations/menu.html", context)


def _page(request: HttpRequest, views: list[SavedViewRow], form: PreferencesForm, status: int = 200) -> HttpResponse:
    person = person_on(request)
    context = {
        "form": form,
        "person": person,
        "grants": [grant_words(grant) for grant in person.grants],
        "may_configure": may(person, Action.CONFIGURE),
        "may_see_audit": may(person, Action.SEE_AUDIT),
        "views": views,
        "zones": zones_on(request),
        "zone_names": zone_names(),
        "now": timezone.now(),
        "asks_second_factor": settings.SECOND_FACTOR,
    }
    return render(request, "reservations/me.html", context | tokens_context(request), status=status)


def _form(request: HttpRequest, views: list[SavedViewRow]) -> PreferencesForm:
    landing = next((view.id for view in views if view.landing), "")
    return PreferencesForm(initial={"zone": request.user.zone, "landing": landing}, views=_choices(views))


def _choices(views: list[SavedViewRow]) -> list[tuple[int, str]]:
    return [(view.id, view.name if view.own else f"{view.name} (by {view.by})") for view in views]
