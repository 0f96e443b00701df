"""Rows that are shown and never edited."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest


class ReadOnly:
    """Rows that a machine wrote: to look at, nothing else, not even for a superuser."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class HistoryAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("history_date", "history_user", "history_type", "__str__")
    list_filter = ("history_type",)
    search_fields = ("history_user__username",)
    date_hierarchy = "history_date"
    list_select_related = ("history_user",)
    show_full_result_count = False
