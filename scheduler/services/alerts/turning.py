"""Writing what an evaluation makes of the episodes of one rule."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from scheduler.domain.alert.episode import Deed, EpisodeState, Hushed, Kept, Standing, Step, Turn, woken_step
from scheduler.domain.alert.finding import Finding
from scheduler.domain.alert.severity import Severity
from scheduler.domain.attention.item import NextStep
from scheduler.models import AlertEpisode, EpisodeNote

BATCH = 1000

FOUND = (
    "key", "subject", "pool", "reservation", "owner", "teams", "severity", "since", "found_at", "step", "also",
    "summary", "cause", "numbers", "next_step", "weekly_gpu_ms", "weekly_money", "currency", "why_no_money",
)  # fmt: skip
MOVED = (
    "state",
    "snoozed_until",
    "snoozed_severity",
    "snoozed_money",
    "woken_at",
    "acknowledged_at",
    "acknowledged_by",
)


@dataclass
class Turned:
    """The rows that an evaluation changed, with the steps that each tells."""

    opened: list[AlertEpisode] = field(default_factory=list)
    kept: list[tuple[AlertEpisode, tuple[str, ...]]] = field(default_factory=list)
    resolved: list[AlertEpisode] = field(default_factory=list)
    replaced: set[int] = field(default_factory=set)
    notes: list[EpisodeNote] = field(default_factory=list)


def standing_of(row: AlertEpisode) -> Standing:
    """A row as the rules of episodes see it."""
    return Standing(
        id=row.pk,
        key=row.key,
        object=row.object,
        state=EpisodeState(row.state),
        severity=Severity(row.severity),
        step=row.step,
        also=tuple(row.also),
        snoozed_until=row.snoozed_until,
        snoozed_severity=Severity(row.snoozed_severity) if row.snoozed_severity else None,
        snoozed_money=row.snoozed_money,
    )


def hushed_of(rule: str, rows: Iterable[AlertEpisode]) -> list[Hushed]:
    """What people resolved of one rule and is not in order since."""
    return [Hushed(row.key, row.object, Severity(row.severity), tuple(row.also)) for row in rows if row.rule == rule]


def turn_rows(rule: str, turn: Turn, rows: dict[int, AlertEpisode], turned: Turned, *, as_of: datetime) -> None:
    """Change the rows of one rule in memory as its turn has it; :func:`write_turned` writes those of all."""
    turned.opened += [_opened(rule, finding, as_of) for finding in turn.opened]
    for kept in turn.kept:
        row = rows[kept.standing.id]
        turned.notes += _keep(row, kept, as_of)
        turned.kept.append((row, kept.steps))
    for standing in turn.woken:
        row = rows[standing.id]
        _wake(row, as_of)
        turned.notes.append(_note(row, Deed.WOKEN, "", as_of))
        turned.kept.append((row, (woken_step(as_of),)))
    for standing in turn.resolved:
        row = rows[standing.id]
        replaced = standing.id in turn.replaced
        row.state, row.resolved_at = EpisodeState.RESOLVED.value, as_of
        said = "The same was found on another occasion." if replaced else "Found in order."
        turned.notes.append(_note(row, Deed.RESOLVED, said, as_of))
        turned.resolved.append(row)
    turned.replaced |= turn.replaced


def write_turned(turned: Turned, *, as_of: datetime) -> None:
    """Write all of it in a few statements, whatever the number of rows."""
    AlertEpisode.objects.bulk_create(turned.opened, batch_size=BATCH, ignore_conflicts=True)
    if turned.opened:  # the database gives no ids of rows that may have stood
        objects = {(row.rule, row.object) for row in turned.opened}
        written = AlertEpisode.objects.filter(opened_at=as_of).exclude(state=EpisodeState.RESOLVED.value)
        turned.opened = [row for row in written.order_by("pk") if (row.rule, row.object) in objects]
    _write([row for row, _ in turned.kept], (*FOUND, *MOVED))
    resolved = AlertEpisode.objects.filter(pk__in=[row.pk for row in turned.resolved])
    resolved.update(state=EpisodeState.RESOLVED.value, resolved_at=as_of)
    EpisodeNote.objects.bulk_create(turned.notes, batch_size=BATCH)


def _write(rows: Sequence[AlertEpisode], fields: Sequence[str]) -> None:
    """One statement for a thousand rows, where an UPDATE by cases would look each up among all."""
    AlertEpisode.objects.bulk_create(
        rows, batch_size=BATCH, update_conflicts=True, update_fields=fields, unique_fields=["id"]
    )


def _opened(rule: str, finding: Finding, as_of: datetime) -> AlertEpisode:
    row = AlertEpisode(rule=rule, object=finding.object, state=EpisodeState.OPEN.value, opened_at=as_of)
    _set(row, finding, as_of)
    row.since = finding.since
    return row


def _keep(row: AlertEpisode, kept: Kept, as_of: datetime) -> list[EpisodeNote]:
    woken = row.state == EpisodeState.SNOOZED.value and kept.state is EpisodeState.OPEN
    row.since = min(row.since, kept.finding.since)
    _set(row, kept.finding, as_of)
    if woken:
        _wake(row, as_of)
    deeds = [_note(row, _deed(step), step, as_of) for step in kept.steps]
    if woken and Deed.WOKEN.value not in {note.deed for note in deeds}:
        deeds.insert(0, _note(row, Deed.WOKEN, "", as_of))
    return deeds


def _wake(row: AlertEpisode, as_of: datetime) -> None:
    row.state = EpisodeState.OPEN.value
    row.woken_at, row.snoozed_until, row.snoozed_severity, row.snoozed_money = as_of, None, "", None
    row.acknowledged_at, row.acknowledged_by = None, ""


def _deed(step: str) -> Deed:
    first = step.split(" ")[0]
    return {Step.WORSE.value: Deed.WORSE, Step.WOKEN.value: Deed.WOKEN}.get(first, Deed.STEP)


def _note(row: AlertEpisode, deed: Deed, text: str, at: datetime) -> EpisodeNote:
    return EpisodeNote(episode=row, deed=deed.value, text=text, at=at)


def _set(row: AlertEpisode, finding: Finding, as_of: datetime) -> None:
    subject, money = finding.subject, finding.money
    row.key, row.subject, row.pool, row.owner = subject.key, subject.name[:200], subject.pool, subject.owner
    row.reservation_id, row.teams = subject.reservation_id, sorted(subject.teams)
    row.severity, row.found_at, row.step = finding.severity.value, as_of, finding.step or row.step
    row.also = sorted({*row.also, *finding.also})
    row.summary, row.cause = finding.summary[:300], finding.cause[:500]
    row.numbers, row.next_step = [list(pair) for pair in finding.numbers], step_kept(finding.next_step)
    row.weekly_gpu_ms = money.gpu_ms if money else None
    row.weekly_money = money.money if money else None
    row.currency = money.currency if money else ""
    row.why_no_money = money.why_not[:200] if money else ""


def step_kept(step: NextStep) -> dict[str, Any]:
    """A next step as it can be kept."""
    return {
        "verb": step.verb,
        "page": step.page,
        "of": [list(pair) for pair in step.of],
        "query": [list(pair) for pair in step.query],
    }
