"""Devices whose values are not to be believed: silent while they draw the power of work, or frozen on one value."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from reservations.domain import notation
from reservations.domain.period import HOUR
from scheduler.domain.alert.facts import AlertFacts, HourFact, PoolFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import NextStep

NAMED = 3
"""How many devices a cause names before it counts the rest."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How many devices, and how long they have to be well again."""

    devices: Annotated[
        int,
        Why(
            "One is enough: a counter that stands still is mended by a restart, and hides a GPU until then.",
            1,
            10_000,
        ),
    ] = 1
    hours: Annotated[
        int,
        Why(
            "Doubts rise within twenty minutes and may fall with the next job; two hours in a row are no accident.",
            1,
            24,
        ),
    ] = 2
    clean_hours: Annotated[
        int,
        Why(
            "A counter that is well only while a job idles would come and go.",
            1,
            24,
        ),
    ] = 3


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A pool with ``devices`` in doubt in each of its last ``hours`` collected hours."""
    findings, held = [], set()
    for pool in facts.pools:
        if not pool.collected:
            continue
        limit = limits(pool.subject.pool)
        told = {hour.hour: hour for hour in pool.hours}
        last = [told.get(pool.due - place * HOUR) for place in range(1, max(limit.hours, limit.clean_hours) + 1)]
        if _doubted(last[: limit.hours], limit):
            findings.append(_finding(pool, told, limit, facts))
        elif not _clean(last[: limit.clean_hours]):
            held.add(pool.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _doubted(hours: list[HourFact | None], limit: Thresholds) -> bool:
    return all(hour is not None and hour.suspects >= limit.devices for hour in hours)


def _clean(hours: list[HourFact | None]) -> bool:
    return all(hour is not None and hour.known is not None and not hour.suspects for hour in hours)


def _finding(pool: PoolFact, told: dict[datetime, HourFact], limit: Thresholds, facts: AlertFacts) -> Finding:
    since = pool.due - HOUR
    while since - HOUR in told and told[since - HOUR].suspects >= limit.devices:
        since -= HOUR
    devices = told[pool.due - HOUR].suspects
    return Finding(
        subject=pool.subject,
        severity=Severity.WARNING,
        since=since,
        summary=f"{devices} device{'' if devices == 1 else 's'} in doubt for {notation.duration(facts.as_of - since)}",
        next_step=NextStep("See data health", "telemetry:data-health"),
        cause=_named(pool),
        numbers=(
            ("devices in doubt", notation.grouped(devices)),
            ("for", notation.duration(facts.as_of - since)),
        ),
    )


def _named(pool: PoolFact) -> str:
    """What the newest doubts say, one sentence each."""
    more = len(pool.suspects) - NAMED
    named = " ".join(pool.suspects[:NAMED])
    return f"{named} And {more} more." if more > 0 else named


RULE = Rule(
    name="telemetry_suspect",
    title="Telemetry suspect",
    what="Devices of a pool give values that are not to be believed.",
    defaults=Thresholds(),
    check=check,
)
