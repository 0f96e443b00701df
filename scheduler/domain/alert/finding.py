"""What a rule says about the world at one instant."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from scheduler.domain.alert.severity import Severity
from scheduler.domain.attention.item import NextStep, Weekly

F = TypeVar("F")
T = TypeVar("T")
L = TypeVar("L", covariant=True)


@dataclass(frozen=True, slots=True)
class Subject:
    """What an alert is about; ``key`` names it for ever (``reservation:17``, ``pool:serving``), ``name`` is shown.

    ``teams`` are those who may see it, none: only roles for the whole organisation. ``owner`` answers for it, blank:
    nobody does.
    """

    key: str
    name: str
    teams: frozenset[str] = frozenset()
    owner: str = ""
    pool: str = ""
    reservation_id: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule finds wrong with one subject.

    ``occurrence`` tells one occasion from another of the same subject (the end that is meant, ISO 8601): another
    occasion is another episode. ``step`` is the latest step due within the episode (``90 min``), blank without any;
    ``also`` are steps that come beside it, at no time that was known (``trouble run-1``), each told once. ``since`` is
    when it began. ``money`` is what a week of it costs. ``numbers`` are the figures it rests on, as a reader would say
    them.
    """

    subject: Subject
    severity: Severity
    since: datetime
    summary: str
    next_step: NextStep
    cause: str = ""
    occurrence: str = ""
    step: str = ""
    also: tuple[str, ...] = ()
    money: Weekly | None = None
    numbers: tuple[tuple[str, str], ...] = ()

    @property
    def object(self) -> str:
        """What the episode is identified by, beside its rule."""
        return identity(self.subject.key, self.occurrence)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What one rule says at one instant.

    ``held`` are keys of subjects about which nothing is said: their figures are incomplete, or lie between the
    threshold that opens and the one that resolves. An episode about one of them stays as it is, and none opens. Every
    subject in neither is found to be in order.
    """

    findings: tuple[Finding, ...] = ()
    held: frozenset[str] = field(default_factory=frozenset)


class Limits(Protocol[L]):
    """The thresholds of a rule for one pool; blank: those of the whole organisation."""

    def __call__(self, pool: str = "") -> L: ...


@dataclass(frozen=True, slots=True)
class Rule(Generic[F, T]):
    """One rule: what it is called, the thresholds it comes with (a dataclass, each field with its reason), its check.

    ``what`` says in one sentence when it fires. ``by_pool`` False: what it looks at is of no one pool, so that no pool
    has thresholds of its own.
    """

    name: str
    title: str
    what: str
    defaults: T
    check: Callable[[F, Limits[T]], Verdicts]
    by_pool: bool = True


def identity(key: str, occurrence: str) -> str:
    """``key``, or ``key@occurrence`` where occasions are told apart."""
    return f"{key}@{occurrence}" if occurrence else key


def each_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by their object, the most pressing of each, in the order of objects."""
    kept: dict[str, Finding] = {}
    for one in findings:
        standing = kept.get(one.object)
        if standing is None or one.severity.rank > standing.severity.rank:
            kept[one.object] = one
    return tuple(kept[key] for key in sorted(kept))
