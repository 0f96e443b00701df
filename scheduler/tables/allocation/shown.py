"""A job's line as the page writes it."""

from dataclasses import dataclass

from reservations.domain import notation
from scheduler.domain.allocation.instance import Instance
from scheduler.tables.allocation.jobs import JobLine, duration, step_text
from scheduler.tables.allocation.words import number


@dataclass(frozen=True, slots=True)
class ShownJob:
    """One row of the table; a dash where there is nothing to say."""

    at: int
    id: str
    kind: str
    type: str
    priority: str
    size: str
    arrives: str
    starts: str
    fifo_starts: str
    waits: str
    where: str
    earns: str
    costs: str
    lacks: int | None
    placed: bool
    reason: str


def shown_job(line: JobLine, instance: Instance, fifo_starts: str) -> ShownJob:
    """The row; ``fifo_starts``: when FIFO starts it, in words already."""
    return ShownJob(
        at=line.at,
        id=line.id,
        kind=line.kind,
        type=line.type,
        priority=f"{line.priority:g}",
        size=line.size,
        arrives=step_text(line.arrival, instance),
        starts=step_text(line.start, instance),
        fifo_starts=fifo_starts,
        waits=notation.UNKNOWN if line.waits is None else duration(line.waits, instance),
        where=_where(line),
        earns=notation.UNKNOWN if line.earns is None else number(line.earns),
        costs=notation.UNKNOWN if line.costs is None else number(line.costs),
        lacks=line.lacks,
        placed=line.start is not None,
        reason=line.reason,
    )


def _where(line: JobLine) -> str:
    if line.gpus is None or line.first_gpu is None:
        return notation.UNKNOWN
    return str(line.first_gpu) if line.gpus == 1 else f"{line.first_gpu}–{line.first_gpu + line.gpus - 1}"
