"""One stretch of time in which something was wrong: its states, its legal moves, and how an evaluation turns it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from scheduler.domain.alert.finding import Finding, Verdicts, each_once
from scheduler.domain.alert.severity import Severity

LONGEST_SNOOZE = timedelta(days=14)
"""Two weeks: what may wait longer is no alert, and its threshold is set otherwise."""

WORSE_BY = Decimal("1.5")
"""A snoozed episode wakes when its money grew by half: less is what such figures move by from day to day."""


class EpisodeState(StrEnum):
    """``resolved`` is the end: what comes back is another episode."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"
    RESOLVED = "resolved"


MOVES: Mapping[EpisodeState, frozenset[EpisodeState]] = {
    EpisodeState.OPEN: frozenset({EpisodeState.ACKNOWLEDGED, EpisodeState.SNOOZED, EpisodeState.RESOLVED}),
    EpisodeState.ACKNOWLEDGED: frozenset({EpisodeState.OPEN, EpisodeState.SNOOZED, EpisodeState.RESOLVED}),
    EpisodeState.SNOOZED: frozenset({EpisodeState.OPEN, EpisodeState.ACKNOWLEDGED, EpisodeState.RESOLVED}),
    EpisodeState.RESOLVED: frozenset(),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """An episode that is not resolved, as the last evaluation left it.

    ``step`` is the last that its rule named, ``also`` all that ever came beside. ``snoozed_money`` and
    ``snoozed_severity`` are what it stood at when it was put off.
    """

    id: int
    key: str
    object: str
    state: EpisodeState
    severity: Severity
    step: str = ""
    also: tuple[str, ...] = ()
    snoozed_until: datetime | None = None
    snoozed_severity: Severity | None = None
    snoozed_money: Decimal | None = None


class Step(StrEnum):
    """What people are told of an episode, beside the steps that its rule names."""

    OPENED = "opened"
    FALLBACK = "fallback"
    ESCALATED = "escalated"
    WORSE = "worse"
    WOKEN = "woken"
    RESOLVED = "resolved"


class Deed(StrEnum):
    """What can be done about an episode, by a person or by an evaluation."""

    COMMENTED = "commented"
    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"
    WOKEN = "woken"
    ASSIGNED = "assigned"
    RESOLVED = "resolved"
    WORSE = "worse"
    STEP = "step"


@dataclass(frozen=True, slots=True)
class Kept:
    """An episode that goes on: what is found now, the state it comes to, and the steps to tell, none where nothing is
    new."""

    standing: Standing
    finding: Finding
    state: EpisodeState
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hushed:
    """An object whose episode a person resolved, with how much it pressed then and what had come beside (``also``)."""

    key: str
    object: str
    severity: Severity
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What one evaluation of one rule changes; ``held`` stay as they are, but for those that are ``woken`` by time.

    ``replaced``: of those resolved, the ids whose subject is found on another occasion, which is told in their stead.
    ``cleared`` are the hushed objects that may open an episode again.
    """

    opened: tuple[Finding, ...]
    kept: tuple[Kept, ...]
    resolved: tuple[Standing, ...]
    held: tuple[Standing, ...]
    replaced: frozenset[int] = frozenset()
    cleared: frozenset[str] = frozenset()
    woken: tuple[Standing, ...] = ()


def turned(standing: Iterable[Standing], verdicts: Verdicts, *, as_of: datetime, hushed: Iterable[Hushed] = ()) -> Turn:
    """What the verdicts of one rule make of its standing episodes.

    One that is found again goes on; one that is not found and not held is resolved; a finding without an episode opens
    one, but for what a person resolved: that is silent until it was in order once, comes on another occasion, presses
    more than it did or is about more (a step beside, such as another job in trouble). The same verdicts at the same
    instant once more change nothing.
    """
    found = {one.object: one for one in each_once(verdicts.findings)}
    keys = {one.subject.key for one in found.values()}
    silent, cleared = _still_hushed(hushed, found, verdicts.held)
    kept, resolved, held = [], [], []
    for one in sorted(standing, key=lambda one: one.id):
        finding = found.pop(one.object, None)
        if finding is not None:
            kept.append(_kept(one, finding, as_of))
        elif one.key in verdicts.held:
            held.append(one)
        else:
            resolved.append(one)
    opened = tuple(one for one in found.values() if one.subject.key not in verdicts.held and one.object not in silent)
    replaced = frozenset(one.id for one in resolved if one.key in keys)
    woken = tuple(one for one in held if one.state is EpisodeState.SNOOZED and _is_over(one, as_of))
    return Turn(opened, tuple(kept), tuple(resolved), tuple(held), replaced, cleared, woken)


def _still_hushed(
    hushed: Iterable[Hushed], found: Mapping[str, Finding], held: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """The hushed objects that stay so, and those that don't."""
    silent, cleared = set(), set()
    for one in hushed:
        finding = found.get(one.object)
        speaks = finding is None or finding.severity.rank > one.severity.rank or not {*finding.also} <= {*one.also}
        if speaks and one.key not in held:
            cleared.add(one.object)
        else:
            silent.add(one.object)
    return frozenset(silent), frozenset(cleared)


def _kept(one: Standing, finding: Finding, as_of: datetime) -> Kept:
    woken = one.state is EpisodeState.SNOOZED and _wakes(one, finding, as_of)
    if one.state is EpisodeState.SNOOZED and not woken:
        return Kept(one, finding, one.state)
    steps = _new_steps(one, finding)
    if woken and not steps:
        steps = (woken_step(as_of),)
    elif finding.severity.rank > one.severity.rank and not steps:
        steps = (f"{Step.WORSE.value} {finding.severity.value} {_instant(as_of)}",)
    return Kept(one, finding, EpisodeState.OPEN if woken else one.state, steps)


def woken_step(as_of: datetime) -> str:
    """The step of an episode that comes back at an instant: each time another."""
    return f"{Step.WOKEN.value} {_instant(as_of)}"


def _instant(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _new_steps(one: Standing, finding: Finding) -> tuple[str, ...]:
    """What its rule names anew, what came beside last: that is what nobody could foresee."""
    due = (finding.step,) if finding.step and finding.step != one.step else ()
    return (*due, *(step for step in finding.also if step not in one.also))


def _wakes(one: Standing, finding: Finding, as_of: datetime) -> bool:
    """By time, by a step that its rule names anew, or because it presses or costs more than when it was put off."""
    if _is_over(one, as_of) or _new_steps(one, finding):
        return True
    if one.snoozed_severity is not None and finding.severity.rank > one.snoozed_severity.rank:
        return True
    money = None if finding.money is None else finding.money.money
    return money is not None and one.snoozed_money is not None and money >= one.snoozed_money * WORSE_BY > 0


def _is_over(one: Standing, as_of: datetime) -> bool:
    return one.snoozed_until is None or one.snoozed_until <= as_of


def why_not_move(at: EpisodeState, to: EpisodeState) -> str:
    """Why an episode may not go from one state to another, in one sentence; blank where it may."""
    if to in MOVES[at]:
        return ""
    if at is to:
        return f"It is {at.value} already."
    return f"What is {at.value} can't become {to.value}."


def why_not_snooze(until: datetime, *, as_of: datetime) -> str:
    """Why it may not be put off until an instant, in one sentence; blank where it may."""
    if until <= as_of:
        return "It can only be put off until a time to come."
    if until > as_of + LONGEST_SNOOZE:
        return f"It can be put off for {LONGEST_SNOOZE.days} days at most."
    return ""
