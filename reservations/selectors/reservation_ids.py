"""Reservations of the inventory by the id that their provider gave them."""

from reservations.models import Reservation


def reservation_id_of(external_id: str, *, pool_id: int) -> int | None:
    """The key of a reservation that backs a pool, or backed it once; None where it has none of that id."""
    rows = Reservation.objects.filter(external_id=external_id, memberships__pool_id=pool_id).order_by("-pk")
    return rows.values_list("pk", flat=True).first()


def reservation_choices(*, pool_id: int) -> list[str]:
    """The ids of the reservations of a pool, the newest first: what a purchase can be said to be."""
    rows = (
        Reservation.objects.filter(memberships__pool_id=pool_id).order_by("-pk").values_list("external_id", flat=True)
    )
    return list(dict.fromkeys(rows))[:50]
