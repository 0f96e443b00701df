"""A draft as it was typed last."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F

from reservations.models import ExceptionVersion


@dataclass(frozen=True, slots=True)
class Draft:
    """The newest version of a request: its fields as texts, and the number of its last save."""

    typed: Mapping[str, str]
    saves: int


def draft_of(request_id: int) -> Draft | None:
    """The newest version of a request as it was typed; None where there is no such request."""
    newest = ExceptionVersion.objects.filter(request_id=request_id, number=F("request__version"))
    found = newest.values_list("typed", "saves").first()
    return None if found is None else Draft(*found)
