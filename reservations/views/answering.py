"""A request that no page can be shown for says so in one sentence, in our frame and with the right status."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


class UnableToShow(Exception):
    """``status`` is the HTTP status, ``title`` the heading, the message one sentence."""

    def __init__(self, status: int, title: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.title = title


def shows_plainly(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose UnableToShow becomes a page."""

    @wraps(view)
    def shown(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except UnableToShow as problem:
            context = {"title": problem.title, "sentence": str(problem), "section": "reservations"}
            return render(request, "problem.html", context, status=problem.status)

    return shown
