"""The calendar: its events brought up to date, and feeds made and revoked."""

from scheduler.services.calendar.feeds import UnableToMakeFeed, make_feed, note_feed_read, revoke_feed
from scheduler.services.calendar.refreshing import Refreshed, refresh_calendar

__all__ = [
    "Refreshed",
    "UnableToMakeFeed",
    "make_feed",
    "note_feed_read",
    "refresh_calendar",
    "revoke_feed",
]
