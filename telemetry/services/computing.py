"""One hour after another out of its source: the next is asked for while this one is computed."""

import dataclasses
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from importlib import import_module
from typing import Any

from reservations.domain.held import Held
from reservations.domain.period import HOUR, hour_period
from telemetry.domain.accounting import Threshold, ledger_hour
from telemetry.domain.replacement import is_final
from telemetry.domain.sample import HourUsage, UnableToFetch, UsageQuestion
from telemetry.selectors.collecting import SourceSettings, Target
from telemetry.services.collection_run import GIVE_UP_AFTER_FAILURES, Computed, Run
from telemetry.sources import USAGE_SOURCES

SOURCE_OF_KIND = {kind: import_module(f"telemetry.sources.{kind}") for kind in USAGE_SOURCES}


def threshold_of(target: Target) -> Threshold:
    """θ as the pool's source states it, else the usual one."""
    return Threshold.of(target.source.busy_threshold if target.source else None)


def _backing(held: Sequence[Held], hour: datetime) -> list[Held]:
    """The reservations that backed the pool in one hour of the batch: a row depends on its own hour alone."""
    return [
        one
        for one in held
        if (one.member_from is None or one.member_from < hour + HOUR)
        and (one.member_until is None or one.member_until > hour)
    ]


def computed_hours(target: Target, batch: Sequence[datetime], held: Sequence[Held], run: Run) -> list[Computed]:
    """The hours of a batch in order; the next hour is asked for while this one is computed."""
    backing = {hour: _backing(held, hour) for hour in batch}
    computed: list[Computed] = []
    with ThreadPoolExecutor(max_workers=1) as ahead:
        asked = ahead.submit(_usage, target, batch[0], backing[batch[0]], run) if not _given_up(target, run) else None
        for hour, following in zip(batch, [*batch[1:], None], strict=True):
            if asked is None or _given_up(target, run):
                computed.append(_untried(target, hour, run))
                continue
            now = asked
            if following is not None:
                asked = ahead.submit(_usage, target, following, backing[following], run)
            computed.append(_computed(target, hour, backing[hour], now, run))
    return computed


def _given_up(target: Target, run: Run) -> bool:
    return run.failures[target.source_name] >= GIVE_UP_AFTER_FAILURES


def _untried(target: Target, hour: datetime, run: Run) -> Computed:
    run.advance(1)
    source = target.source_name
    problem = f"source “{source}” gave no answer {GIVE_UP_AFTER_FAILURES} times in a row: its other hours wait"
    return Computed(hour, None, problem, tried=False)


def _computed(
    target: Target, hour: datetime, held: Sequence[Held], asked: Future[HourUsage | None], run: Run
) -> Computed:
    source, began = target.source_name, time.monotonic()
    try:
        row, details = ledger_hour(
            hour=hour, pool=target.shape, held=held, usage=asked.result(), threshold=threshold_of(target)
        )
    except UnableToFetch as error:
        run.failures[source] += 1
        return Computed(hour, None, str(error), int((time.monotonic() - began) * 1000))
    finally:
        run.advance(1)
    run.failures[source] = 0
    row = dataclasses.replace(row, final=is_final(hour=hour, read_at=run.as_of, complete=row.complete))
    return Computed(hour, row, "", int((time.monotonic() - began) * 1000), details=details)


def _usage(target: Target, hour: datetime, held: Sequence[Held], run: Run) -> HourUsage | None:
    """What the pool's source says of an hour; None for a pool that has none. Touches no database: it runs ahead."""
    settings = target.source
    if settings is None:
        return None
    usage: HourUsage = SOURCE_OF_KIND[settings.kind].fetch(
        _question(target, settings, held, hour), session=_session(settings, run)
    )
    return usage


def _session(settings: SourceSettings, run: Run) -> Any:
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
