"""Alerts made by hand: one line each, everything else as an evaluation usually leaves it."""

from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from scheduler.models import AlertEpisode


def alerted(subject: str = "cr-0aaa", **said: object) -> AlertEpisode:
    """An open episode of serving's pool that costs 1 234 USD a week, found three hours ago."""
    now = timezone.now()
    fields: dict[str, object] = {
        "rule": "reserved_unused",
        "key": f"reservation:{subject}",
        "object": f"reservation:{subject}",
        "subject": subject,
        "pool": "serve-h100",
        "owner": "serving",
        "teams": ["research", "serving"],
        "severity": "warning",
        "state": "open",
        "since": now - timedelta(hours=3),
        "opened_at": now - timedelta(hours=2),
        "found_at": now - timedelta(minutes=5),
        "summary": "2 of 4 nodes reserved and not launched",
        "cause": "Nothing references this targeted reservation.",
        "numbers": [["free", "2 of 4 nodes"], ["price", "40\u202fUSD a node-hour"]],
        "next_step": {
            "verb": "Open the pool",
            "page": "telemetry:pool-now",
            "of": [["name", "serve-h100"]],
            "query": [],
        },
        "weekly_gpu_ms": 2 * 8 * 168 * 3_600_000,
        "weekly_money": Decimal(1234),
        "currency": "USD",
    }
    return AlertEpisode.objects.create(**fields | said)
