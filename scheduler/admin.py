"""What the allocator was asked in the background: to look at, by whom it was asked and how it ended."""

from django.contrib import admin

from reservations.admin import ReadOnly
from scheduler.models import AllocationRun


@admin.register(AllocationRun)
class AllocationRunAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("asked_at", "asked_by_name", "gpus", "steps", "jobs", "state", "value", "bound", "message")
    list_filter = ("state",)
    search_fields = ("asked_by_name",)
    exclude = ("scenario", "result")
