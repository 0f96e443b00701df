from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config.api import urls as api_urls
from config.api_reference import api_reference

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="telemetry:fleet-now")),
    path("", include("telemetry.urls")),
    path("", include("reservations.urls")),
    path("api/v1/docs", api_reference, name="api-reference"),
    path("api/v1/", api_urls),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
