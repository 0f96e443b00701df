"""What holds for the organisation as a whole."""

from datetime import tzinfo

from reservations.domain.period import zone
from reservations.models import Organisation


def accounting_zone() -> tzinfo:
    """The zone days and months are cut in; UTC until somebody sets another one."""
    return zone(accounting_zone_name())


def accounting_zone_name() -> str:
    """The IANA name of the accounting zone."""
    return Organisation.objects.values_list("accounting_zone", flat=True).first() or "UTC"
