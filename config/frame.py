"""What the frame around every page needs: the clocks it goes by, and a plain word where they are broken."""

from collections.abc import Callable

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from reservations.domain.access import Person, lacks_second_factor
from reservations.selectors.organisation import UnableToCountDays
from reservations.views.answers import problem_page
from reservations.views.asking import zones_on

NUL = "NUL (0x00)"
"""How the database and its driver call the one character that no text of theirs holds."""


def frame(request: HttpRequest) -> dict[str, object]:
    """``zones`` of whoever asks, read from the database when a template first uses one; and what their log-in lacks.

    The frame asks nobody's roles of its own accord: pages that have none read say nothing about a second factor.
    """
    return {
        "zones": SimpleLazyObject(lambda: zones_on(request)),
        "second_factor_due": SimpleLazyObject(lambda: lacks_second_factor(getattr(request, "_person", Person("")))),
    }


class PlainAnswers:
    """Middleware: what no page could foresee and anybody can mend is said in a sentence, in our frame."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A page for an accounting zone that is none, and for a text no database keeps; all else goes its way."""
        if isinstance(exception, (ValueError, DataError)) and NUL in str(exception):
            return problem_page(request, 400, "This can’t be read", "It holds a null character: take that out.")
        if not isinstance(exception, UnableToCountDays):
            return None
        told = str(exception)
        sentence = f"{told[0].upper()}{told[1:]}. Until an admin sets it right, no day and no month can be counted."
        return problem_page(request, 503, "The accounting zone is not known", sentence)
