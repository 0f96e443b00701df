"""A draft as it was typed last."""

from collections.abc import Mapping
from dataclasses import dataclass

from reservations.models import ExceptionRequest, ExceptionVersion


@dataclass(frozen=True, slots=True)
class Draft:
    """The newest version of a request: its fields as texts, and the number of its last save."""

    typed: Mapping[str, str]
    saves: int


def draft_of(request_id: int) -> Draft | None:
    """The newest version of a request as it was typed; None where there is no such request."""
    number = ExceptionRequest.objects.filter(pk=request_id).values_list("version", flat=True).first()
    found = ExceptionVersion.objects.filter(request_id=request_id, number=number).values_list("typed", "saves").first()
    return None if found is None else Draft(*found)
