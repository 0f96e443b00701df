"""What is aimed at, beside what was measured."""

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler.domain.allocation.measured import Spread

TIMES = ("ms", "s", "MiB")


@dataclass(frozen=True, slots=True)
class Aim:
    """``figure`` (mean, median, p90, …) of a row held against ``limit``; ``at_least``: it must not be below."""

    part: str
    case: str
    measure: str
    figure: str
    limit: float
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """An aim and what was measured; ``of_machine``: a time or size that another machine gives otherwise."""

    aim: Aim
    reached: float
    met: bool
    of_machine: bool


SMALL, CALM, BUSY, LARGE = (
    "all five families",
    "64 × 30, uncontended",
    "64 × 30, contended",
    "256 × 100, contended",
)
THOUSAND, TEN_THOUSAND = "1,024 × 500 × 168", "10,000 × 5,000 × 168"
CONTENDED_WEEKS = ("448 GPUs, week 1", "448 GPUs, week 2")

AIMS = (
    Aim("small", SMALL, "fast: gap to the bound", "mean", 0.004),
    Aim("small", SMALL, "fast: gap to the bound", "p90", 0.01),
    Aim("small", SMALL, "fast: gap to the bound", "most", 0.05),
    Aim("small", SMALL, "fast: time", "median", 1),
    Aim("small", SMALL, "fast ÷ full", "mean", 0.995, at_least=True),
    Aim("small", SMALL, "full: proved", "mean", 0.98, at_least=True),
    Aim("small", SMALL, "full: time", "median", 0.1),
    Aim("small", SMALL, "full: time", "p90", 1),
    Aim("orders", SMALL, "below FIFO", "most", 0),
    Aim("larger", CALM, "fast: gap to the bound", "mean", 0.01),
    Aim("larger", CALM, "fast: time", "median", 3),
    Aim("larger", BUSY, "fast: gap to the bound", "mean", 0.03),
    Aim("larger", BUSY, "fast: time", "median", 15),
    Aim("larger", CALM, "full: within 1 %", "mean", 0.8, at_least=True),
    Aim("larger", BUSY, "full: within 1 %", "mean", 0.8, at_least=True),
    Aim("larger", LARGE, "full: gap to the bound", "mean", 0.03),
    Aim("sizes", THOUSAND, "seven starts: time", "median", 10),
    Aim("sizes", TEN_THOUSAND, "seven starts: time", "median", 250),
    Aim("sizes", TEN_THOUSAND, "peak memory", "most", 1024),
    Aim("sizes", TEN_THOUSAND, "certificate: time", "median", 500),
    Aim("sizes", "168 steps", "exponent in GPUs × jobs", "most", 0.8),
    *(Aim("traces", week, "fast: gap to the certificate", "most", 0.025) for week in CONTENDED_WEEKS),
    *(Aim("traces", week, "fast: time", "median", 200) for week in CONTENDED_WEEKS),
)


def targets_of(rows: Sequence[Spread]) -> list[Target]:
    """The aims of what was measured, and that no grid may be illegal or rank below FIFO's."""
    by_key = {(row.part, row.case, row.measure): row for row in rows}
    found = []
    for aim in AIMS:
        row = by_key.get((aim.part, aim.case, aim.measure))
        if row is not None:
            found.append(_target(aim, row))
    for row in rows:
        if row.part == "legality":
            found.append(_target(Aim(row.part, row.case, row.measure, "most", 0), row))
    return found


def _target(aim: Aim, row: Spread) -> Target:
    reached = float(getattr(row, aim.figure))
    met = reached >= aim.limit if aim.at_least else reached <= aim.limit
    return Target(aim, reached, met, row.unit in TIMES or aim.measure.startswith("exponent"))
