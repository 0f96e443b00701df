"""A pool's month lived through on its size and around it, from the ledger to figures."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from reservations.domain.period import Period, month_period
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import PoolRow
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.policy import DEFAULT_REPLAY, ReplayPolicy
from scheduler.domain.replay.answer import MonthAsked, month_replayed
from scheduler.domain.replay.document import replay_document
from scheduler.domain.replay.work import UnableToReplay
from scheduler.selectors.sizing import nodes_held
from scheduler.services.allocation.answering import warm_up_allocator
from telemetry.domain.rollup import due_hours, due_until
from telemetry.selectors.recorded import recorded_during

Progress = Callable[[int, int], None]

MOST_AROUND = 50
"""Sizes below and above that may be asked for: a hundred of them take minutes."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a replay is of: the month, its period by the accounting zone, its due hours and the nodes held today."""

    month: date
    period: Period
    hours: int
    nodes: int


def scope_of(*, pool: PoolRow, month: date, as_of: datetime) -> Scope:
    """What a replay of a pool's month is of at an instant."""
    period = month_period(month, accounting_zone())
    hours = due_hours(period, due_until(as_of))
    return Scope(month.replace(day=1), period, hours, nodes_held(pool_id=pool.id, as_of=as_of))


def replay_month(
    *,
    pool: PoolRow,
    month: date,
    as_of: datetime,
    around: int | None = None,
    nodes: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The document of a pool's month, replayed at once; UnableToReplay in one sentence otherwise.

    ``around``: sizes below and above instead of the policy's; ``nodes``: the size in the middle instead of today's.
    """
    scope = scope_of(pool=pool, month=month, as_of=as_of)
    if nodes is not None:
        scope = replace(scope, nodes=nodes)
    return replayed(pool=pool, scope=scope, as_of=as_of, policy=policy_around(around), progress=progress)


def policy_around(around: int | None) -> ReplayPolicy:
    """The policy with so many sizes below and above; UnableToReplay for a number that can't be meant."""
    if around is None:
        return DEFAULT_REPLAY
    if not 0 <= around <= MOST_AROUND:
        raise UnableToReplay(f"{around} sizes below and above can't be replayed: give a number from 0 to {MOST_AROUND}")
    return replace(DEFAULT_REPLAY, around=around)


def replayed(
    *, pool: PoolRow, scope: Scope, as_of: datetime, policy: ReplayPolicy, progress: Progress | None
) -> dict[str, Any]:
    """The document of what a scope says; the allocator's fast mode plans, with one seed."""
    recorded = recorded_during(pool_id=pool.id, period=scope.period)
    asked = MonthAsked(scope.hours, scope.nodes, pool.gpus_per_node, policy)
    warm_up_allocator()
    told = month_replayed(recorded, asked, lambda part: fast_grid(part, iterations=policy.iterations), progress)
    return replay_document(told, pool=pool.name, month=scope.month, period=scope.period, as_of=as_of)
