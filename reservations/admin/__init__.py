"""The same objects as apply_config writes, by hand; what the provider told us is shown and never edited."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest

from reservations.admin import audit as audit
from reservations.admin import commitments as commitments
from reservations.admin import exceptions as exceptions
from reservations.admin import exchange as exchange
from reservations.admin import instances as instances
from reservations.admin import sign_in as sign_in
from reservations.admin.read_only import HistoryAdmin, ReadOnly
from reservations.models import (
    AccessToken,
    Account,
    LaunchReport,
    Organisation,
    Owner,
    Pool,
    PoolMembership,
    PoolReservationRule,
    PriceQuote,
    PriceSubject,
    ProcurementRule,
    Queue,
    Reservation,
    ReservationNote,
    ReservationObservation,
    ReservationSize,
    RoleGrant,
    SavedView,
    ServiceToken,
    ShortageRecord,
    SyncRun,
    User,
)


class GrantInline(admin.TabularInline):
    model = RoleGrant
    extra = 0


@admin.register(User)
class PersonAdmin(UserAdmin):
    """Django's staff flag, groups and permissions open nothing here: leave is given by roles, below."""

    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email", "zone", "is_active", "is_superuser")}),
    )
    list_display = ("username", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser", "grants__role", "grants__team")
    inlines = (GrantInline,)


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnly, admin.ModelAdmin):
    """Whose they are and what they open; to delete one is to revoke it, and nobody sees a secret."""

    list_display = ("prefix", "user", "name", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at")
    list_filter = ("user",)
    search_fields = ("prefix", "name", "user__username")
    list_select_related = ("user",)
    exclude = ("secret_hash",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(ServiceToken)
class ServiceTokenAdmin(ReadOnly, admin.ModelAdmin):
    """What programs may do; they are made and revoked on their own page, which shows a secret once."""

    list_display = ("prefix", "name", "owner", "role", "whole_organisation", "expires_at", "last_used_at", "revoked_at")
    list_filter = ("owner", "role")
    search_fields = ("prefix", "name", "owner__name")
    list_select_related = ("owner",)
    exclude = ("secret_hash",)


@admin.register(RoleGrant)
class RoleGrantAdmin(admin.ModelAdmin):
    list_display = ("user", "role", "team")
    list_filter = ("role", "team")
    search_fields = ("user__username", "team__name")
    list_select_related = ("user", "team")
    autocomplete_fields = ("user", "team")


@admin.register(SavedView)
class SavedViewAdmin(admin.ModelAdmin):
    """To look at what is shared and to drop what should not be; people keep their views on their own page."""

    list_display = ("name", "owner", "path", "shared", "created_at")
    list_filter = ("shared",)
    search_fields = ("name", "path", "owner__username")
    list_select_related = ("owner",)
    readonly_fields = ("owner", "path", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Organisation)
class OrganisationAdmin(admin.ModelAdmin):
    list_display = ("name", "accounting_zone")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return not Organisation.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Owner)
class OwnerAdmin(admin.ModelAdmin):
    list_display = ("name", "email", "fallback")
    search_fields = ("name", "email")
    ordering = ("name",)
    list_select_related = ("fallback",)
    inlines = (GrantInline,)


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):
    list_display = ("name", "provider", "account_id", "regions", "cost_explorer")
    list_filter = ("provider",)
    search_fields = ("name", "account_id")


class RuleInline(admin.TabularInline):
    model = PoolReservationRule
    extra = 0


class QueueInline(admin.TabularInline):
    model = Queue
    extra = 0
    autocomplete_fields = ("owner",)


@admin.register(Pool)
class PoolAdmin(admin.ModelAdmin):
    list_display = ("name", "owner", "instance_type", "gpus_per_node", "gpu_generation", "useful_until")
    list_filter = ("owner", "instance_type", "gpu_generation")
    search_fields = ("name", "owner__name", "instance_type", "reservation_rules__value", "queues__cluster_queue")
    list_select_related = ("owner",)
    autocomplete_fields = ("owner",)
    inlines = (RuleInline, QueueInline)


@admin.register(Queue)
class QueueAdmin(admin.ModelAdmin):
    list_display = ("cluster_queue", "pool", "owner", "workload", "nominal_share")
    list_filter = ("workload", "pool", "owner")
    search_fields = ("cluster_queue", "pool__name", "owner__name")
    list_select_related = ("pool", "owner")


class QuoteInline(admin.TabularInline):
    model = PriceQuote
    extra = 0


