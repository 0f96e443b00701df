"""One thing that stands in a calendar: an instant in UTC, or a whole day of the accounting zone."""

from enum import StrEnum


class EventKind(StrEnum):
    """Every kind of event that a reservation may bring."""

    START = "start"
    DECISION = "decision"
    EXTENSION_OPENS = "extension_opens"
    EXTENSION_CLOSES = "extension_closes"
    USABLE_END = "usable_end"
    END = "end"
