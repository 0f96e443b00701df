"""Who has to log in, and who may make an account: an administrator, or the first log-in at the own OIDC provider."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from reservations.domain.access import lacks_second_factor
from reservations.domain.site_path import UnableToKeepPath, site_path
from reservations.selectors.access import person_of
from reservations.selectors.saved_views import landing_path


class SignInRequired(LoginRequiredMiddleware):
    def handle_no_permission(self, request: HttpRequest, view_func: Callable[..., HttpResponse]) -> HttpResponseBase:
        """Send to the log-in; where htmx asks for a part of a page, the page, lest the log-in stand inside of it."""
        if request.htmx and not request.htmx.boosted:
            return HttpResponseClientRefresh()
        return super().handle_no_permission(request, view_func)


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """The saved view this person wants to see first, else the first page; a page that was asked for goes before.

        Whoever has yet to set up the second factor their role needs is led there.
        """
        if lacks_second_factor(person_of(request.user)):
            return reverse("mfa_index")
        try:
            return site_path(landing_path(user_id=request.user.pk) or "")
        except UnableToKeepPath:
            return super().get_login_redirect_url(request)


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return True
