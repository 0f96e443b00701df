"""Hourly usage and demand that came in a file instead of from a metrics engine (docs/ledger.md#hours-from-a-file)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any

from reservations.domain.period import HOUR
from telemetry.domain.ledger import AMOUNTS, BUSY_ROLES, LedgerHour, QueueHour

GPU_HOURS = "_gpu_hours"
USAGE_COLUMNS: tuple[str, ...] = tuple(f"{name}{GPU_HOURS}" for name in AMOUNTS)
"""What a usage file may tell of an hour, beside ``hour`` itself."""


class TraceKind(StrEnum):
    """What a file tells: hours of the ledger, or nodes a workload needed."""

    USAGE = "usage"
    DEMAND = "demand"


class UnableToReadTrace(Exception):
    """A trace can't be read; the message has one sentence a line, each with the line of the file."""


@dataclass(frozen=True, slots=True)
class TraceQuestion:
    """Which file to read; ``kind`` None: as its header says. ``gpus_per_node`` turns GPUs into nodes."""

    path: Path
    kind: TraceKind | None = None
    gpus_per_node: Decimal | None = None


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One hour as the file tells it, in whole GPU-milliseconds by the ledger's names; None is unknown."""

    hour: datetime
    amounts: dict[str, int | None]


@dataclass(frozen=True, slots=True)
class DemandRow:
    """Nodes one workload needed in one hour, to four decimals."""

    hour: datetime
    workload: str
    nodes: Decimal


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole file; ``missing`` are the hours between its first and last that it does not tell: missing, not zero."""

    kind: TraceKind
    usage: tuple[UsageRow, ...] = ()
    demand: tuple[DemandRow, ...] = ()

    @property
    def hours(self) -> tuple[datetime, ...]:
        """The distinct hours it tells, in order."""
        return tuple(sorted({row.hour for row in self.usage} | {row.hour for row in self.demand}))

    @property
    def missing(self) -> tuple[datetime, ...]:
        """The hours in its middle that it does not tell, in order."""
        return tuple(gap for before, after in pairwise(self.hours) for gap in hours_between(before, after))


def ledger_row(row: UsageRow, *, reserved: int, paid: int, ec2_unused: int | None) -> LedgerHour:
    """A file's hour as a row of the ledger; what it leaves out comes from the inventory or follows by definition.

    known + unknown = expected, idle = known − busy, not_joined = reserved − ec2_unused − expected; busy time
    the file gives to nobody is unattributed. Anything else stays unknown.
    """
    told = {name: value for name, value in row.amounts.items() if value is not None}
    if told.get("reserved", reserved) != reserved:  # the inventory speaks of something else than the file
        ec2_unused, paid = None, told["reserved"]
    inventory: dict[str, int | None] = {"reserved": reserved, "paid": paid, "ec2_unused": ec2_unused}
    amounts: dict[str, Any] = inventory | told
    filled = _by_definition(LedgerHour(hour=row.hour, **amounts))
    return replace(filled, queues=_nobody_s_queue(filled))


def _nobody_s_queue(row: LedgerHour) -> tuple[QueueHour, ...]:
    """Who used it, as one row without a queue: the file does not tell any."""
    split = {name: getattr(row, name) for name in BUSY_ROLES}
    if row.allocated is None and not any(split.values()):
        return ()
    return (QueueHour("", allocated=row.allocated, **split),)


def _by_definition(row: LedgerHour) -> LedgerHour:
    """The row with every unknown amount that two known ones leave no choice about."""
    rules: tuple[tuple[str, tuple[tuple[int, str], ...]], ...] = (
        ("known", ((1, "busy"), (1, "idle"))),
        ("idle", ((1, "known"), (-1, "busy"))),
        ("expected", ((1, "known"), (1, "unknown"))),
        ("unknown", ((1, "expected"), (-1, "known"))),
        ("not_joined", ((1, "reserved"), (-1, "ec2_unused"), (-1, "expected"))),
    )
    for name, terms in rules:
        row = _filled(row, name, terms)
    if row.expected is not None and row.not_observed is None:
        row = replace(row, not_observed=0 if row.ec2_unused is not None else row.reserved - row.expected)
    roles = BUSY_ROLES[:-1]
    return _filled(row, "unattributed_busy", ((1, "busy"), *((-1, role) for role in roles)), unknown_as_zero=roles)


def _filled(
    row: LedgerHour, name: str, terms: Iterable[tuple[int, str]], *, unknown_as_zero: tuple[str, ...] = ()
) -> LedgerHour:
    if getattr(row, name) is not None:
        return row
    total = 0
    for sign, term in terms:
        value: int | None = getattr(row, term)
        if value is None and term not in unknown_as_zero:
            return row
        total += sign * (value or 0)
    changed: dict[str, Any] = {name: total}
    return replace(row, **changed)


def hours_between(before: datetime, after: datetime) -> Iterable[datetime]:
    """The whole hours strictly between two hours, in order."""
    at = before + HOUR
    while at < after:
        yield at
        at += HOUR
