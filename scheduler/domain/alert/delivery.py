"""Which message is owed to whom and when: once for each step of an episode and each recipient."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum

from scheduler.domain.alert.episode import EpisodeState, Step
from scheduler.domain.alert.hours import digest_after, quiet_end
from scheduler.domain.alert.severity import Severity


class ChannelName(StrEnum):
    """The ways out."""

    EMAIL = "email"
    APPRISE = "apprise"
    WEBHOOK = "webhook"


class Mode(StrEnum):
    """``at_once``, or in the day's ``digest``."""

    AT_ONCE = "at_once"
    DIGEST = "digest"


class DeliveryState(StrEnum):
    """``due`` until it is out; ``failed``: given up; ``dropped``: its episode ended or its address went before it was
    out."""

    DUE = "due"
    SENT = "sent"
    FAILED = "failed"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class RingTimes:
    """After how long without an answer the next are told; None: never by time."""

    fallback: timedelta | None
    escalation: timedelta | None


@dataclass(frozen=True, slots=True)
class RingPolicy:
    """How long each waits for the one before, by how much it presses."""

    critical: RingTimes = RingTimes(timedelta(minutes=30), timedelta(hours=2))
    """Work is lost within hours: half an hour is a meal, and two hours leave time to act before a block ends."""

    warning: RingTimes = RingTimes(timedelta(days=1), timedelta(days=3))
    """Money is lost by the week: a day spares who is away for one, three are a long week-end."""

    notice: RingTimes = RingTimes(None, None)
    """Worth knowing is not worth waking a second person."""

    def times(self, severity: Severity) -> RingTimes:
        """Those of a severity."""
        times: RingTimes = getattr(self, severity.value)
        return times


@dataclass(frozen=True, slots=True)
class Address:
    """One address and how it wants to be told.

    ``answers`` False: it belongs to somebody who wants to know and does not answer for the subject, so that telling it
    reaches nobody who would act.
    """

    recipient: str
    channel: ChannelName
    shown: str
    route_id: int | None = None
    rules: frozenset[str] = frozenset()
    least: Severity = Severity.NOTICE
    at_once_from: Severity = Severity.CRITICAL
    digest_hour: int = 8
    zone: tzinfo | None = None
    quiet_from: time | None = None
    quiet_until: time | None = None
    answers: bool = True

    def wants(self, rule: str, severity: Severity) -> bool:
        """Whether it asked for this rule at this severity."""
        return (not self.rules or rule in self.rules) and severity.rank >= self.least.rank


@dataclass(frozen=True, slots=True)
class Told:
    """One message that was owed before."""

    step: str
    recipient: str
    state: DeliveryState


@dataclass(frozen=True, slots=True)
class Ringing:
    """An episode as messages see it.

    ``waiting_since`` is when it opened, or was last woken: from then on nobody answered. ``steps`` are those that this
    evaluation tells. ``told_elsewhere``: its end needs no message, since the same subject is told of anew.
    """

    rule: str
    severity: Severity
    state: EpisodeState
    waiting_since: datetime
    steps: tuple[str, ...] = ()
    told_elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Owed:
    """One message to plan: the step, the address, how and from when on."""

    step: str
    address: Address
    mode: Mode
    try_at: datetime


RING_STEPS = (Step.OPENED.value, Step.FALLBACK.value, Step.ESCALATED.value)
"""What the owner's, the fallback's and the organisation's addresses are told first."""


def owed(
    episode: Ringing,
    rings: Sequence[Sequence[Address]],
    told: Iterable[Told],
    *,
    as_of: datetime,
    now: datetime,
    policy: RingPolicy,
) -> list[Owed]:
    """What an episode owes at an instant, each recipient once at most.

    ``rings`` are the addresses of the owner, of the team that steps in, and of the organisation. ``now`` is when a
    message could go out at the earliest, ``as_of`` what waiting is counted by.
    """
    told = list(told)
    if episode.state is EpisodeState.RESOLVED:
        return [] if episode.told_elsewhere else _ending(episode, rings, told, now)
    reached = [_is_reached(step, ring, told) for step, ring in zip(RING_STEPS, rings, strict=True)]
    due = _due(episode, rings, told, as_of, policy)
    known = {one.recipient for one in told}
    had = {(one.step, one.recipient) for one in told}
    planned: dict[str, Owed] = {}
    for place, ring in enumerate(rings):
        step = _step(RING_STEPS[place] if due[place] else "", episode, reached[place], answers=place == 0)
        for one in ring if step else ():
            again = one.recipient in known if step in RING_STEPS else (step, one.recipient) in had
            if not again and one.recipient not in planned and one.wants(episode.rule, episode.severity):
                planned[one.recipient] = _planned(step, one, episode.severity, now)
    return list(planned.values())


