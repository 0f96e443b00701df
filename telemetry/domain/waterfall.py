"""The first identity of the ledger as bars that always add up to ``reserved`` (docs/ledger.md#the-waterfall)."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from telemetry.domain.ledger import BUSY_ROLES, LedgerHour

STEPS: tuple[str, ...] = (
    "ec2_unused",
    "not_joined",
    "not_observed",
    "unknown",
    "idle_free",
    "idle_held",
    "idle_unsplit",
    *BUSY_ROLES,
    "busy_unsplit",
    "not_accounted",
)
"""The bars after ``reserved``, from left to right."""

_IDLE = ("idle_free", "idle_held")


@dataclass(frozen=True, slots=True)
class Step:
    """One bar in signed GPU-milliseconds; None: unknown in every hour, so what it holds is in another bar."""

    name: str
    gpu_ms: int | None


@dataclass(frozen=True, slots=True)
class Waterfall:
    """``reserved`` of the hours that were collected, and the steps whose known amounts add up to it exactly."""

    reserved: int
    steps: tuple[Step, ...]

    def share(self, step: Step) -> Decimal | None:
        """A step ÷ reserved; None where the step is unknown or nothing was reserved."""
        return None if step.gpu_ms is None or not self.reserved else Decimal(step.gpu_ms) / Decimal(self.reserved)


def hour_steps(hour: LedgerHour) -> dict[str, int | None]:
    """The steps of one hour; the ones that are not None add up to its ``reserved`` exactly.

    Idle and busy time that nobody could split stands in ``idle_unsplit`` and ``busy_unsplit``; what no
    known term explains, as where node data is missing, in ``not_accounted``.
    """
    steps: dict[str, int | None] = {
        name: getattr(hour, name) for name in ("ec2_unused", "not_joined", "not_observed", "unknown")
    }
    _add_parts(steps, hour, hour.idle, _IDLE, "idle_unsplit")
    _add_parts(steps, hour, hour.busy, BUSY_ROLES, "busy_unsplit")
    steps["not_accounted"] = hour.reserved - sum([value for value in steps.values() if value is not None])
    return steps


def waterfall(hours: Iterable[LedgerHour]) -> Waterfall:
    """The waterfall of many hours of one pool, each step the sum of the hours that know it."""
    rows = list(hours)
    columns: dict[str, list[int]] = {name: [] for name in STEPS}
    for row in rows:
        for name, value in hour_steps(row).items():
            if value is not None:
                columns[name].append(value)
    steps = tuple(Step(name, sum(columns[name]) if columns[name] else None) for name in STEPS)
    return Waterfall(sum(row.reserved for row in rows), steps)


def _add_parts(
    steps: dict[str, int | None], hour: LedgerHour, whole: int | None, names: tuple[str, ...], rest: str
) -> None:
    if whole is None:
        steps |= dict.fromkeys((*names, rest))
        return
    for name in names:
        steps[name] = part = getattr(hour, name)
        whole -= part or 0
    steps[rest] = whole
