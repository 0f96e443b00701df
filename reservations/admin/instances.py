"""Which instances were seen running; shown and never edited."""

from django.contrib import admin

from reservations.admin.read_only import ReadOnly
from reservations.models import InstanceSpan


@admin.register(InstanceSpan)
class InstanceSpanAdmin(ReadOnly, admin.ModelAdmin):
    list_display = (
        "instance_id",
        "account",
        "region",
        "shape",
        "lifecycle",
        "reservation_id",
        "seen_from",
        "seen_until",
    )
    list_filter = ("lifecycle", "account")
    search_fields = ("instance_id", "reservation_id", "shape")
    list_select_related = ("account",)
    show_full_result_count = False
