"""Who may make an account: an administrator, or the first log-in at the organisation's own OIDC provider."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest

from reservations.domain.site_path import UnableToKeepPath, site_path
from reservations.selectors.saved_views import landing_path


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """The saved view this person wants to see first, else the first page; a page that was asked for goes before."""
        try:
            return site_path(landing_path(user_id=request.user.pk) or "")
        except UnableToKeepPath:
            return super().get_login_redirect_url(request)


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return True
