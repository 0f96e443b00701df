"""A question that cannot be answered gets a page that says so in one sentence, with the right status."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


class UnableToAnswer(Exception):
    """A request no page can be shown for; ``status`` is the HTTP status, the message one sentence."""

    def __init__(self, status: int, title: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.title = title


def answers_plainly(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose UnableToAnswer becomes a page in our frame with the right status."""

    @wraps(view)
    def answered(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except UnableToAnswer as problem:
            return problem_page(request, problem.status, problem.title, str(problem))

    return answered


def problem_page(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    """The page of a problem in our frame."""
    return render(request, "problem.html", {"title": title, "sentence": sentence}, status=status)
