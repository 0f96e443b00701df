"""Asking the rules, and what people do about what they found."""

from scheduler.services.alerts.moves import (
    Moved,
    UnableToMove,
    acknowledge_alerts,
    assign_alert,
    comment_on_alert,
    resolve_alerts,
    snooze_alerts,
    wake_alerts,
)

__all__ = [
    "Moved",
    "UnableToMove",
    "acknowledge_alerts",
    "assign_alert",
    "comment_on_alert",
    "resolve_alerts",
    "snooze_alerts",
    "wake_alerts",
]
