"""One page of a long list: which rows it holds, and where the pages beside it are."""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest

from reservations.domain import notation
from reservations.views.answers import UnableToAnswer


@dataclass(frozen=True, slots=True)
class Paged:
    """Page ``page`` of ``pages`` with the rows ``[start, end)`` of ``count``; blank addresses lead nowhere."""

    page: int
    pages: int
    start: int
    end: int
    count: int
    previous: str
    next: str

    @property
    def first(self) -> int:
        """The number of its first row, counted from 1."""
        return self.start + 1


def page_asked(request: HttpRequest) -> int:
    """The number in ``?page=``, 1 when nobody asked; UnableToAnswer for what is no number of a page."""
    text = request.GET.get("page", "") or "1"
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise UnableToAnswer(400, "That is not a page", f"“{text[:20]}” is not the number of a page.")
    return int(text)


def paged(page: int, *, count: int, a_page: int, address: Callable[[int], str]) -> Paged:
    """One page of ``count`` rows; ``address`` gives where a page is found. UnableToAnswer after the last one."""
    pages = max(1, -(-count // a_page))
    if page > pages:
        said = "one page" if pages == 1 else f"{notation.grouped(pages)} pages"
        raise UnableToAnswer(404, "No such page", f"This list has {said}: there is no page {notation.grouped(page)}.")
    start = (page - 1) * a_page
    return Paged(
        page=page,
        pages=pages,
        start=start,
        end=min(start + a_page, count),
        count=count,
        previous=address(page - 1) if page > 1 else "",
        next=address(page + 1) if page < pages else "",
    )
