"""Where the links of the front page lead."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode

from scheduler.domain.attention.item import NextStep


@dataclass(frozen=True, slots=True)
class Heading:
    """One column that can be sorted by: ``sorted_as`` is ``ascending``, ``descending`` or blank."""

    key: str
    label: str
    unit: str
    number: bool
    address: str
    sorted_as: str


def address(step: NextStep) -> str:
    """The address of a next step, with its query."""
    query = f"?{urlencode(step.query)}" if step.query else ""
    return reverse(step.page, kwargs=dict(step.of)) + query


_HEADINGS = (
    ("pool", "pool", "", False),
    ("reserved", "reserved", "GPU-hours", True),
    ("busy", "busy", "GPU-hours", True),
    ("share", "busy ÷ reserved", "", True),
    ("trend", "points", "", True),
    ("coverage", "coverage", "", True),
    ("end", "next end", "", False),
)

_BIGGEST_FIRST = frozenset({"reserved", "busy", "share", "trend"})


def headings(sort: str, rest: Mapping[str, str]) -> list[Heading]:
    """The columns of the portfolio; a click on the one that is sorted by turns it round."""
    return [_heading(key, label, unit, number, sort, rest) for key, label, unit, number in _HEADINGS]


def _heading(key: str, label: str, unit: str, number: bool, sort: str, rest: Mapping[str, str]) -> Heading:
    first, other = (f"-{key}", key) if key in _BIGGEST_FIRST else (key, f"-{key}")
    wanted = other if sort == first else first
    sorted_as = {key: "ascending", f"-{key}": "descending"}.get(sort, "")
    return Heading(key, label, unit, number, f"?{urlencode({**rest, 'sort': wanted})}#pools", sorted_as)
