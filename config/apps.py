"""Django's admin with our own site, and what of the settings the floors below are told."""

from django.conf import settings
from django.contrib.admin.apps import AdminConfig


class OurAdminConfig(AdminConfig):
    default_site = "config.admin_site.OurAdminSite"

    def ready(self) -> None:
        from reservations.selectors.second_factor import FactorPolicy, follow_factor_policy

        super().ready()
        follow_factor_policy(lambda: FactorPolicy(settings.SECOND_FACTOR, settings.OIDC_SECOND_FACTOR))
