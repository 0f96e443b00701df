"""The audit trail, to look at: the database itself refuses to change it."""

from django.contrib import admin

from reservations.admin.read_only import ReadOnly
from reservations.models import AuditEvent, AuditHead


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("sequence", "at", "by_name", "act", "about", "ident", "via")
    list_filter = ("act", "via")
    search_fields = ("by_name", "ident", "why")
    date_hierarchy = "at"
    show_full_result_count = False


@admin.register(AuditHead)
class AuditHeadAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("count", "hash")
