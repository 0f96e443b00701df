"""The procurement rule in force."""

from reservations.domain.renewal import LeadTimes, lead_times
from reservations.models import ProcurementRule


def published_lead_times() -> LeadTimes | None:
    """The lead times of the newest published version; None while there is none that says them."""
    published = ProcurementRule.objects.filter(status=ProcurementRule.Status.PUBLISHED)
    return lead_times(published.order_by("-version").values_list("document", flat=True).first())