def _step(first: str, episode: Ringing, reached: bool, *, answers: bool) -> str:
    """What a ring is told: the first message where none was owed to it yet, else the newest step, blank where none is
    new.

    The owner's ring (``answers``) hears of a step although it was told nothing: what it didn't want to know at first,
    or somebody else took on, may press by now.
    """
    if not reached and (first or not answers):
        return first
    return episode.steps[-1] if episode.steps else ""


def _is_reached(step: str, ring: Sequence[Address], told: Sequence[Told]) -> bool:
    """Whether a message of this episode was owed to a ring and not dropped."""
    recipients = {one.recipient for one in ring}
    return any(
        one.state is not DeliveryState.DROPPED and (one.step == step or one.recipient in recipients) for one in told
    )


def _due(
    episode: Ringing,
    rings: Sequence[Sequence[Address]],
    told: Sequence[Told],
    as_of: datetime,
    policy: RingPolicy,
) -> list[bool]:
    """Which rings are to be told: each where its time has come or nobody can be reached in any ring before it."""
    if episode.state is not EpisodeState.OPEN:
        return [False] * len(rings)
    times = policy.times(episode.severity)
    failed = {one.recipient for one in told if one.state is DeliveryState.FAILED}
    nobody, due = True, []
    for ring, after in zip(rings, (timedelta(0), times.fallback, times.escalation), strict=True):
        by_time = after is not None and as_of - episode.waiting_since >= after
        due.append(by_time or nobody)
        nobody = nobody and not any(one.answers and one.recipient not in failed for one in ring)
    return due


def _ending(episode: Ringing, rings: Sequence[Sequence[Address]], told: Sequence[Told], now: datetime) -> list[Owed]:
    """The end is told to those who may know of the beginning; the sender drops it where that never went out."""
    may_know = {one.recipient for one in told if one.state in (DeliveryState.SENT, DeliveryState.DUE)}
    ended = {one.recipient for one in told if one.step == Step.RESOLVED}
    addresses = {one.recipient: one for ring in rings for one in ring}
    return [
        _planned(Step.RESOLVED.value, addresses[name], episode.severity, now)
        for name in sorted(may_know - ended)
        if name in addresses
    ]


def _planned(step: str, address: Address, severity: Severity, now: datetime) -> Owed:
    """At once where it presses enough, out of quiet hours unless it is critical; else in the next digest."""
    if severity.rank < address.at_once_from.rank:
        return Owed(step, address, Mode.DIGEST, digest_after(now, address.digest_hour, address.zone))
    if severity is Severity.CRITICAL:
        return Owed(step, address, Mode.AT_ONCE, now)
    return Owed(step, address, Mode.AT_ONCE, quiet_end(now, address.quiet_from, address.quiet_until, address.zone))


WAITS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1))
"""A restart, an outage that somebody mends, and one that takes longer."""

LATER_WAIT = timedelta(hours=4)
GIVEN_UP_AFTER = timedelta(hours=24)
"""What was not out within a day is said by the next message, and by the page."""


def wait_after(attempts: int) -> timedelta | None:
    """How long after so many failed tries the next is made; None where all of them would go over a day."""
    waited = sum((_wait(number) for number in range(1, attempts + 1)), timedelta(0))
    return _wait(attempts) if waited <= GIVEN_UP_AFTER else None


def _wait(attempt: int) -> timedelta:
    return WAITS[attempt - 1] if attempt <= len(WAITS) else LATER_WAIT
