"""How long something has lasted, in the fewest words."""

from datetime import datetime, timedelta, tzinfo

from reservations.domain import notation


def lasting(since: datetime, as_of: datetime, zone: tzinfo) -> str:
    """``4 min``, ``3 h``, ``9 days``, and from sixty days on the day it began; what is yet to begin says when."""
    length = as_of - since
    if length < timedelta(0):
        return f"from {notation.day_of_month(since.astimezone(zone).date())}"
    if length < timedelta(hours=1):
        return notation.duration(length)
    if length < timedelta(days=2):
        return f"{length // timedelta(hours=1)}{notation.THIN}h"
    if length < timedelta(days=60):
        return f"{length // timedelta(days=1)} days"
    return f"since {notation.day(since.astimezone(zone).date())}"
