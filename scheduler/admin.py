"""Committed growth by hand; and what the allocator was asked in the background, to look at."""

from django.contrib import admin
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest

from reservations.admin import ReadOnly
from scheduler.models import (
    AllocationRun,
    CommittedGrowth,
    ExceptionOutcome,
    PurchaseAssumption,
    Recommendation,
    RecommendationDecision,
)


@admin.register(AllocationRun)
class AllocationRunAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("asked_at", "asked_by_name", "gpus", "steps", "jobs", "state", "value", "bound", "message")
    list_filter = ("state",)
    search_fields = ("asked_by_name",)
    exclude = ("scenario", "result")


@admin.register(CommittedGrowth)
class CommittedGrowthAdmin(admin.ModelAdmin):
    """Who wrote a line last is kept with it."""

    list_display = ("pool", "name", "period", "workload", "nodes", "source", "entered_by")
    list_filter = ("pool", "workload")
    search_fields = ("name", "source", "pool__name")
    list_select_related = ("pool",)
    readonly_fields = ("entered_by",)

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm, change: bool) -> None:
        obj.entered_by = request.user.get_username()
        super().save_model(request, obj, form, change)


@admin.register(PurchaseAssumption)
class PurchaseAssumptionAdmin(admin.ModelAdmin):
    """Who wrote it last is kept with it."""

    list_display = ("pool", "bought_on", "reservation", "nodes", "mean_nodes", "peak_nodes", "busy_share", "author")
    list_filter = ("pool",)
    list_select_related = ("pool",)
    readonly_fields = ("entered_by",)

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm, change: bool) -> None:
        obj.entered_by = request.user.get_username()
        super().save_model(request, obj, form, change)


@admin.register(Recommendation)
class RecommendationAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "month", "revision", "action", "current_nodes", "proposed_nodes", "standing")
    list_filter = ("action", "standing", "pool")
    list_select_related = ("pool",)
    exclude = ("evidence",)


@admin.register(RecommendationDecision)
class RecommendationDecisionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("recommendation", "standing", "decided_by_name", "decided_at", "reason")
    list_select_related = ("recommendation",)


@admin.register(ExceptionOutcome)
class ExceptionOutcomeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("request", "measured_at", "claimed_share", "busy_share", "coverage_share", "met")
    list_filter = ("met",)
    list_select_related = ("request",)
