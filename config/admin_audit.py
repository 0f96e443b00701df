"""Every change by hand in the admin is an event of the trail, whatever the model: the site sees to it for each."""

from typing import Any

from django.contrib.admin import ModelAdmin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse

from reservations.services.audit import AuditAct, differing, record_event, row_state

GRANTS, PEOPLE, TOKENS = "rolegrant", "user", "accesstoken"
PRICES = frozenset({
    "pricequote", "pricesubject", "shortagerecord", "exchangerate", "commitment", "committedgrowth",
    "purchaseassumption",
})  # fmt: skip

State = dict[str, object] | None


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
        _record(request, obj, before, row_state(obj))

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        stored = [(one.instance, one.instance.pk, _stored(one.instance)) for one in formset.initial_forms]
        before = {id(row): (key, state) for row, key, state in stored}  # a deleted row has no key any more
        super().save_formset(request, form, formset, change)
        for row in formset.new_objects:
            _record(request, row, None, row_state(row))
        for row, _ in formset.changed_objects:
            _record(request, row, before[id(row)][1], row_state(row))
        for row in formset.deleted_objects:
            key, state = before[id(row)]
            _record(request, row, state, None, key=key)

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        key, before = obj.pk, row_state(obj)
        super().delete_model(request, obj)
        _record(request, obj, before, None, key=key)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            rows = [(row, row.pk, row_state(row)) for row in queryset]
            super().delete_queryset(request, queryset)
            for row, key, before in rows:
                _record(request, row, before, None, key=key)


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


def _stored(obj: Model) -> State:
    row = type(obj)._default_manager.filter(pk=obj.pk).first()
    return None if row is None else row_state(row)


def _record(request: HttpRequest, obj: Model, before: State, after: State, *, key: object = None) -> None:
    before, after = differing(before, after)
    if before == after:
        return
    name = str(obj._meta.model_name)
    record_event(
        what=_act(name, before, after),
        about=name,
        ident=str(obj.pk if key is None else key),
        by=request.user,
        before=before,
        after=after,
        why="by hand in the admin",
    )


def _act(name: str, before: State, after: State) -> AuditAct:
    if name == GRANTS:
        return AuditAct.ROLE_REVOKED if after is None else AuditAct.ROLE_GRANTED
    if name == PEOPLE:
        return AuditAct.USER_REMOVED if after is None else AuditAct.USER_CHANGED if before else AuditAct.USER_MADE
    if name == TOKENS:
        return AuditAct.TOKEN_REVOKED
    return AuditAct.PRICE_CHANGED if name in PRICES else AuditAct.CONFIGURATION_CHANGED
