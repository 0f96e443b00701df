"""Where telemetry comes from, by hand; the ledger and how it came about are shown and never edited."""

from django import forms
from django.contrib import admin

from reservations.admin import ReadOnly
from telemetry.models import (
    CollectionRun,
    DemandHour,
    HeldPod,
    HourAsked,
    HourNode,
    HourPod,
    HourQueued,
    HourSuspect,
    MetricsSource,
    PoolDay,
    PoolDayQueue,
    PoolHour,
    PoolHourQueue,
    PoolSource,
    Recollection,
)
from telemetry.services.configuration import source_faults


class MetricsSourceForm(forms.ModelForm):
    """Takes what a configuration file may say, and nothing else."""

    def clean(self) -> None:
        super().clean()
        if not self.errors:
            for field, sentence in source_faults(values=self.cleaned_data):
                self.add_error(field, sentence)


@admin.register(MetricsSource)
class MetricsSourceAdmin(admin.ModelAdmin):
    form = MetricsSourceForm
    list_display = ("name", "kind", "url", "cluster", "scrape_interval_seconds", "busy_metric", "busy_threshold")
    list_filter = ("kind", "cluster")
    search_fields = ("name", "url", "cluster")


@admin.register(PoolSource)
class PoolSourceAdmin(admin.ModelAdmin):
    list_display = ("pool", "source", "node_label", "node_values")
    list_filter = ("source",)
    search_fields = ("pool__name", "source__name", "node_label")
    list_select_related = ("pool", "source")


class HourQueueInline(ReadOnly, admin.TabularInline):
    model = PoolHourQueue
    extra = 0


@admin.register(PoolHour)
class PoolHourAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "hour", "source", "reserved", "expected", "known", "busy", "complete", "final", "flags")
    list_filter = ("pool", "final", "complete", "source")
    search_fields = ("pool__name", "source")
    date_hierarchy = "hour"
    list_select_related = ("pool",)
    show_full_result_count = False
    inlines = (HourQueueInline,)


@admin.register(PoolHourQueue)
class PoolHourQueueAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool_hour", "cluster_queue", "team", "workload", "allocated", "owner_busy", "borrower_busy")
    list_filter = ("workload", "team")
    search_fields = ("cluster_queue", "team")
    list_select_related = ("pool_hour",)
    show_full_result_count = False


@admin.register(DemandHour)
class DemandHourAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "hour", "workload", "nodes", "peak_nodes", "source")
    list_filter = ("pool", "workload", "source")
    search_fields = ("pool__name", "source")
    date_hierarchy = "hour"
    list_select_related = ("pool",)
    show_full_result_count = False


@admin.register(HourQueued)
class HourQueuedAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool_hour", "cluster_queue", "team", "workload", "queued")
    list_filter = ("workload", "team")
    search_fields = ("cluster_queue", "team")
    list_select_related = ("pool_hour",)
    show_full_result_count = False


@admin.register(HourAsked)
class HourAskedAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool_hour", "peak_gpus")
    list_select_related = ("pool_hour",)
    show_full_result_count = False


@admin.register(CollectionRun)
class CollectionRunAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "hour", "source", "status", "read_at", "took_ms", "message")
    list_filter = ("status", "pool", "source")
    search_fields = ("pool__name", "source", "message")
    date_hierarchy = "read_at"
    list_select_related = ("pool",)
    show_full_result_count = False


@admin.register(Recollection)
class RecollectionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("asked_at", "asked_by_name", "pool", "period", "force", "state", "done_hours", "total_hours")
    list_filter = ("state", "pool")
    search_fields = ("asked_by_name", "pool__name")
    list_select_related = ("pool",)


@admin.register(PoolDay)
class PoolDayAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "day", "hours", "reserved", "expected", "known", "busy", "open_hours", "flagged_hours")
    list_filter = ("pool",)
    search_fields = ("pool__name",)
    date_hierarchy = "day"
    list_select_related = ("pool",)
    show_full_result_count = False


@admin.register(PoolDayQueue)
class PoolDayQueueAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "day", "cluster_queue", "team", "workload", "allocated", "owner_busy", "borrower_busy")
    list_filter = ("pool", "workload", "team")
    search_fields = ("pool__name", "cluster_queue", "team")
    date_hierarchy = "day"
    list_select_related = ("pool",)
    show_full_result_count = False


@admin.register(HeldPod)
class HeldPodAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("namespace", "name", "uid", "pool")
    list_filter = ("pool",)
    search_fields = ("namespace", "name", "uid")
    list_select_related = ("pool",)
    show_full_result_count = False


@admin.register(HourNode)
class HourNodeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool_hour", "node", "expected", "known", "busy", "idle_held", "idle_free")
    search_fields = ("node",)
    list_select_related = ("pool_hour",)
    show_full_result_count = False


@admin.register(HourPod)
class HourPodAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("hour", "pool", "pod", "cluster_queue", "team", "idle_held", "allocated", "idle_from")
    list_filter = ("pool", "team")
    search_fields = ("pod__name", "cluster_queue")
    list_select_related = ("pool", "pod")
    show_full_result_count = False


@admin.register(HourSuspect)
class HourSuspectAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool_hour", "node", "uuid", "what", "why")
    list_filter = ("what",)
    search_fields = ("node", "uuid")
    list_select_related = ("pool_hour",)
    show_full_result_count = False
