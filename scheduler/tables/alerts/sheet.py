"""Alerts as a sheet to take away: the rows of the inbox with every digit."""

from collections.abc import Iterable

from reservations.domain.access import Person
from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.attention.item import Weekly
from scheduler.selectors.alerts import EpisodeRow
from scheduler.tables.alerts.lines import sees_money
from telemetry.tables.usage import gpu_hours

COLUMNS = (
    Column("id", "id", Kind.COUNT),
    Column("severity", "severity", Kind.TEXT),
    Column("state", "state", Kind.TEXT),
    Column("rule", "rule", Kind.TEXT),
    Column("subject", "subject", Kind.TEXT),
    Column("object", "object", Kind.TEXT),
    Column("pool", "pool", Kind.TEXT),
    Column("owner", "owner", Kind.TEXT),
    Column("summary", "what", Kind.TEXT),
    Column("cause", "why", Kind.TEXT),
    Column("gpu_hours_a_week", "GPU-hours a week", Kind.GPU_HOURS, "GPU-hours"),
    Column("money_a_week", "money a week", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("since", "since", Kind.INSTANT),
    Column("opened_at", "opened", Kind.INSTANT),
    Column("assigned_to", "assigned to", Kind.TEXT),
    Column("acknowledged_by", "acknowledged by", Kind.TEXT),
    Column("snoozed_until", "put off until", Kind.INSTANT),
    Column("resolved_at", "resolved", Kind.INSTANT),
    Column("resolved_by", "resolved by", Kind.TEXT),
    Column("next_step", "next step", Kind.TEXT),
)


def alerts_sheet(rows: Iterable[EpisodeRow], person: Person, about: tuple[tuple[str, str], ...]) -> Sheet:
    """Every row in its order; money for who may see it, unknown otherwise."""
    return Sheet("alerts", "Alerts", COLUMNS, tuple(_cells(row, person) for row in rows), about)


def told_weekly(row: EpisodeRow, person: Person) -> Weekly | None:
    """What a week of it costs, without the money that somebody may not see."""
    if row.weekly is None or sees_money(row, person):
        return row.weekly
    return Weekly(row.weekly.gpu_ms)


def _cells(row: EpisodeRow, person: Person) -> tuple[object, ...]:
    weekly = told_weekly(row, person)
    return (
        row.id,
        row.severity.value,
        row.state.value,
        row.rule,
        row.subject,
        row.object,
        row.pool or None,
        row.owner or None,
        row.summary,
        row.cause or None,
        None if weekly is None else gpu_hours(weekly.gpu_ms),
        None if weekly is None else weekly.money,
        None if weekly is None else weekly.currency or None,
        row.since,
        row.opened_at,
        row.assigned_to or None,
        row.acknowledged_by or None,
        row.snoozed_until,
        row.resolved_at,
        row.resolved_by or None,
        row.next_step.verb,
    )
