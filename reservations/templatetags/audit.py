"""How an event of the audit trail is written on a page."""

from datetime import datetime, tzinfo

from django import template

from reservations.tables.audit import act_words

register = template.Library()


@register.filter
def act(word: str) -> str:
    """An act or a kind of object in words."""
    return act_words(word)


@register.filter
def to_second(at: datetime, zone: tzinfo) -> str:
    """``2026-05-09 13:00:07`` by a zone's clocks: trails are compared, and compared to the second."""
    return at.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
