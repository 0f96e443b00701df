"""Tokens of programs that no person stands behind: admins make them, see them and revoke them."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from reservations.domain.access import Action, Person, may
from reservations.forms.service_tokens import ServiceTokenForm
from reservations.selectors.contacts import contacts
from reservations.selectors.service_tokens import service_tokens
from reservations.services.service_tokens import make_service_token, revoke_service_token
from reservations.services.tokens import UnableToMakeToken
from reservations.views.asking import person_on


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("secret")
def programs(request: HttpRequest) -> HttpResponse:
    """``/service-tokens/``: every token of a program; POST makes one and answers with its secret, this once."""
    person, teams = _admin(request), sorted(contacts())
    if request.method != "POST":
        return _page(request, ServiceTokenForm(teams=teams))
    form = ServiceTokenForm(request.POST, teams=teams)
    secret = _made(person, form)
    if secret is None:
        return _page(request, form, status=400)
    crumbs = (("Service tokens", reverse("reservations:service-tokens")), ("New", ""))
    made = {"crumbs": crumbs, "secret": secret, "name": form.cleaned_data["name"], "service": True}
    return render(request, "reservations/token_made.html", made, status=201)


@require_POST
def revoke_program(request: HttpRequest, token_id: int) -> HttpResponse:
    """``/service-tokens/<id>/revoke/``: from now on the token opens nothing."""
    person = _admin(request)
    if not revoke_service_token(token_id=token_id, by=person.name, at=timezone.now()):
        raise Http404("There is no such token.")
    messages.success(request, "The token is revoked: it opens nothing any more.")
    return redirect("reservations:service-tokens")


def _admin(request: HttpRequest) -> Person:
    person = person_on(request)
    if not may(person, Action.CONFIGURE):
        raise PermissionDenied
    return person


def _page(request: HttpRequest, form: ServiceTokenForm, status: int = 200) -> HttpResponse:
    context = {"crumbs": (("Service tokens", ""),), "tokens": service_tokens(), "form": form, "now": timezone.now()}
    return render(request, "reservations/service_tokens.html", context, status=status)


@sensitive_variables("secret")
def _made(person: Person, form: ServiceTokenForm) -> str | None:
    if not form.is_valid():
        return None
    try:
        return make_service_token(made_by=person.name, at=timezone.now(), **form.cleaned_data)
    except UnableToMakeToken as unable:
        sentence = str(unable)
        form.add_error(None, f"{sentence[0].upper()}{sentence[1:]}.")
        return None
