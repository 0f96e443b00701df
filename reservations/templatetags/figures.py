"""How templates write numbers, instants and terms: thin names for ``reservations.domain.notation``."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import lru_cache

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from reservations.domain import notation
from reservations.domain.glossary import GLOSSARY
from reservations.views.asking import zones_on

register = template.Library()

TYPED = re.compile(r"(manage\.py [a-z_]+(?: FILE| --[a-z]+ [a-z]+)*)")
"""A command within a sentence, with what follows it."""


@register.filter
def day(value: date) -> str:
    """``9 May 2026``."""
    return notation.day(value)


@register.filter
def month_name(value: date) -> str:
    """``May 2026``."""
    return notation.month(value)


@register.filter
def month_key(value: date | datetime, zone: tzinfo = UTC) -> str:
    """``2026-05``, as addresses have it."""
    return f"{_in(value, zone):%Y-%m}"


@register.filter
def day_key(value: date | datetime, zone: tzinfo = UTC) -> str:
    """``2026-05-09``, as addresses have it."""
    return f"{_in(value, zone):%Y-%m-%d}"


@register.filter
def sentence(notes: dict[str, str], flag: str) -> str:
    """What a flag says in this hour."""
    return notes.get(flag, "")


@register.filter
def instant(value: datetime | None, zone: tzinfo = UTC) -> str:
    """``9 May 2026, 13:00 UTC``."""
    return notation.UNKNOWN if value is None else notation.instant(value, zone)


@register.filter
def duration(value: timedelta | None) -> str:
    """``2 h 5 min``."""
    return notation.UNKNOWN if value is None else notation.duration(value)


@register.filter
def percent(value: Decimal | None) -> str:
    """A share as per cent; a dash where it is unknown."""
    return notation.percent(value)


@register.filter
def grouped(value: int) -> str:
    """A whole number with thin spaces."""
    return notation.grouped(value)


@register.simple_tag
def commands(text: str) -> SafeString:
    """A sentence, its commands set as what one types."""
    parts = enumerate(TYPED.split(text))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if place % 2 else part,) for place, part in parts)
    )


@register.simple_tag
def query(**parts: object) -> str:
    """``?pool=…&month=…`` of the parts that are given; dates of months as ``2026-05``."""
    asked = {key: f"{value:%Y-%m}" if isinstance(value, date) else value for key, value in parts.items() if value}
    return "?" + urlencode(asked)


@register.simple_tag
def term(name: str, label: str = "") -> SafeString:
    """A term of the glossary, its label where it differs, with its definition to open."""
    return _defined(name, label or name)


@lru_cache(maxsize=1024, typed=True)
def _defined(name: str, label: str) -> SafeString:
    meaning = GLOSSARY.get(name, "")
    if not meaning:
        return format_html("{}", label)
    return format_html(
        '<details class="term" name="term"><summary>{}</summary><p>{} <a href="{}#{}">Glossary</a></p></details>',
        label,
        meaning,
        reverse("reservations:glossary"),
        name,
    )


@register.simple_tag(takes_context=True)
def seen(context: Context, at: datetime | None) -> SafeString:
    """An instant as its reader's clock shows it, the zone named, in an element machines can read."""
    if at is None:
        return format_html("{}", notation.UNKNOWN)
    written = notation.instant(at, zones_on(context["request"]).seen)
    return format_html('<time datetime="{}">{}</time>', f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", written)


def _in(value: date | datetime, zone: tzinfo) -> date | datetime:
    return value.astimezone(zone) if isinstance(value, datetime) else value
