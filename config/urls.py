from django.contrib import admin
from django.urls import include, path

from config.api import urls as api_urls
from config.api_reference import api_reference

urlpatterns = [
    path("", include("scheduler.urls")),
    path("", include("telemetry.urls")),
    path("", include("reservations.urls")),
    path("api/v1/docs", api_reference, name="api-reference"),
    path("api/v1/", api_urls),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
