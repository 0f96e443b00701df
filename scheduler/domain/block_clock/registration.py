"""What a job is registered with and reports, read from texts as the API and commands send them."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import isfinite

from reservations.domain.period import UnableToReadTime, read_instant
from scheduler.domain.block_clock.manifest import Location, UnableToReadLocation, location
from scheduler.domain.block_clock.states import Decision
from scheduler.domain.outside_address import Network, UnableToUseAddress, outside_address
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY

SHORTEST_SECRET = 16
LONGEST_SECRET = 200
MOST_DURATIONS = 1000
MOST_NODES = 100_000

JOB_ID = re.compile(r"[^\x00-\x20\x7f](?:[^\x00-\x1f\x7f]{0,126}[^\x00-\x20\x7f])?")
SECRET = re.compile(r"[\x21-\x7e]+", re.ASCII)


class UnableToReadJob(ValueError):
    """Something of a job that can't be meant; ``field`` names what, and the message is one sentence."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class Duration:
    """How long the checkpoint took that ended at an instant."""

    measured_at: datetime
    took_ms: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to follow the end: where the job falls back to, and what the last test of resuming it there showed."""

    decision: Decision
    pool: str | None = None
    shape: str = ""
    nodes: int | None = None
    tested_on: date | None = None
    passed: bool | None = None


@dataclass(frozen=True, slots=True)
class JobEntry:
    """A job as it registers; ``owner`` None: the reservation's."""

    reservation: str
    job_id: str
    owner: str | None
    stop_hook_url: str
    secret: str
    place: Location
    expected_end_at: datetime | None
    plan: Plan
    durations: tuple[Duration, ...] = ()

    def content_sha256(self) -> str:
        """What makes two registrations the same one; the secret is compared by itself, durations only add up."""
        same = [self.reservation, self.job_id, self.owner, self.stop_hook_url, str(self.place), self.expected_end_at]
        plan = [getattr(self.plan, name) for name in self.plan.__slots__]
        return hashlib.sha256(json.dumps([*same, *plan], default=str).encode()).hexdigest()


def job_entry(told: Mapping[str, object], *, private: Sequence[Network], as_of: datetime) -> JobEntry:
    """A registration from its fields; UnableToReadJob for the first that can't be meant."""
    url = _text(told, "stop_hook_url")
    try:
        outside_address(url, private)
    except UnableToUseAddress as unable:
        raise UnableToReadJob("stop_hook_url", str(unable)) from unable
    try:
        place = location(_text(told, "checkpoint"))
    except UnableToReadLocation as unable:
        raise UnableToReadJob("checkpoint", str(unable)) from unable
    return JobEntry(
        reservation=_text(told, "reservation"),
        job_id=_job_id(_text(told, "id")),
        owner=_text(told, "owner") or None,
        stop_hook_url=url,
        secret=_secret(_text(told, "stop_hook_secret")),
        place=place,
        expected_end_at=expected_end(told.get("expected_end_at"), as_of=as_of),
        plan=plan(told, as_of=as_of),
        durations=durations(told.get("checkpoint_durations") or (), as_of=as_of),
    )


def expected_end(told: object, *, as_of: datetime) -> datetime | None:
    """When a job ends by itself; UnableToReadJob for an instant without zone or one that has passed."""
    if not told:
        return None
    at = _instant("expected_end_at", told)
    if at <= as_of:
        raise UnableToReadJob("expected_end_at", f"The expected end {told} has passed: report the job as finished.")
    return at


