"""Computing ledger hours from their sources: every pool and hour on its own, so that one failing hides no other."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime

import structlog

from reservations.domain.period import HOUR, Period
from reservations.selectors.held import held_during
from reservations.selectors.pools import pool_rows
from telemetry.domain.kept_name import kept_text
from telemetry.models import CollectionRun
from telemetry.selectors.collecting import Target, due_hours, targets
from telemetry.services.collection_run import GIVE_UP_AFTER_FAILURES, CollectionReport, Computed, Run
from telemetry.services.computing import computed_hours, threshold_of
from telemetry.services.ledger import StoreReport, store_hours
from telemetry.services.sole_run import sole_run

BATCH_HOURS = 24
"""Hours of a back-fill that become rows in one transaction: what a killed worker has to read again at most."""

DUE_HOURS_A_RUN = 48
"""Hours of one pool that one run by the clock takes on; what is left of a long gap is made up by the next runs."""

COLLECT_LOCK = 0x636F6C6C
"""The class of the advisory lock that keeps runs by the clock from overlapping."""

log = structlog.get_logger(__name__)


def collect_hours(
    *,
    pool_ids: Collection[int],
    period: Period,
    as_of: datetime,
    force: bool = False,
    advance: Callable[[int], None] = lambda hours: None,
) -> CollectionReport:
    """Compute and store every whole hour of a period for some pools, as read at ``as_of``.

    ``advance`` is told how many pool hours were done. A source that gives nothing three hours in a row is asked
    only once more for each further pool. ValueError when the period has not ended at ``as_of``.
    """
    if period.end > as_of:
        raise ValueError(f"the period ends at {period.end}, after {as_of}")
    hours = list(period.hours())
    run = Run(as_of, force, CollectionReport(), advance)
    _collect_all(targets(pool_ids=pool_ids), lambda target: hours, run)
    return run.report


def collect_due_hours(*, as_of: datetime) -> CollectionReport:
    """Compute what the clock asks for: each hour five minutes, one hour and one day after it ended.

    What is due follows from the ledger itself, so hours a stopped worker missed are made up. While another run
    of it is under way it does nothing.
    """
    run = Run(as_of, False, CollectionReport(), lambda hours: None)
    with sole_run(COLLECT_LOCK) as alone:
        if not alone:
            log.info("another run is still collecting: nothing done")
            return run.report
        _collect_all(targets(pool_ids=[pool.id for pool in pool_rows()]), lambda target: _due(target, as_of), run)
    for problem, times in run.report.problems.items():
        log.warning(problem, pool_hours=times)
    log.info("hours collected", **run.report.counts)
    return run.report


def _due(target: Target, as_of: datetime) -> list[datetime]:
    return due_hours(pool_id=target.pool_id, source=target.source_name, as_of=as_of)[:DUE_HOURS_A_RUN]


def _collect_all(pools: Iterable[Target], hours_of: Callable[[Target], Sequence[datetime]], run: Run) -> None:
    """Every pool, one after another; what nobody anticipated in one is raised when all have had their turn."""
    bugs: list[Exception] = []
    with run.open:
        for target in pools:
            # A source that was given up for one pool may only have failed on that pool's question.
            run.failures[target.source_name] = min(run.failures[target.source_name], GIVE_UP_AFTER_FAILURES - 1)
            try:
                _collect(target, hours_of(target), run)
            except Exception as bug:
                bug.add_note(f"while collecting the pool “{target.shape.name}”")
                bugs.append(bug)
    if bugs:
        raise ExceptionGroup("some pools could not be collected", bugs)


def _collect(target: Target, hours: Sequence[datetime], run: Run) -> None:
    for at in range(0, len(hours), BATCH_HOURS):
        batch = hours[at : at + BATCH_HOURS]
        held = held_during(pool_id=target.pool_id, period=Period(min(batch), max(batch) + HOUR))
        computed = computed_hours(target, batch, held, run)
        stored = store_hours(
            pool_id=target.pool_id,
            source=target.source_name,
            hours=[one.row for one in computed if one.row is not None],
            read_at=run.as_of,
            force=run.force,
            threshold_share=threshold_of(target).share,
            details={one.hour: one.details for one in computed if one.row is not None},
        )
        _record(target, computed, stored, run)


def _record(target: Target, computed: Sequence[Computed], stored: StoreReport, run: Run) -> None:
    """Count how every hour ended, and keep it where it was tried."""
    tries: list[CollectionRun] = []
    for one in computed:
        problem = one.problem or stored.refused.get(one.hour, "")
        outcome = _status(one, stored)
        run.report.add(outcome, problem, one.hour)
        if one.tried:
            tries.append(
                CollectionRun(
                    pool_id=target.pool_id,
                    source=target.source_name,
                    hour=one.hour,
                    read_at=run.as_of,
                    status=outcome,
                    message=kept_text(problem),
                    took_ms=one.took_ms,
                )
            )
    CollectionRun.objects.bulk_create(tries)


def _status(one: Computed, stored: StoreReport) -> str:
    if one.row is None:
        return CollectionRun.Status.FAILED.value
    if one.hour in stored.refused:
        return CollectionRun.Status.REFUSED.value
    status = CollectionRun.Status.UNCHANGED if one.hour in stored.unchanged else CollectionRun.Status.STORED
    return status.value
