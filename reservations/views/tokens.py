"""Access tokens on a person's own page: made with the secret shown once, listed, revoked."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from reservations.forms.tokens import TokenForm
from reservations.selectors.tokens import tokens_of
from reservations.services.tokens import UnableToMakeToken, make_token, revoke_token

CRUMBS = (("Preferences", "/me/"), ("Access tokens", ""))


def tokens_context(request: HttpRequest, form: TokenForm | None = None) -> dict[str, object]:
    """What ``reservations/me_tokens.html`` shows: the person's tokens and the form for a new one."""
    assert request.user.pk is not None  # nosec B101
    return {
        "tokens": tokens_of(user_id=request.user.pk, as_of=timezone.now()),
        "token_form": TokenForm() if form is None else form,
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("secret")
def tokens(request: HttpRequest) -> HttpResponse:
    """``/me/tokens/``: the tokens of whoever asks; POST makes one and answers with its secret, this once."""
    if request.method != "POST":
        return _page(request, TokenForm())
    form = TokenForm(request.POST)
    secret = _made(request, form)
    if secret is None:
        return _page(request, form, status=400)
    made = {"crumbs": CRUMBS, "secret": secret, "name": form.cleaned_data["name"]}
    return render(request, "reservations/token_made.html", made, status=201)


@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """``/me/tokens/<id>/revoke/``: from now on the token opens nothing; 404 for somebody else's."""
    if not revoke_token(token_id=token_id, user_id=request.user.pk, at=timezone.now()):
        raise Http404("There is no such token of yours.")
    messages.success(request, "The token is revoked: it opens nothing any more.")
    return redirect("reservations:me")


def _page(request: HttpRequest, form: TokenForm, status: int = 200) -> HttpResponse:
    context = {"crumbs": CRUMBS, **tokens_context(request, form)}
    return render(request, "reservations/tokens.html", context, status=status)


@sensitive_variables("secret")
def _made(request: HttpRequest, form: TokenForm) -> str | None:
    if not form.is_valid():
        return None
    try:
        return make_token(user_id=request.user.pk, at=timezone.now(), **form.cleaned_data)
    except UnableToMakeToken as unable:
        sentence = str(unable)
        form.add_error(None, f"{sentence[0].upper()}{sentence[1:]}.")
        return None
