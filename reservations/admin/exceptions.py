"""Requests, approvals and delegations: shown and never edited, since only services keep who did what apart."""

from django.contrib import admin

from reservations.admin.read_only import ReadOnly
from reservations.models import (
    BreakGlass,
    Delegation,
    ExceptionApproval,
    ExceptionAttachment,
    ExceptionCondition,
    ExceptionMove,
    ExceptionPart,
    ExceptionRequest,
    ExceptionVersion,
)


class Shown(ReadOnly, admin.ModelAdmin):
    show_full_result_count = False


@admin.register(ExceptionRequest)
class ExceptionRequestAdmin(Shown):
    list_display = ("id", "pool", "requester_name", "state", "version", "moved_at")
    list_filter = ("state",)
    search_fields = ("pool__name", "requester_name")
    list_select_related = ("pool",)


@admin.register(ExceptionVersion)
class ExceptionVersionAdmin(Shown):
    list_display = ("request", "number", "kind", "nodes", "amount", "currency", "submitted_at")
    list_filter = ("kind",)
    search_fields = ("author_name", "content_hash")
    list_select_related = ("request",)


@admin.register(ExceptionMove)
class ExceptionMoveAdmin(Shown):
    list_display = ("request", "number", "move", "state", "by_name", "at")
    list_filter = ("move",)
    search_fields = ("by_name", "reason")
    list_select_related = ("request",)


@admin.register(ExceptionAttachment)
class ExceptionAttachmentAdmin(Shown):
    list_display = ("name", "media_type", "size", "added_by_name", "added_at")
    search_fields = ("name", "sha256")
    exclude = ("content",)


@admin.register(ExceptionPart)
class ExceptionPartAdmin(Shown):
    list_display = ("version", "user", "part")
    list_filter = ("part",)
    search_fields = ("user__username",)
    list_select_related = ("version", "user")


@admin.register(ExceptionApproval)
class ExceptionApprovalAdmin(Shown):
    list_display = ("version", "step", "person_name", "acting_for_name", "role", "approved_at")
    list_filter = ("role",)
    search_fields = ("person_name", "content_hash")
    list_select_related = ("version",)


@admin.register(ExceptionCondition)
class ExceptionConditionAdmin(Shown):
    list_display = ("request", "text", "due_on", "met_at")
    search_fields = ("text",)
    list_select_related = ("request",)


@admin.register(Delegation)
class DelegationAdmin(Shown):
    list_display = ("delegator", "delegate", "period", "up_to", "currency", "ended_at")
    search_fields = ("delegator__username", "delegate__username")
    list_select_related = ("delegator", "delegate")


@admin.register(BreakGlass)
class BreakGlassAdmin(Shown):
    list_display = ("version", "opened_by_name", "opened_at", "sign_off_due_at", "verdict")
    list_filter = ("verdict",)
    search_fields = ("opened_by_name", "reason")
    list_select_related = ("version",)
