"""A block on its way to its end, with the jobs that are on it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from reservations.domain import notation
from reservations.domain.reservation_state import State
from scheduler.domain.alert.facts import AlertFacts, BlockFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import TROUBLE, latest_step, occasion, step_about, step_name
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import NextStep
from scheduler.domain.block_clock.states import JobState

NAMED = 3
"""How many jobs a sentence names before it counts the rest."""


def _before(reason: str) -> Why:
    return Why(reason, timedelta(minutes=5), timedelta(days=14))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """So long before its machines are taken each step is told."""

    first: Annotated[timedelta, _before("A working day: time to extend it or to book what follows.")] = timedelta(
        hours=24
    )
    second: Annotated[timedelta, _before("Long jobs have to be kept from starting.")] = timedelta(hours=4)
    third: Annotated[timedelta, _before("The slowest checkpoints begin within the hour.")] = timedelta(minutes=90)
    last: Annotated[
        timedelta, _before("The provider itself warns ten minutes before the machines are taken: too late.")
    ] = timedelta(minutes=40)
    critical_from: Annotated[timedelta, _before("From here on work is lost if nobody acts.")] = timedelta(minutes=90)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A running block from ``first`` before ``usable_until`` until its end; each length is a step of one episode."""
    findings = []
    for one in facts.blocks:
        if one.state is not State.ACTIVE or one.end_at <= facts.as_of:
            continue
        limit = limits(one.subject.pool)
        left = one.usable_until - facts.as_of
        step = latest_step((limit.first, limit.second, limit.third, limit.last), left)
        if step is not None:
            findings.append(_finding(one, step, facts, limit))
    return Verdicts(tuple(findings))


def _finding(one: BlockFact, step: timedelta, facts: AlertFacts, limit: Thresholds) -> Finding:
    left = one.usable_until - facts.as_of
    escalated = sum(job.state is JobState.ESCALATED for job in one.jobs)
    critical = escalated or left <= limit.critical_from
    first = max(limit.first, limit.second, limit.third, limit.last)
    return Finding(
        subject=one.subject,
        severity=Severity.CRITICAL if critical else Severity.WARNING,
        since=one.usable_until - first,
        summary=f"{_when(left)}; {_jobs(one, escalated)}",
        next_step=NextStep("Open reservation", "reservations:detail", (("pk", str(one.reservation_id)),)),
        cause=_names(one),
        occurrence=occasion(one.end_at),
        step=step_name(step),
        also=tuple(step_about(TROUBLE, job.id) for job in one.jobs if job.state is JobState.ESCALATED),
        numbers=(
            ("works until", notation.instant(one.usable_until, facts.zone)),
            ("end", notation.instant(one.end_at, facts.zone)),
            ("nothing starts after", notation.instant(one.no_admit_after, facts.zone)),
            *((job.id, f"{job.state.value}, {notation.instant(job.deadline, facts.zone)}") for job in one.jobs),
        ),
    )


def _when(left: timedelta) -> str:
    if left <= timedelta(0):
        return "Its machines are being taken"
    return f"Works {notation.duration(left)} more"


def _jobs(one: BlockFact, escalated: int) -> str:
    if not one.jobs:
        return "no job is registered on it"
    late = sum(not job.finishes for job in one.jobs)
    jobs = f"{len(one.jobs)} job{'' if len(one.jobs) == 1 else 's'} on it, {late} won't finish by itself"
    odds = sum(bool(job.at_odds) for job in one.jobs)
    jobs = f"{jobs}, {odds} against the plan for the end" if odds else jobs
    return f"{jobs}, {escalated} in trouble" if escalated else jobs


def _names(one: BlockFact) -> str:
    """Those in trouble first, then by deadline, and what does not go with the plan for the end."""
    jobs = sorted(one.jobs, key=lambda job: (job.state is not JobState.ESCALATED, job.deadline, job.id))
    named = " ".join(" ".join(filter(None, (f"{job.id}: {job.reason}", job.at_odds))) for job in jobs[:NAMED])
    more = len(jobs) - NAMED
    return f"{named} And {more} more." if more > 0 else named


RULE = Rule(
    name="block_ending",
    title="Block ending",
    what="A block's machines are taken within a day; the jobs on it are listed.",
    defaults=Thresholds(),
    check=check,
)
