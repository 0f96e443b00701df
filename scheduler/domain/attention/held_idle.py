"""Held by pods that do not work."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from reservations.domain import notation
from scheduler.domain.attention.item import Item, Kind, NextStep, Price, week_of, weekly_cost
from scheduler.domain.policy import Policy


@dataclass(frozen=True, slots=True)
class HeldFact:
    """One pool's last whole days: GPU-milliseconds idle with a pod and known, None unknown; the pod that held most.

    ``since`` is when that pod began to hold without working, blank ``pod`` where nobody knows which it was.
    ``told_idle`` is how much of ``idle_held`` lies in hours whose pods are known.
    """

    pool: str
    month: str
    idle_held: int | None
    known: int | None
    price: Price
    pod: str = ""
    pod_idle: int = 0
    told_idle: int = 0
    since: datetime | None = None


def held_idle(seen: Iterable[HeldFact], *, policy: Policy) -> list[Item]:
    """One item for each pool whose pods held at least ``policy.held_idle_share`` of known time without working."""
    return [
        Item(
            kind=Kind.HELD_IDLE,
            name=fact.pool,
            sentence=_sentence(fact, policy.look_back_days),
            step=NextStep(
                "See the hours",
                "telemetry:pool-month",
                (("name", fact.pool), ("month", fact.month)),
                (("step", "idle_held"),),
            ),
            since=fact.since if names_pod(fact, policy) else None,
            weekly=weekly_cost(_a_week(fact.idle_held or 0, policy), fact.price),
            cause=_cause(fact) if names_pod(fact, policy) else "",
        )
        for fact in seen
        if holds_much(fact, policy)
    ]


def holds_much(fact: HeldFact, policy: Policy) -> bool:
    """Whether its pods held so much without working that it is shown."""
    if not fact.idle_held or not fact.known:
        return False
    if Decimal(fact.idle_held) / fact.known < policy.held_idle_share:
        return False
    return _a_week(fact.idle_held, policy) >= week_of(policy.held_idle_gpus)


def names_pod(fact: HeldFact, policy: Policy) -> bool:
    """Whether the pods of so much of it are known that one can be said to have held most."""
    return bool(fact.pod and fact.idle_held) and fact.told_idle >= policy.held_idle_told * (fact.idle_held or 0)


def _a_week(gpu_ms: int, policy: Policy) -> int:
    return gpu_ms * 7 // policy.look_back_days


def _sentence(fact: HeldFact, days: int) -> str:
    share = notation.percent(Decimal(fact.idle_held or 0) / (fact.known or 1))
    return f"pods held GPUs without working in {share} of the known time of the last {days} days"


def _cause(fact: HeldFact) -> str:
    return f"Most by {fact.pod}: {notation.gpu_hours(fact.pod_idle)} GPU-hours."
