"""Paid, and nobody can say what became of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from scheduler.domain.attention.item import Item, Kind, NextStep, Price, weekly_cost
from scheduler.domain.policy import Policy


@dataclass(frozen=True, slots=True)
class CoverageFact:
    """One pool's last whole days: its coverage and the GPU-milliseconds without a valid sample; None unknown."""

    pool: str
    month: str
    coverage: Decimal | None
    unknown: int | None
    price: Price


def low_coverage(seen: Iterable[CoverageFact], *, policy: Policy) -> list[Item]:
    """One item for each pool covered below ``policy.coverage``; a week of it is the time nobody can speak for."""
    return [
        Item(
            kind=Kind.LOW_COVERAGE,
            name=fact.pool,
            sentence=_sentence(fact.coverage, policy.look_back_days),
            step=NextStep(
                "See the hours",
                "telemetry:pool-month",
                (("name", fact.pool), ("month", fact.month)),
                (("step", "unknown"),),
            ),
            weekly=weekly_cost((fact.unknown or 0) * 7 // policy.look_back_days, fact.price),
        )
        for fact in seen
        if fact.coverage is not None and fact.coverage < policy.coverage
    ]


def _sentence(coverage: Decimal, days: int) -> str:
    return f"covered {notation.percent(coverage)} in the last {days} days: nobody can say what the rest did"
