"""Asking every rule about one instant, and keeping what that changes: all of it or nothing, and never backwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import connection, transaction

from reservations.domain import notation
from reservations.selectors.organisation import accounting_zone
from scheduler.alerts import every_rule
from scheduler.domain.alert.episode import EpisodeState, Turn, turned
from scheduler.domain.alert.finding import Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.models import AlertEpisode, AlertEvaluation
from scheduler.selectors.alert_facts import alert_facts
from scheduler.selectors.notification_addresses import directory
from scheduler.selectors.thresholds import limits_of, written_thresholds
from scheduler.services.alerts.owing import owe_messages, told_while_live
from scheduler.services.alerts.turning import Turned, hushed_of, standing_of, turn_rows, write_turned

CHECKING = 0x616C6572
"""The lock under which rules are asked: one evaluation at a time."""

AHEAD = timedelta(minutes=5)
"""So far the clock of who asks may be ahead of the database's: what is evaluated is not evaluated again."""

log = structlog.get_logger(__name__)

AnyRule = Rule[Any, Any]


class UnableToCheck(ValueError):
    """The rules can't be asked about this instant; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One episode that an evaluation opened or resolved."""

    rule: str
    object: str
    severity: Severity
    since: datetime
    summary: str
    cause: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What an evaluation changed; ``open`` counts all that is not resolved then, ``deliveries`` the messages now owed.

    ``failed``: rule → what went wrong with it; its episodes stayed as they were. ``evaluated`` False: this instant is
    not after the newest that was evaluated, and nothing changed.
    """

    as_of: datetime
    evaluated: bool
    opened: Sequence[Changed] = ()
    resolved: Sequence[Changed] = ()
    open: int = 0
    deliveries: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)


@transaction.atomic
def check_alerts(*, as_of: datetime, made_at: datetime, rules: Sequence[AnyRule] | None = None) -> Checked:
    """Ask the rules (all without ``rules``) about an instant, turn their episodes and plan the messages that this owes.

    Safe to be called at any time by anybody: an instant at or before the newest changes nothing. UnableToCheck for one
    that lies ahead, which would keep every evaluation until then from changing anything.
    """
    _refuse_what_lies_ahead(as_of)
    _lock()
    newest = AlertEvaluation.objects.values_list("as_of", flat=True).first()
    if newest is not None and as_of <= newest:
        return Checked(as_of, False, open=_live().count())
    asked = every_rule() if rules is None else rules
    said, failed = _verdicts(asked, as_of)
    live = {row.pk: row for row in _live().select_for_update().order_by("pk")}
    changed = _turned(live, said, failed, as_of, gone=rules is None)
    before = told_while_live()
    write_turned(changed, as_of=as_of)
    told = [*((row, ()) for row in changed.opened), *changed.kept, *((row, ()) for row in changed.resolved)]
    deliveries = owe_messages(
        [*told, *_unturned(live, changed)],
        before=before,
        directory=directory(),
        as_of=as_of,
        made_at=made_at,
        elsewhere=frozenset(changed.replaced),
    )
    _keep_evaluation(as_of, made_at, changed, said, failed)
    return Checked(
        as_of,
        True,
        opened=[_changed(row) for row in changed.opened],
        resolved=[_changed(row) for row in changed.resolved],
        open=len(live) - len(changed.resolved) + len(changed.opened),
        deliveries=deliveries,
        failed=failed,
    )


def _verdicts(rules: Sequence[AnyRule], as_of: datetime) -> tuple[dict[str, Verdicts], dict[str, str]]:
    """What each rule says, and why one says nothing: a fault in one keeps no other from being asked."""
    facts = alert_facts(as_of=as_of, zone=accounting_zone())
    written = written_thresholds()
    said, failed = {}, {}
    for rule in rules:
        try:
            said[rule.name] = rule.check(facts, limits_of(rule, written))
        except Exception as fault:
            log.exception("rule failed", rule=rule.name)
            failed[rule.name] = f"{type(fault).__name__}: {fault}"[:300]
    return said, failed


def _turned(
    live: Mapping[int, AlertEpisode],
    said: Mapping[str, Verdicts],
    failed: Mapping[str, str],
    as_of: datetime,
    *,
    gone: bool,
) -> Turned:
    """Every rule's turn; with ``gone``, what a rule opened that exists no more is resolved.

    Of a rule that failed or was not asked nothing is said: its episodes stay, and wake at their time all the same.
    """
    hushed = list(AlertEpisode.objects.filter(hushed=True, rule__in=said).order_by("pk"))
    by_rule: dict[str, list[AlertEpisode]] = {name: [] for name in said}
    for row in live.values():
        by_rule.setdefault(row.rule, []).append(row)
    changed, cleared = Turned(), []
    for name, rows in by_rule.items():
        unsaid = Verdicts() if gone and name not in failed else Verdicts(held=frozenset(row.key for row in rows))
        turn = turned(
            [standing_of(row) for row in rows],
            said.get(name, unsaid),
            as_of=as_of,
            hushed=hushed_of(name, hushed),
        )
        turn_rows(name, turn, {row.pk: row for row in rows}, changed, as_of=as_of)
        cleared += _cleared(name, turn, hushed)
    if cleared:
        AlertEpisode.objects.filter(pk__in=cleared).update(hushed=False)
    return changed


def _cleared(rule: str, turn: Turn, hushed: Sequence[AlertEpisode]) -> list[int]:
    return [row.pk for row in hushed if row.rule == rule and row.object in turn.cleared]


def _unturned(live: Mapping[int, AlertEpisode], changed: Turned) -> list[tuple[AlertEpisode, tuple[str, ...]]]:
    """What was held or not asked about still waits for an answer, and rings on."""
    touched = {row.pk for row, _ in changed.kept} | {row.pk for row in changed.resolved}
    return [(row, ()) for pk, row in live.items() if pk not in touched]


def _live() -> Any:
    return AlertEpisode.objects.exclude(state=EpisodeState.RESOLVED.value)


def _keep_evaluation(
    as_of: datetime, made_at: datetime, changed: Turned, said: Mapping[str, Verdicts], failed: Mapping[str, str]
) -> None:
    AlertEvaluation.objects.create(
        as_of=as_of,
        made_at=made_at,
        opened=len(changed.opened),
        resolved=len(changed.resolved),
        silent={name: len(verdicts.held) for name, verdicts in said.items() if verdicts.held},
        failed=failed,
    )


def _changed(row: AlertEpisode) -> Changed:
    return Changed(row.rule, row.object, Severity(row.severity), row.since, row.summary, row.cause)


def _lock() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CHECKING])


def _refuse_what_lies_ahead(as_of: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    if as_of > now + AHEAD:
        raise UnableToCheck(f"{notation.instant(as_of)} lies ahead: rules are asked about now or what was.")
