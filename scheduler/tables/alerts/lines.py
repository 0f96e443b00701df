"""Alerts as lines of the inbox: what each says of itself in the fewest words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from reservations.domain import notation
from reservations.domain.access import Action, Person, may
from scheduler.domain.alert.episode import EpisodeState
from scheduler.domain.attention.item import NextStep
from scheduler.selectors.alerts import EpisodeRow
from scheduler.tables.alerts.lasting import lasting
from scheduler.tables.alerts.rules import rule_title

NO_PRICES = "your role does not include prices"


@dataclass(frozen=True, slots=True)
class Line:
    """One alert in words; ``money`` blank where none is told, ``why_no_money`` says why it is not.

    ``beside`` is who took it or until when it is put off; ``movable``: whether this person may do something about it.
    """

    id: int
    rule: str
    title: str
    subject: str
    severity: str
    state: str
    summary: str
    cause: str
    money: str
    currency: str
    why_no_money: str
    since: str
    since_at: datetime
    beside: str
    step: NextStep
    movable: bool
    done: bool


def lines(rows: Iterable[EpisodeRow], *, person: Person, as_of: datetime, zone: tzinfo) -> list[Line]:
    """Rows in their order, with the money that this person may see."""
    return [line(row, person=person, as_of=as_of, zone=zone) for row in rows]


def line(row: EpisodeRow, *, person: Person, as_of: datetime, zone: tzinfo) -> Line:
    """One row in words."""
    money, currency, why = money_words(row, person)
    return Line(
        id=row.id,
        rule=row.rule,
        title=rule_title(row.rule),
        subject=row.subject,
        severity=row.severity.value,
        state=row.state.value,
        summary=row.summary,
        cause=row.cause,
        money=money,
        currency=currency,
        why_no_money=why,
        since=lasting(row.since, as_of, zone),
        since_at=row.since,
        beside=_beside(row, as_of, zone),
        step=row.next_step,
        movable=row.state is not EpisodeState.RESOLVED and may(person, Action.HANDLE_ALERT, row.teams or None),
        done=row.state is EpisodeState.RESOLVED,
    )


def money_words(row: EpisodeRow, person: Person) -> tuple[str, str, str]:
    """A week's money, its currency, and why there is none where it costs something."""
    if row.weekly is None:
        return "", "", ""
    if not sees_money(row, person):
        return "", "", NO_PRICES
    if row.weekly.money is None:
        return "", "", row.weekly.why_not
    return notation.grouped(row.weekly.money), row.weekly.currency, ""


def sees_money(row: EpisodeRow, person: Person) -> bool:
    """Whether somebody may see what an alert costs."""
    return may(person, Action.SEE_PRICES, row.teams or None)


def _beside(row: EpisodeRow, as_of: datetime, zone: tzinfo) -> str:
    said = []
    if row.state is EpisodeState.SNOOZED and row.snoozed_until is not None:
        said.append(f"until {_when(row.snoozed_until, as_of, zone)}")
    if row.state is EpisodeState.ACKNOWLEDGED and row.acknowledged_by and not row.assigned_to:
        said.append(f"by {row.acknowledged_by}")
    if row.state is EpisodeState.RESOLVED:
        said.append(f"by {row.resolved_by}" if row.resolved_by else "found in order")
    if row.assigned_to:
        said.append(f"assigned to {row.assigned_to}")
    return ", ".join(said)


def _when(at: datetime, as_of: datetime, zone: tzinfo) -> str:
    local, today = at.astimezone(zone), as_of.astimezone(zone).date()
    return f"{local:%H:%M}" if local.date() == today else f"{notation.day_of_month(local.date())}, {local:%H:%M}"
