"""The teams that can answer for something."""

from reservations.models import Owner


def team_names() -> list[str]:
    """Every team by name."""
    return list(Owner.objects.order_by("name").values_list("name", flat=True))


def team_id(name: str) -> int | None:
    """The id of a team; None where there is none of this name."""
    return Owner.objects.filter(name=name).values_list("pk", flat=True).first()
