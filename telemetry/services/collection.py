"""Computing ledger hours from their sources: every pool and hour on its own, so that one failing hides no other."""

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from typing import Any

import structlog

from reservations.domain.held import Held
from reservations.domain.period import HOUR, Period, hour_period
from reservations.selectors.held import held_during
from reservations.selectors.pools import pool_rows
from telemetry.domain.accounting import Threshold, ledger_hour
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.replacement import is_final
from telemetry.domain.sample import UnableToFetch, UsageQuestion
from telemetry.models import CollectionRun
from telemetry.selectors.collecting import SourceSettings, Target, due_hours, targets
from telemetry.services.ledger import StoreReport, store_hours
from telemetry.services.sole_run import sole_run
from telemetry.sources import USAGE_SOURCES

SOURCE_OF_KIND = {kind: import_module(f"telemetry.sources.{kind}") for kind in USAGE_SOURCES}

BATCH_HOURS = 24
"""Hours of a back-fill that become rows in one transaction: what a killed worker has to read again at most."""

DUE_HOURS_A_RUN = 48
"""Hours of one pool that one run by the clock takes on; what is left of a long gap is made up by the next runs."""

COLLECT_LOCK = 0x636F6C6C
"""The class of the advisory lock that keeps runs by the clock from overlapping."""

GIVE_UP_AFTER_FAILURES = 3
"""So many hours in a row from one source without an answer, and that run goes on to the next pool."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class CollectionReport:
    """How many pool hours ended in each way, and the distinct sentences about those that did not go well."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: dict[str, int] = field(default_factory=dict)

    def add(self, status: str, problem: str = "") -> None:
        """Count one hour, and its sentence if it has one."""
        self.counts[status] += 1
        if problem:
            self.problems[problem] = self.problems.get(problem, 0) + 1


@dataclass(slots=True)
class _Run:
    """One run over many hours: what is shared between them."""

    as_of: datetime
    force: bool
    report: CollectionReport
    advance: Callable[[int], None]
    sessions: dict[str, Any] = field(default_factory=dict)
    open: ExitStack = field(default_factory=ExitStack)
    failures: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Computed:
    """One hour's outcome before it is stored: a row, or one sentence why there is none."""

    hour: datetime
    row: LedgerHour | None
    problem: str = ""
    took_ms: int = 0
    tried: bool = True


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
    run = _Run(as_of, force, CollectionReport(), advance)
    _collect_all(targets(pool_ids=pool_ids), lambda target: hours, run)
    return run.report


def collect_due_hours(*, as_of: datetime) -> CollectionReport:
    """Compute what the clock asks for: each hour five minutes, one hour and one day after it ended.

    What is due follows from the ledger itself, so hours a stopped worker missed are made up. While another run
    of it is under way it does nothing.
    """
    run = _Run(as_of, False, CollectionReport(), lambda hours: None)
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


def _collect_all(pools: Iterable[Target], hours_of: Callable[[Target], Sequence[datetime]], run: _Run) -> None:
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


def _collect(target: Target, hours: Sequence[datetime], run: _Run) -> None:
    threshold = _threshold(target)
    for at in range(0, len(hours), BATCH_HOURS):
        batch = hours[at : at + BATCH_HOURS]
        held = held_during(pool_id=target.pool_id, period=Period(min(batch), max(batch) + HOUR))
        computed = [_computed(target, hour, _backing(held, hour), run) for hour in batch]
        stored = store_hours(
            pool_id=target.pool_id,
            source=target.source_name,
            hours=[one.row for one in computed if one.row is not None],
            read_at=run.as_of,
            force=run.force,
            threshold_share=threshold.share,
        )
        _record(target, computed, stored, run)


def _threshold(target: Target) -> Threshold:
    return Threshold.of(target.source.busy_threshold if target.source else None)


def _backing(held: Sequence[Held], hour: datetime) -> list[Held]:
    """The reservations that backed the pool in one hour of the batch: a row depends on its own hour alone."""
    return [
        one
        for one in held
        if (one.member_from is None or one.member_from < hour + HOUR)
        and (one.member_until is None or one.member_until > hour)
    ]


def _computed(target: Target, hour: datetime, held: Sequence[Held], run: _Run) -> _Computed:
    source = target.source_name
    if run.failures[source] >= GIVE_UP_AFTER_FAILURES:
        run.advance(1)
        problem = f"source “{source}” gave no answer {GIVE_UP_AFTER_FAILURES} times in a row: its other hours wait"
        return _Computed(hour, None, problem, tried=False)
    began = time.monotonic()
    try:
        row = _row(target, hour, held, run)
    except UnableToFetch as error:
        run.failures[source] += 1
        return _Computed(hour, None, str(error), int((time.monotonic() - began) * 1000))
    finally:
        run.advance(1)
    run.failures[source] = 0
    return _Computed(hour, row, "", int((time.monotonic() - began) * 1000))


def _row(target: Target, hour: datetime, held: Sequence[Held], run: _Run) -> LedgerHour:
    settings = target.source
    usage = None
    if settings is not None:
        question = _question(target, settings, held, hour)
        usage = SOURCE_OF_KIND[settings.kind].fetch(question, session=_session(settings, run))
    row = ledger_hour(hour=hour, pool=target.shape, held=held, usage=usage, threshold=_threshold(target))
    return dataclasses.replace(row, final=is_final(hour=hour, read_at=run.as_of, complete=row.complete))


def _session(settings: SourceSettings, run: _Run) -> Any:
    """One session per source for the whole run, which closes it."""
    if settings.name not in run.sessions:
        session = SOURCE_OF_KIND[settings.kind].open_session()
        run.sessions[settings.name] = run.open.enter_context(session)
    return run.sessions[settings.name]


def _question(target: Target, settings: SourceSettings, held: Iterable[Held], hour: datetime) -> UsageQuestion:
    return UsageQuestion(
        source=settings.name,
        url=settings.url,
        period=hour_period(hour),
        pool=target.shape.name,
        gpus_per_node=float(target.shape.gpus_per_node),
        node_label=target.node_label,
        # A pool that does not say how its nodes are labelled is looked for by its reservations' ids.
        node_values=target.node_values or tuple(sorted({one.external_id for one in held})),
        scrape_interval_seconds=settings.scrape_interval_seconds,
        busy_metric=settings.busy_metric,
        busy_metric_scale=float(settings.busy_metric_scale),
        cluster=settings.cluster,
        hostname_label=settings.hostname_label,
        flavor=target.shape.flavor,
        options=settings.options,
    )


def _record(target: Target, computed: Sequence[_Computed], stored: StoreReport, run: _Run) -> None:
    """Count how every hour ended, and keep it where it was tried."""
    tries: list[CollectionRun] = []
    for one in computed:
        problem = one.problem or stored.refused.get(one.hour, "")
        outcome = _status(one, stored)
        run.report.add(outcome, problem)
        if one.tried:
            tries.append(
                CollectionRun(
                    pool_id=target.pool_id,
                    source=target.source_name,
                    hour=one.hour,
                    read_at=run.as_of,
                    status=outcome,
                    message=problem,
                    took_ms=one.took_ms,
                )
            )
    CollectionRun.objects.bulk_create(tries)


def _status(one: _Computed, stored: StoreReport) -> str:
    if one.row is None:
        return CollectionRun.Status.FAILED.value
    if one.hour in stored.refused:
        return CollectionRun.Status.REFUSED.value
    status = CollectionRun.Status.UNCHANGED if one.hour in stored.unchanged else CollectionRun.Status.STORED
    return status.value
