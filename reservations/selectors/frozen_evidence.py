"""What requests were frozen with."""

from collections.abc import Collection
from decimal import Decimal

from reservations.domain.procurement.content import content_of
from reservations.models import ExceptionVersion


def frozen_evidence(request_ids: Collection[int]) -> dict[int, str]:
    """The canonical text of the newest submitted version of each request, by the request's id."""
    rows = ExceptionVersion.objects.filter(request_id__in=request_ids, submitted_at__isnull=False)
    newest = rows.order_by("request_id", "-number").distinct("request_id")
    return dict(newest.values_list("request_id", "evidence"))


def claimed_shares(request_ids: Collection[int]) -> dict[int, Decimal]:
    """The busy share each request claims, by its id; those that claim none are left out."""
    rows = ExceptionVersion.objects.filter(request_id__in=request_ids, submitted_at__isnull=False)
    newest = rows.order_by("request_id", "-number").distinct("request_id").values_list("request_id", "content")
    told = {request_id: content_of(content).expected_busy_share for request_id, content in newest}
    return {request_id: share for request_id, share in told.items() if share is not None}
