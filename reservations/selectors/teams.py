"""The teams that can answer for something."""

from reservations.models import Owner


def team_names() -> list[str]:
    """Every team by name."""
    return list(Owner.objects.order_by("name").values_list("name", flat=True))
