"""Who has to log in, and who may make an account: an administrator, or the first log-in at the own OIDC provider."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from config.sessions import begin
from reservations.domain.access import lacks_second_factor
from reservations.domain.site_path import UnableToKeepPath, site_path
from reservations.selectors.access import person_of
from reservations.selectors.saved_views import landing_path
from reservations.services.sealed import UnableToOpen, opened, sealed

log = structlog.get_logger(__name__)


class SignInRequired(LoginRequiredMiddleware):
    def handle_no_permission(self, request: HttpRequest, view_func: Callable[..., HttpResponse]) -> HttpResponseBase:
        """Send to the log-in; where htmx asks for a part of a page, the page, lest the log-in stand inside of it."""
        if request.htmx and not request.htmx.boosted:
            return HttpResponseClientRefresh()
        return super().handle_no_permission(request, view_func)


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        super().login(request, user)
        begin(request)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Beside the answer: how long a mail takes would tell which addresses have an account."""
        Thread(target=_send, args=(self.render_mail(template_prefix, email, context),), daemon=True).start()

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


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError as unable:
        log.warning("a mail about a log-in could not be sent", why=str(unable))


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return True


class SecondFactorAdapter(DefaultMFAAdapter):
    """What a second factor rests on is sealed like every other secret."""

    def encrypt(self, text: str) -> str:
        return sealed(text)

    def decrypt(self, encrypted_text: str) -> str:
        """The text; one that was kept before they were sealed is as it stands."""
        try:
            return opened(encrypted_text)
        except UnableToOpen:
            return encrypted_text
