"""Which columns of a wide table are shown: chosen by the address, all that are not said otherwise without a choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from reservations.views.answers import READABLE, UnableToAnswer, quoted

NAME = "columns"


@dataclass(frozen=True, slots=True)
class Choice:
    """One column that can be shown."""

    key: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """The choices in the table's order; ``asked`` is how an address says them, blank for what is shown at first."""

    choices: tuple[Choice, ...]
    asked: str

    @property
    def shown(self) -> frozenset[str]:
        """The keys of those that are shown."""
        return frozenset(one.key for one in self.choices if one.chosen)

    def count(self, *keys: str) -> int:
        """How many of some columns are shown."""
        return len(self.shown.intersection(keys))


def columns_asked(request: HttpRequest, known: Mapping[str, str], *, at_first: Sequence[str]) -> Columns:
    """``?columns=state,size`` or as a form says it, once for each; UnableToAnswer for one that the table has not."""
    texts = [text for value in request.GET.getlist(NAME) for text in value.split(",") if text]
    for text in texts:
        if text not in known:
            said = f"{quoted(text[:READABLE])} is no column here: use some of {', '.join(known)}."
            raise UnableToAnswer(400, "No such column", said)
    shown = set(texts) or set(at_first)
    choices = tuple(Choice(key, label, key in shown) for key, label in known.items())
    return Columns(choices, "" if shown == set(at_first) else ",".join(one.key for one in choices if one.chosen))


def told_apart(request: HttpRequest, columns: Columns) -> str:
    """The address of the same page with the columns in one word, where a form named each by itself; else blank."""
    if request.GET.getlist(NAME) in ([], [columns.asked]):
        return ""
    query = request.GET.copy()
    query.pop(NAME)
    if columns.asked:
        query[NAME] = columns.asked
    return f"{request.path}?{query.urlencode(safe=',/')}" if query else request.path
