from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The admin takes the same log-in as everything else, with its second factor and its limits on tries.
admin.autodiscover()
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    path("", include("telemetry.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
