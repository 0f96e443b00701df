"""Keeping, renaming and dropping saved views; nobody touches another person's."""

from django.db import transaction

from reservations.domain.site_path import UnableToKeepPath, site_path
from reservations.models import SavedView, User

MOST_VIEWS = 200
"""So many a person may keep: a list longer than that finds nothing any more."""

OPENING = "/views/"
"""Addresses that open a saved view: one that led to itself would turn in a circle."""


class UnableToSaveView(ValueError):
    """A view may not be kept this way; the message is one sentence."""


@transaction.atomic
def save_view(*, user_id: int, name: str, path: str, shared: bool) -> int:
    """The id of a new saved view; UnableToSaveView for a name taken, an address that is none or one too many."""
    try:
        kept = site_path(path)
    except UnableToKeepPath as unable:
        raise UnableToSaveView(str(unable)) from unable
    if kept.startswith(OPENING):
        raise UnableToSaveView("an address that itself opens a saved view cannot be kept")
    _locked(user_id)
    own = SavedView.objects.filter(owner_id=user_id)
    if own.count() >= MOST_VIEWS:
        raise UnableToSaveView(f"you keep {MOST_VIEWS} views already: delete one that is no longer used")
    _free(user_id, name)
    return SavedView.objects.create(owner_id=user_id, name=name, path=kept, shared=shared).pk


@transaction.atomic
def change_view(*, view_id: int, user_id: int, name: str, shared: bool) -> bool:
    """Whether a view of this person was there to get another name or be shared; UnableToSaveView for a name taken."""
    _locked(user_id)
    own = SavedView.objects.filter(pk=view_id, owner_id=user_id)
    if not own.exists():
        return False
    _free(user_id, name, but=view_id)
    return bool(own.update(name=name, shared=shared))


def delete_view(*, view_id: int, user_id: int) -> bool:
    """Whether a view of this person was there to be deleted."""
    deleted, _ = SavedView.objects.filter(pk=view_id, owner_id=user_id).delete()
    return bool(deleted)


def _locked(user_id: int) -> None:
    """One change at a time of what a person keeps, so that two can't take one name."""
    User.objects.select_for_update().filter(pk=user_id).values_list("pk").first()


def _free(user_id: int, name: str, but: int | None = None) -> None:
    if SavedView.objects.filter(owner_id=user_id, name=name).exclude(pk=but).exists():
        raise UnableToSaveView(f"you have a view called “{name}” already: choose another name, or delete that one")