@admin.register(PriceSubject)
class PriceSubjectAdmin(admin.ModelAdmin):
    list_display = ("__str__", "pool", "shape")
    search_fields = ("pool__name", "shape")
    list_select_related = ("pool",)
    inlines = (QuoteInline,)


@admin.register(PriceQuote)
class PriceQuoteAdmin(admin.ModelAdmin):
    list_display = ("subject", "period", "on_demand", "reserved", "currency", "unit", "source", "entered_by")
    list_filter = ("currency", "unit")
    search_fields = ("subject__pool__name", "subject__shape", "source")
    list_select_related = ("subject__pool",)


@admin.register(ShortageRecord)
class ShortageRecordAdmin(admin.ModelAdmin):
    list_display = (
        "subject", "period", "fail_probability", "shortage_cost", "currency", "convention", "source", "recorded_on",
    )  # fmt: skip
    list_filter = ("currency", "convention")
    search_fields = ("subject__pool__name", "subject__shape", "source")
    list_select_related = ("subject__pool",)
    readonly_fields = ("attempts", "failures", "counted")


@admin.register(LaunchReport)
class LaunchReportAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("subject", "zone_id", "day", "attempts", "failures", "source")
    list_filter = ("zone_id",)
    search_fields = ("subject__pool__name", "subject__shape", "source")
    date_hierarchy = "day"
    list_select_related = ("subject__pool",)
    show_full_result_count = False


@admin.register(ProcurementRule)
class ProcurementRuleAdmin(admin.ModelAdmin):
    """A draft may be mended; a published version binds as it was written, and nothing is published here."""

    list_display = ("version", "owner", "status")
    list_filter = ("status",)
    readonly_fields = ("status",)

    def save_model(self, request: HttpRequest, obj: ProcurementRule, form: ModelForm, change: bool) -> None:
        """Whoever wrote it last is its author; none of those who wrote in it can publish it."""
        obj.author, obj.author_name = request.user, request.user.get_username()
        obj.writers = sorted({*obj.writers, request.user.pk})
        super().save_model(request, obj, form, change)

    def has_change_permission(self, request: HttpRequest, obj: ProcurementRule | None = None) -> bool:
        return super().has_change_permission(request, obj) and not _binds(obj)

    def has_delete_permission(self, request: HttpRequest, obj: ProcurementRule | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not _binds(obj)


def _binds(rule: ProcurementRule | None) -> bool:
    return rule is not None and rule.status != ProcurementRule.Status.DRAFT


class SizeInline(ReadOnly, admin.TabularInline):
    model = ReservationSize
    extra = 0


class MembershipInline(ReadOnly, admin.TabularInline):
    model = PoolMembership
    extra = 0


@admin.register(Reservation)
class ReservationAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("external_id", "kind", "shape", "state", "total_count", "available_count", "end_at", "last_seen_at")
    list_filter = ("state", "kind", "provider", "region", "shape", "matching")
    search_fields = ("external_id", "arn", "owner_account", "zone_id")
    date_hierarchy = "last_seen_at"
    inlines = (SizeInline, MembershipInline)


@admin.register(ReservationObservation)
class ReservationObservationAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("reservation", "observed_at", "present", "state_raw", "total_count", "available_count")
    list_filter = ("present", "state_raw")
    search_fields = ("reservation__external_id",)
    date_hierarchy = "observed_at"
    list_select_related = ("reservation",)
    show_full_result_count = False


@admin.register(ReservationSize)
class ReservationSizeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("reservation", "period", "instances", "usable", "dated_by")
    list_filter = ("usable", "dated_by")
    search_fields = ("reservation__external_id",)
    list_select_related = ("reservation",)


@admin.register(PoolMembership)
class PoolMembershipAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "reservation", "period")
    list_filter = ("pool",)
    search_fields = ("pool__name", "reservation__external_id")
    list_select_related = ("pool", "reservation")


@admin.register(SyncRun)
class SyncRunAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("account", "region", "as_of", "complete", "reservations_seen", "error_code", "error")
    list_filter = ("complete", "account", "region", "error_code")
    search_fields = ("account__name", "region", "error")
    date_hierarchy = "as_of"
    list_select_related = ("account",)
    show_full_result_count = False


@admin.register(ReservationNote)
class ReservationNoteAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("reservation", "written_at", "written_by", "text")
    search_fields = ("reservation__external_id", "written_by__username", "text")
    date_hierarchy = "written_at"
    list_select_related = ("reservation", "written_by")


admin.site.register(
    [Reservation.history.model, PoolMembership.history.model, PriceQuote.history.model, ShortageRecord.history.model],
    HistoryAdmin,
)
