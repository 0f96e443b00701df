"""Every change by hand in the admin is an event of the trail, whatever the model: the site sees to it for each."""

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any

from django.contrib.admin import ModelAdmin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse

from reservations.selectors.granted import grants_with
from reservations.services.audit import AuditAct, changed_state, record_event

GRANTS, PEOPLE, TOKENS, FACTORS = "rolegrant", "user", "accesstoken", "authenticator"
PRICES = frozenset({
    "pricequote", "pricesubject", "shortagerecord", "exchangerate", "commitment", "committedgrowth",
    "purchaseassumption",
})  # fmt: skip

State = Mapping[str, object] | None


def audited(admin_class: type[ModelAdmin]) -> type[ModelAdmin]:
    """The same admin, whose every writing leaves an event."""
    if issubclass(admin_class, Audited):
        return admin_class
    parts = (AuditedPasswords, Audited) if hasattr(admin_class, "user_change_password") else (Audited,)
    return type(admin_class.__name__, (*parts, admin_class), {"__module__": admin_class.__module__})


class Audited:
    """Writes an event where Django's admin saves or deletes a row, in the same transaction."""

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        before = _stored(obj) if change else None
        super().save_model(request, obj, form, change)
        _record(request, obj, before, obj)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        before = {id(one.instance): _stored(one.instance) for one in formset.initial_forms}
        super().save_formset(request, form, formset, change)
        for row in formset.new_objects:
            _record(request, row, None, row)
        for row, _ in formset.changed_objects:
            _record(request, row, before[id(row)], row)
        for row in formset.deleted_objects:
            _record(request, row, before[id(row)], None)

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        gone = [*grants_with(obj), copy(obj)]
        super().delete_model(request, obj)
        _record_gone(request, gone)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            # A grant may go with a person and with a team of theirs: it is told once.
            gone = list({(type(row), row.pk): row for obj in queryset for row in (*grants_with(obj), obj)}.values())
            super().delete_queryset(request, queryset)
            _record_gone(request, gone)


class AuditedPasswords:
    """The same for the page that sets somebody's password, which saves the row itself."""

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        return super().user_change_password(request, id, form_url)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        match = request.resolver_match
        if match is not None and (match.url_name or "").endswith("password_change"):
            name = obj.get_username()
            record_event(
                what=AuditAct.PASSWORD_CHANGED, about=PEOPLE, ident=str(obj.pk), by=request.user, after={"log_in": name}
            )
        return super().log_change(request, obj, message)


def _stored(obj: Model) -> Model | None:
    return type(obj)._default_manager.filter(pk=obj.pk).first()


def _record_gone(request: HttpRequest, gone: Iterable[Model]) -> None:
    for row in gone:
        _record(request, row, row, None)


def _record(request: HttpRequest, obj: Model, before: Model | None, after: Model | None) -> None:
    """``before`` has the number of a row that is gone, which Django takes from the object it deleted."""
    told_before, told_after = changed_state(before, after)
    if told_before == told_after:
        return
    name = str(obj._meta.model_name)
    record_event(
        what=_act(name, told_before, told_after),
        about=name,
        ident=str((after or before or obj).pk),
        by=request.user,
        before=told_before,
        after=told_after,
        why="by hand in the admin",
    )


def _act(name: str, before: State, after: State) -> AuditAct:
    if name == GRANTS:
        return AuditAct.ROLE_REVOKED if after is None else AuditAct.ROLE_GRANTED
    if name == PEOPLE:
        return AuditAct.USER_REMOVED if after is None else AuditAct.USER_CHANGED if before else AuditAct.USER_MADE
    if name == TOKENS:
        return AuditAct.TOKEN_REVOKED
    if name == FACTORS:
        return AuditAct.SECOND_FACTOR_REMOVED
    return AuditAct.PRICE_CHANGED if name in PRICES else AuditAct.CONFIGURATION_CHANGED
