"""Commitments by hand; what Cost Explorer told of them is shown and never edited."""

from django.contrib import admin

from reservations.admin.read_only import HistoryAdmin, ReadOnly
from reservations.models import Commitment, CommitmentFetch, CommitmentReport


@admin.register(Commitment)
class CommitmentAdmin(admin.ModelAdmin):
    list_display = ("provider_id", "account", "kind", "hourly", "currency", "term", "applies_to", "payment", "source")
    list_filter = ("kind", "payment", "account")
    search_fields = ("provider_id", "family", "shape", "source")
    list_select_related = ("account",)


@admin.register(CommitmentReport)
class CommitmentReportAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("account", "commitment", "family", "measure", "day", "cost", "used", "covered", "coverable")
    list_filter = ("family", "measure", "account")
    date_hierarchy = "day"
    list_select_related = ("account", "commitment__account")
    show_full_result_count = False


@admin.register(CommitmentFetch)
class CommitmentFetchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("account", "fetched_at", "period", "requests", "failures")
    list_filter = ("account",)
    date_hierarchy = "fetched_at"
    list_select_related = ("account",)


admin.site.register(Commitment.history.model, HistoryAdmin)
