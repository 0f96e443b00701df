"""How people log in: second factors and identities are theirs to add; here they are only looked at and taken away."""

from allauth.account import admin as of_addresses
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa import admin as of_factors
from allauth.mfa.models import Authenticator
from allauth.socialaccount import admin as of_identities
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from reservations.admin.read_only import ReadOnly

REGISTERED_BY = (of_addresses, of_factors, of_identities)
"""They put their own admins up as they are imported, which has to be over before those are taken down."""

for model in (Authenticator, EmailAddress, EmailConfirmation, SocialAccount, SocialApp, SocialToken):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


class TakenAwayOnly(ReadOnly, admin.ModelAdmin):
    """What an administrator may take from somebody, and never give."""

    list_select_related = ("user",)
    search_fields = ("user__username",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(Authenticator)
class AuthenticatorAdmin(TakenAwayOnly):
    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    exclude = ("data",)


@admin.register(SocialAccount)
class SocialAccountAdmin(TakenAwayOnly):
    list_display = ("user", "provider", "uid", "last_login", "date_joined")
    list_filter = ("provider",)
    exclude = ("extra_data",)
