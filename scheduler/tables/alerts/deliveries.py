"""What was owed to whom and what became of it, as rows and as a sheet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.selectors.notification_routes import DeliveryRow
from scheduler.tables.alerts.routes import CHANNELS
from scheduler.tables.alerts.rules import rule_title
from scheduler.tables.alerts.story import TONES, state_words

COLUMNS = (
    Column("owed_at", "owed", Kind.INSTANT),
    Column("alert", "alert", Kind.COUNT),
    Column("rule", "rule", Kind.TEXT),
    Column("step", "step", Kind.TEXT),
    Column("subject", "subject", Kind.TEXT),
    Column("recipient", "recipient", Kind.TEXT),
    Column("channel", "channel", Kind.TEXT),
    Column("address", "address", Kind.TEXT),
    Column("mode", "mode", Kind.TEXT),
    Column("state", "state", Kind.TEXT),
    Column("attempts", "attempts", Kind.COUNT),
    Column("sent_at", "sent", Kind.INSTANT),
    Column("error", "error", Kind.TEXT),
)


@dataclass(frozen=True, slots=True)
class Sent:
    """One message in words."""

    at: datetime
    alert: int
    title: str
    step: str
    subject: str
    where: str
    channel: str
    state: str
    tone: str
    error: str


def deliveries_shown(rows: Iterable[DeliveryRow], zone: tzinfo) -> list[Sent]:
    """Rows in their order, in words."""
    return [
        Sent(
            at=one.owed_at,
            alert=one.episode_id,
            title=rule_title(one.rule),
            step=one.step,
            subject=one.subject,
            where=f"{one.route} ({one.shown})" if one.route else one.shown,
            channel=CHANNELS[one.channel],
            state=state_words(one, zone),
            tone=TONES[one.state],
            error=one.error,
        )
        for one in rows
    ]


def deliveries_sheet(rows: Sequence[DeliveryRow], about: tuple[tuple[str, str], ...]) -> Sheet:
    """Every row with all that is kept of it; addresses as far as they may be seen."""
    return Sheet("deliveries", "Delivery log", COLUMNS, tuple(_cells(one) for one in rows), about)


def _cells(one: DeliveryRow) -> tuple[object, ...]:
    return (
        one.owed_at,
        one.episode_id,
        one.rule,
        one.step,
        one.subject,
        one.recipient,
        one.channel.value,
        one.shown,
        one.mode.value,
        one.state.value,
        one.attempts,
        one.sent_at,
        one.error or None,
    )
