"""Django's admin with our own site."""

from django.contrib.admin.apps import AdminConfig


class OurAdminConfig(AdminConfig):
    default_site = "config.admin_site.OurAdminSite"
