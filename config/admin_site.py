"""The admin asks what every page asks: a role opens it, and neither the staff flag nor Django's permissions do."""

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.db.models.base import ModelBase
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from config.admin_audit import audited
from reservations.domain.access import Action, lacks_second_factor, may
from reservations.selectors.access import person_of


def may_configure(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether a log-in may change the configuration; asked of the database once a request."""
    if not hasattr(user, "_may_configure"):
        user._may_configure = may(person_of(user), Action.CONFIGURE)
    return user._may_configure


class OurAdminSite(AdminSite):
    def register(self, model_or_iterable: object, admin_class: type | None = None, **options: object) -> None:
        """Every admin leaves an event of what is changed by hand."""
        models = [model_or_iterable] if isinstance(model_or_iterable, ModelBase) else model_or_iterable
        super().register(models, audited(admin_class or ModelAdmin), **options)

    def has_permission(self, request: HttpRequest) -> bool:
        return may_configure(request.user)

    @method_decorator([never_cache, login_not_required])
    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Our own log-in, with its second factor and its limits on tries; who is in already may or may not."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated and lacks_second_factor(person_of(request.user)):
            messages.warning(request, "An admin needs a second factor: set one up, and the admin opens.")
            return redirect("mfa_index")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"), settings.LOGIN_URL)


class RoleBackend(BaseBackend):
    """Django's own question about a model, answered by the role; what nobody may change its admin says itself."""

    def has_perm(self, user_obj: AbstractBaseUser | AnonymousUser, perm: str, obj: Model | None = None) -> bool:
        return may_configure(user_obj)

    def has_module_perms(self, user_obj: AbstractBaseUser | AnonymousUser, app_label: str) -> bool:
        return may_configure(user_obj)
