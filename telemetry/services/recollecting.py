"""Working off what was asked for once more: one request at a time, oldest first, a few hours at a time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog
from django.db import DatabaseError
from django.db.models import F

from reservations.domain.period import HOUR, Period
from telemetry.domain.recollection import (
    LIVE,
    MOST_TRIES,
    Counts,
    RecollectionState,
    Stretch,
    may_become,
    outcome_sentence,
    stretches,
)
from telemetry.models import Recollection
from telemetry.services.collection import collect_hours
from telemetry.services.collection_run import GIVE_UP_AFTER_FAILURES, CollectionReport
from telemetry.services.sole_run import sole_run

CHUNK = timedelta(hours=6)
"""What is computed between two looks at whether somebody took the request back, and what a killed worker repeats."""

RECOLLECT_LOCK = 0x7265636F
"""The class of the advisory lock that keeps requests one after another: they leave the other workers to the clock."""

log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]


def run_recollections(*, clock: Clock) -> int:
    """Work off every request that waits or that a dead worker left behind, and say how many were begun.

    Safe to be killed at any point and to be called from anywhere at any time: while another worker is at it,
    nothing happens; a request that was begun goes on where its last whole part ended.
    """
    begun = 0
    with sole_run(RECOLLECT_LOCK) as alone:
        while alone and (recollection := _next(clock)) is not None:
            begun += 1
            _work_off(recollection, clock)
    return begun


def _next(clock: Clock) -> Recollection | None:
    """The oldest request that can still become something, with one more try to its name."""
    for recollection in Recollection.objects.filter(state__in=LIVE).order_by("asked_at", "pk"):
        if recollection.tries >= MOST_TRIES:
            sentence = f"Given up: {MOST_TRIES} workers began it and got no further."
            _end(recollection, RecollectionState.FAILED, clock, sentence)
            continue
        fresh = recollection.state == RecollectionState.QUEUED
        started = {"state": RecollectionState.RUNNING, "started_at": clock()} if fresh else {}
        alive = Recollection.objects.filter(pk=recollection.pk, state=recollection.state)
        if alive.update(tries=F("tries") + 1, **started):
            recollection.refresh_from_db()
            return recollection
    return None


def _work_off(recollection: Recollection, clock: Clock) -> None:
    try:
        while recollection.state == RecollectionState.RUNNING:
            _advance(recollection, clock)
    except Recollection.DoesNotExist:
        return  # it went with its pool
    except Exception as fault:
        if not _of_the_database(fault):
            sentence = "Stopped by a fault of Moorage: the worker's log has it."
            _end(recollection, RecollectionState.FAILED, clock, sentence)
        raise  # what the database would not do stays as it is, for the next run


def _of_the_database(fault: Exception) -> bool:
    """Whether it is the database's alone, by itself or out of the collection of some pools."""
    if isinstance(fault, ExceptionGroup):
        return fault.split(DatabaseError)[1] is None
    return isinstance(fault, DatabaseError)


def _advance(recollection: Recollection, clock: Clock) -> None:
    """One part more, or the end."""
    start = recollection.period.lower.astimezone(UTC) + recollection.done_hours * HOUR
    if start >= recollection.period.upper:
        return _finish(recollection, clock)
    part = Period(start, min(start + CHUNK, recollection.period.upper.astimezone(UTC)))
    report = collect_hours(pool_ids=[recollection.pool_id], period=part, as_of=clock(), force=recollection.force)
    _keep(recollection, report)
    if recollection.state == RecollectionState.RUNNING and _silent(report):
        _end(recollection, RecollectionState.FAILED, clock, f"The source gave no answer: {_outcome(recollection)}")
    return None


def _silent(report: CollectionReport) -> bool:
    """Whether the source answered nothing at all, often enough not to be asked for the rest."""
    return report.counts["failed"] == report.counts.total() >= GIVE_UP_AFTER_FAILURES


def _keep(recollection: Recollection, report: CollectionReport) -> None:
    """What one part came to; the request as it stands then, which may be taken back, or further than we brought it."""
    counts = {name: getattr(recollection, name) + report.counts[name] for name in Counts.__dataclass_fields__}
    alive = Recollection.objects.filter(
        pk=recollection.pk, state=RecollectionState.RUNNING, done_hours=recollection.done_hours
    )
    alive.update(
        **counts,
        done_hours=Counts(**counts).done,
        problems=_told(recollection.problems, report),
        tries=0,
    )
    recollection.refresh_from_db()


def _told(before: list[dict[str, str]], report: CollectionReport) -> list[dict[str, str]]:
    """The hours that were not stored and why, those in a row as one."""
    known = [
        Stretch(one["status"], one["why"], Period(*map(datetime.fromisoformat, (one["from"], one["to"]))))
        for one in before
    ]
    hours: dict[tuple[str, str], list[datetime]] = {key: list(new) for key, new in report.hours.items()}
    for one in known:
        hours.setdefault((one.status, one.why), []).extend(one.period.hours())
    together = [part for (status, why), each in hours.items() for part in stretches(status, why, each)]
    return [
        {
            "status": one.status,
            "why": one.why,
            "from": one.period.start.isoformat(),
            "to": one.period.end.isoformat(),
        }
        for one in sorted(together, key=lambda one: (one.period, one.status, one.why))
    ]


def _finish(recollection: Recollection, clock: Clock) -> None:
    nothing = recollection.failed == recollection.total_hours
    state = RecollectionState.FAILED if nothing else RecollectionState.DONE
    _end(recollection, state, clock, _outcome(recollection))


def _outcome(recollection: Recollection) -> str:
    counts = Counts(**{name: getattr(recollection, name) for name in Counts.__dataclass_fields__})
    return outcome_sentence(counts, recollection.total_hours)


def _end(recollection: Recollection, state: RecollectionState, clock: Clock, message: str) -> None:
    moved = Recollection.objects.filter(pk=recollection.pk, state__in=may_become(state)).update(
        state=state, finished_at=clock(), message=message
    )
    recollection.refresh_from_db()
    if moved:
        log.info("recollection ended", recollection=recollection.pk, state=state.value, outcome=message)
