"""One file per rule, each with its ``RULE``; a file here stands in this tuple."""

from importlib import import_module
from typing import Any

from scheduler.domain.alert.finding import Rule

RULES: tuple[str, ...] = (
    "reserved_unused",
    "double_pay",
    "decision_due",
    "end_date_surprise",
    "block_starting_unused",
    "block_ending",
    "extension_closing",
    "becoming_on_demand",
    "allocated_not_busy",
    "below_break_even",
    "pool_short",
    "wrong_zone",
    "generation_outlived",
    "telemetry_missing",
    "telemetry_suspect",
    "source_stale",
    "unapproved_purchase",
    "condition_due",
    "break_glass_unsigned",
    "approval_waiting",
)


def every_rule() -> tuple[Rule[Any, Any], ...]:
    """The rules themselves, in the order of the tuple."""
    return tuple(import_module(f"{__name__}.{name}").RULE for name in RULES)
