from reservations.models import User


def set_preferences(*, user_id: int, zone: str, landing_view_id: int | None) -> None:
    """Keep the zone a person reads instants in (blank: the organisation's) and the view they open first."""
    User.objects.filter(pk=user_id).update(zone=zone, landing_view_id=landing_view_id)
