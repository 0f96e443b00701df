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


READABLE = 60
"""So much of what somebody wrote is said back to them."""


def quoted(text: str) -> str:
    """What somebody wrote, as it is said back to them."""
    return f"“{text if len(text) <= READABLE else f'{text[:READABLE]}…'}”"


def no_such_owner(name: str) -> UnableToAnswer:
    """The one answer to the name of a team that there is not, and of one whose pools are not this person's to see."""
    sentence = f"There is no owner {quoted(name)}, or none of its pools is yours to see."
    return UnableToAnswer(404, "No such owner", sentence)


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
