"""What one run over many hours carries along, and what it tells at its end."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from telemetry.domain.details import NO_DETAILS, HourDetails
from telemetry.domain.ledger import LedgerHour

GIVE_UP_AFTER_FAILURES = 3
"""So many hours in a row from one source without an answer, and that run goes on to the next pool."""


@dataclass(slots=True)
class CollectionReport:
    """How many pool hours ended in each way, and the distinct sentences about those that did not go well.

    ``hours`` are those by their way and sentence.
    """

    counts: Counter[str] = field(default_factory=Counter)
    problems: dict[str, int] = field(default_factory=dict)
    hours: dict[tuple[str, str], list[datetime]] = field(default_factory=dict)

    def add(self, status: str, problem: str, hour: datetime) -> None:
        """Count one hour, and its sentence if it has one."""
        self.counts[status] += 1
        if problem:
            self.problems[problem] = self.problems.get(problem, 0) + 1
            self.hours.setdefault((status, problem), []).append(hour)


@dataclass(slots=True)
class Run:
    """One run over many hours: what they share. ``advance`` is told how many hours were done."""

    as_of: datetime
    force: bool
    report: CollectionReport
    advance: Callable[[int], None]
    sessions: dict[str, Any] = field(default_factory=dict)
    open: ExitStack = field(default_factory=ExitStack)
    failures: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Computed:
    """One hour's outcome before it is stored: a row, or one sentence why there is none."""

    hour: datetime
    row: LedgerHour | None
    problem: str = ""
    took_ms: int = 0
    tried: bool = True
    details: HourDetails = NO_DETAILS
