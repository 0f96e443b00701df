"""Ledger hours in which every identity holds, to be changed in one place by a test."""

from datetime import UTC, datetime, timedelta

from telemetry.domain.ledger import LedgerHour, QueueHour

H = 3_600_000
TEN = datetime(2026, 5, 4, 10, tzinfo=UTC)


def lawful(number: int = 0, *, busy: int = 6 * H, known: int = 8 * H, **said: object) -> LedgerHour:
    """Two nodes of 8 GPUs of which one was launched; every identity holds. ``number`` counts hours from ten."""
    owner = busy // 3
    queues = (
        QueueHour("", unattributed_busy=busy - 2 * owner, allocated=0),
        QueueHour("cq-a", owner_busy=owner, allocated=2 * H),
        QueueHour("cq-b", borrower_busy=owner, allocated=H),
    )
    fields: dict[str, object] = {
        "reserved": 16 * H,
        "paid": 16 * H,
        "ec2_unused": 8 * H,
        "expected": 8 * H,
        "not_joined": 0,
        "not_observed": 0,
        "known": known,
        "unknown": 8 * H - known,
        "busy": busy,
        "sm": busy // 2,
        "idle": known - busy,
        "idle_held": (known - busy) // 4,
        "idle_free": known - busy - (known - busy) // 4,
        "allocated": 3 * H,
        "owner_busy": owner,
        "borrower_busy": owner,
        "unmanaged_busy": 0,
        "unattributed_busy": busy - 2 * owner,
        "queues": queues,
        **said,
    }
    return LedgerHour(hour=TEN + timedelta(hours=number), **fields)  # type: ignore[arg-type]


def bare(number: int = 0, **said: object) -> LedgerHour:
    """An hour of a pool without telemetry: its reservations alone."""
    fields: dict[str, object] = {"reserved": 16 * H, "paid": 16 * H, "ec2_unused": 8 * H, "not_observed": 0, **said}
    return LedgerHour(hour=TEN + timedelta(hours=number), **fields)  # type: ignore[arg-type]
