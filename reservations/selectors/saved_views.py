"""Addresses that people keep under a name."""

from dataclasses import dataclass

from django.db.models import Q

from reservations.models import SavedView, User


@dataclass(frozen=True, slots=True)
class SavedViewRow:
    """One saved view as one person sees it; ``by`` is who saved it, ``landing`` that this person opens it first."""

    id: int
    name: str
    path: str
    by: str
    own: bool
    shared: bool
    landing: bool


def saved_views_of(*, user_id: int | None) -> list[SavedViewRow]:
    """A person's own views and those that others share, own ones first, by name, in one query."""
    if user_id is None:
        return []
    views = SavedView.objects.filter(Q(owner_id=user_id) | Q(shared=True)).select_related("owner")
    landing = User.objects.filter(pk=user_id).values("landing_view_id")[:1]
    rows = views.annotate(landing=landing).order_by("name", "pk")
    found = [_row(view, user_id) for view in rows]
    return sorted(found, key=lambda row: not row.own)


def landing_path(*, user_id: int) -> str | None:
    """The address a person wants to see after the log-in, unless its view is gone or no longer shown to them."""
    view = SavedView.objects.filter(pk__in=User.objects.filter(pk=user_id).values("landing_view_id"))
    return view.filter(Q(owner_id=user_id) | Q(shared=True)).values_list("path", flat=True).first()


def _row(view: SavedView, user_id: int) -> SavedViewRow:
    return SavedViewRow(
        id=view.pk,
        name=view.name,
        path=view.path,
        by=view.owner.get_username(),
        own=view.owner_id == user_id,
        shared=view.shared,
        landing=view.landing == view.pk,
    )
