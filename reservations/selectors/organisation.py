"""What holds for the organisation as a whole."""

from datetime import tzinfo

from reservations.domain.period import UnableToReadTime, zone
from reservations.models import Organisation


class UnableToCountDays(UnableToReadTime):
    """The accounting zone that was stored is none this machine knows, so no day or month has an end."""


def accounting_zone(name: str = "") -> tzinfo:
    """The zone days and months are cut in, UTC until somebody sets another one; UnableToCountDays for an odd one.

    ``name`` is the stored one where it was read already.
    """
    name = name or accounting_zone_name()
    try:
        return zone(name)
    except UnableToReadTime as unable:
        raise UnableToCountDays(f"the organisation's accounting zone is an {unable}") from unable


def accounting_zone_name() -> str:
    """The IANA name of the accounting zone."""
    return Organisation.objects.values_list("accounting_zone", flat=True).first() or "UTC"