def plan(told: Mapping[str, object], *, as_of: datetime) -> Plan:
    """What is to follow the end; UnableToReadJob for a fallback without a footprint, or half a resume test."""
    try:
        decision = Decision(_text(told, "decision"))
    except ValueError as error:
        words = ", ".join(one.value for one in Decision)
        raise UnableToReadJob("decision", f"What is to follow the end is one of {words}.") from error
    shape, nodes = _text(told, "fallback_instance_type"), _nodes(told.get("fallback_nodes"))
    if len(shape) > 64 or (decision is Decision.FALL_BACK and not (shape and nodes)):
        raise UnableToReadJob("fallback_instance_type", "A fallback needs an instance type and a number of nodes.")
    tested_on, passed = _tested_on(told.get("resume_tested_on"), as_of), told.get("resume_test_passed")
    if (tested_on is None) != (passed is None) or not isinstance(passed, bool | None):
        raise UnableToReadJob("resume_tested_on", "A resume test has both a day and whether it passed.")
    return Plan(decision, _text(told, "fallback_pool") or None, shape, nodes, tested_on, passed)


def durations(told: object, *, as_of: datetime) -> tuple[Duration, ...]:
    """Measured checkpoints as ``{"measured_at", "seconds"}``; UnableToReadJob for one that can't be meant."""
    if not isinstance(told, list | tuple) or len(told) > MOST_DURATIONS:
        raise UnableToReadJob("checkpoint_durations", f"Report at most {MOST_DURATIONS} checkpoints at a time.")
    return tuple(_duration(one, as_of) for one in told)


def _duration(one: object, as_of: datetime) -> Duration:
    measured_at = one.get("measured_at") if isinstance(one, Mapping) else None
    seconds = one.get("seconds") if isinstance(one, Mapping) else None
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not isfinite(seconds):
        raise UnableToReadJob("checkpoint_durations", "A checkpoint takes a number of seconds.")
    most = DEFAULT_BLOCK_POLICY.longest_checkpoint.total_seconds()
    if not 0 < seconds <= most:
        raise UnableToReadJob("checkpoint_durations", f"A checkpoint takes more than 0 and at most {most:.0f} seconds.")
    at = as_of if measured_at is None else _instant("checkpoint_durations", measured_at)
    if at > as_of + timedelta(minutes=5):  # the trainer's clock may be a little ahead of ours
        raise UnableToReadJob("checkpoint_durations", f"A checkpoint measured at {measured_at} has not been taken yet.")
    return Duration(at, max(1, round(seconds * 1000)))


def _instant(field: str, told: object) -> datetime:
    try:
        return read_instant(told.isoformat() if isinstance(told, datetime) else str(told))
    except UnableToReadTime as unable:
        said = str(unable)
        raise UnableToReadJob(field, f"{said[0].upper()}{said[1:]}.") from unable


def _text(told: Mapping[str, object], field: str) -> str:
    value = told.get(field)
    if value is None:
        return ""
    if not isinstance(value, str) or "\0" in value:
        raise UnableToReadJob(field, f"{field} is a text without null characters.")
    return value


def _job_id(text: str) -> str:
    if not JOB_ID.fullmatch(text):
        raise UnableToReadJob("id", "A job needs an id of 1 to 128 characters, without control characters.")
    return text


def _secret(text: str) -> str:
    if not SHORTEST_SECRET <= len(text) <= LONGEST_SECRET or not SECRET.fullmatch(text):
        sentence = f"The secret of a stop hook has {SHORTEST_SECRET} to {LONGEST_SECRET} printable ASCII characters."
        raise UnableToReadJob("stop_hook_secret", f"{sentence[:-1]} and no blanks.")
    return text


def _nodes(told: object) -> int | None:
    if told is None:
        return None
    if not isinstance(told, int) or isinstance(told, bool) or not 0 < told <= MOST_NODES:
        raise UnableToReadJob("fallback_nodes", f"A fallback has 1 to {MOST_NODES} nodes.")
    return told


def _tested_on(told: object, as_of: datetime) -> date | None:
    if not told:
        return None
    try:
        day = told if isinstance(told, date) else date.fromisoformat(str(told))
    except ValueError as error:
        raise UnableToReadJob("resume_tested_on", f"“{told}” is not a day: write it as 2026-05-01.") from error
    if day > as_of.date() + timedelta(days=1):
        raise UnableToReadJob("resume_tested_on", f"A resume test on {day} has not been made yet.")
    return day
