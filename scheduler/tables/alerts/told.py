"""An alert as a program is told of it."""

from reservations.domain.access import Person
from scheduler.selectors.alerts import EpisodeRow
from scheduler.tables.alerts.sheet import told_weekly
from telemetry.tables.usage import gpu_hours


def alert_told(row: EpisodeRow, person: Person) -> dict[str, object]:
    """Its fields by name; unknown is null, and so is money that this person may not see."""
    weekly = told_weekly(row, person)
    return {
        "id": row.id,
        "rule": row.rule,
        "object": row.object,
        "subject": row.subject,
        "pool": row.pool or None,
        "owner": row.owner or None,
        "severity": row.severity.value,
        "state": row.state.value,
        "since": row.since,
        "opened_at": row.opened_at,
        "found_at": row.found_at,
        "summary": row.summary,
        "cause": row.cause,
        "gpu_hours_a_week": None if weekly is None else gpu_hours(weekly.gpu_ms),
        "money_a_week": None if weekly is None else weekly.money,
        "currency": None if weekly is None else weekly.currency or None,
        "assigned_to": row.assigned_to or None,
        "acknowledged_by": row.acknowledged_by or None,
        "snoozed_until": row.snoozed_until,
        "resolved_at": row.resolved_at,
        "resolved_by": row.resolved_by or None,
    }
