from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from config.oidc.adapter import CheckedAdapter


@login_not_required
def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """To the provider; 404 where none is configured."""
    return _answered(OAuth2LoginView, request, provider_id)


@login_not_required
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Back from it."""
    return _answered(OAuth2CallbackView, request, provider_id)


def _answered(view: type, request: HttpRequest, provider_id: str) -> HttpResponse:
    try:
        get_adapter().get_app(request, provider_id)
    except SocialApp.DoesNotExist as unknown:
        raise Http404("There is no such provider.") from unknown
    return view.adapter_view(CheckedAdapter(request, provider_id))(request)


urlpatterns = [
    path("oidc/<str:provider_id>/login/", login, name="openid_connect_login"),
    path("oidc/<str:provider_id>/login/callback/", callback, name="openid_connect_callback"),
]
