"""Asking the rules, and what people do about what they found."""

from scheduler.services.alerts.checking import Changed, Checked, UnableToCheck, check_alerts
from scheduler.services.alerts.moves import (
    Moved,
    UnableToMove,
    acknowledge_alerts,
    assign_alert,
    assign_alerts,
    comment_on_alert,
    resolve_alerts,
    snooze_alerts,
    wake_alerts,
)
from scheduler.services.alerts.retention import forget_old_alerts

__all__ = [
    "Changed",
    "Checked",
    "Moved",
    "UnableToCheck",
    "UnableToMove",
    "acknowledge_alerts",
    "assign_alert",
    "assign_alerts",
    "check_alerts",
    "comment_on_alert",
    "forget_old_alerts",
    "resolve_alerts",
    "snooze_alerts",
    "wake_alerts",
]
