"""Every pool of a month in one line: its sums, its share against break-even and against the month before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from reservations.selectors.pools import PoolRow
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.totals import Totals
from telemetry.domain.worth import Worth
from telemetry.tables.break_even import verdict_of
from telemetry.tables.compared import Figures
from telemetry.tables.tiles import Mark, mark_of
from telemetry.tables.usage import gpu_hours, share

NOTHING, WORTHLESS = Totals(), Worth()

COLUMNS = (
    Column("pool", "pool", Kind.TEXT),
    Column("owner", "owner", Kind.TEXT),
    Column("instance_type", "instance type", Kind.TEXT),
    Column("hours", "hours", Kind.COUNT),
    Column("hours_missing", "hours missing", Kind.COUNT),
    Column("reserved_gpu_hours", "reserved", Kind.GPU_HOURS),
    Column("allocated_gpu_hours", "allocated", Kind.GPU_HOURS),
    Column("busy_gpu_hours", "busy", Kind.GPU_HOURS),
    Column("idle_held_gpu_hours", "idle, held", Kind.GPU_HOURS),
    Column("idle_free_gpu_hours", "idle, free", Kind.GPU_HOURS),
    Column("busy_share", "busy ÷ reserved", Kind.SHARE),
    Column("busy_share_before", "the month before", Kind.SHARE),
    Column("busy_paid_share", "busy ÷ paid", Kind.SHARE),
    Column("allocated_reserved_share", "allocated ÷ reserved", Kind.SHARE),
    Column("break_even_share", "break-even", Kind.SHARE),
    Column("adjusted_break_even_share", "break-even with launches that fail", Kind.SHARE),
    Column("decides", "what decides", Kind.TEXT),
    Column("coverage_share", "coverage", Kind.SHARE),
    Column("cost_of_idle", "cost of idle", Kind.MONEY),
    Column("paid_cost", "paid", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
)

STEP_COLUMNS = (
    Column("pool", "pool", Kind.TEXT),
    Column("owner", "owner", Kind.TEXT),
    Column("gpu_hours", "GPU-hours", Kind.GPU_HOURS),
    Column("of_reserved_share", "of reserved", Kind.SHARE),
    Column("cost", "cost", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One pool as the page shows it; blank or a dash where nobody knows."""

    name: str
    owner: str
    instance_type: str
    reserved: str
    busy: str
    share: str
    mark: Mark | None
    trend: str
    allocated: str
    idle_held: str
    idle_free: str
    even: str
    adjusted: str
    coverage: str
    cost: str
    remark: str


def largest_first(pools: Sequence[PoolRow], now: Figures) -> list[PoolRow]:
    """The pools by what they had reserved, the most first."""
    return sorted(pools, key=lambda pool: (-(now.totals.get(pool.id, NOTHING).reserved or 0), pool.name))


def pool_lines(pools: Sequence[PoolRow], now: Figures, before: Figures, missing: Mapping[int, int]) -> list[Line]:
    """One line for each pool; ``missing``: the hours that were due and never collected."""
    return [
        _line(
            pool,
            now.totals.get(pool.id, NOTHING),
            before.totals.get(pool.id, NOTHING),
            now.worth.get(pool.id, WORTHLESS),
            missing.get(pool.id, 0),
        )
        for pool in pools
    ]


def pools_sheet(
    pools: Sequence[PoolRow],
    now: Figures,
    before: Figures,
    missing: Mapping[int, int],
    about: tuple[tuple[str, str], ...] = (),
) -> Sheet:
    """The same with every digit and column, by name."""
    rows = tuple(
        _row(
            pool,
            now.totals.get(pool.id, NOTHING),
            before.totals.get(pool.id, NOTHING),
            now.worth.get(pool.id, WORTHLESS),
            missing,
        )
        for pool in pools
    )
    return Sheet("pools", "Pools", COLUMNS, rows, about)


@dataclass(frozen=True, slots=True)
class StepLine:
    """How much of one step of the waterfall a pool has, and what part of its own reserved time that is."""

    name: str
    hours: str
    share: str
    cost: str


def step_lines(pools: Sequence[PoolRow], now: Figures, step: str) -> list[StepLine]:
    """The pools with any of one step, those with most of it first."""
    return [_step_line(pool, gpu_ms, now, step) for pool, gpu_ms in _ranked(pools, now, step)]


def steps_sheet(pools: Sequence[PoolRow], now: Figures, step: str, about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """The same with every digit."""
    rows = tuple(
        (
            pool.name,
            pool.owner,
            gpu_hours(gpu_ms),
            share(Decimal(gpu_ms) / reserved) if reserved else None,
            _cost(now.worth[pool.id], step),
            now.worth[pool.id].currency,
        )
        for pool, gpu_ms in _ranked(pools, now, step)
        for reserved in [now.totals[pool.id].reserved]
    )
    return Sheet("step-pools", "Pools with most of it", STEP_COLUMNS, rows, about)


def _ranked(pools: Sequence[PoolRow], now: Figures, step: str) -> list[tuple[PoolRow, int]]:
    amounts = [(pool, _step(now.totals.get(pool.id, NOTHING), step)) for pool in pools]
    return sorted((one for one in amounts if one[1]), key=lambda one: (-abs(one[1]), one[0].name))


def _cost(worth: Worth, step: str) -> Decimal | None:
    return worth.unusable if step not in STEP_LABELS else worth.steps.get(step)


def _step_line(pool: PoolRow, gpu_ms: int, now: Figures, step: str) -> StepLine:
    reserved, worth = now.totals[pool.id].reserved, now.worth[pool.id]
    cost = _cost(worth, step)
    return StepLine(
        pool.name,
        notation.gpu_hours(gpu_ms),
        notation.percent(Decimal(gpu_ms) / reserved) if reserved else notation.UNKNOWN,
        notation.UNKNOWN if cost is None else notation.amount(cost, worth.currency),
    )


def _step(totals: Totals, step: str) -> int:
    if step not in STEP_LABELS:
        return (totals.paid or 0) - (totals.reserved or 0)
    return totals.steps()[step] or 0


def _line(pool: PoolRow, now: Totals, before: Totals, worth: Worth, missing: int) -> Line:
    busy, held = now.busy_share, now.busy_paid_share
    return Line(
        name=pool.name,
        owner=pool.owner,
        instance_type=pool.instance_type,
        reserved=notation.gpu_hours(now.reserved),
        busy=notation.gpu_hours(now.busy),
        share=notation.percent(busy),
        mark=None if busy is None else mark_of(busy if held is None else held, worth),
        trend=_trend(busy, before.busy_share),
        allocated=notation.gpu_hours(now.allocated),
        idle_held=notation.gpu_hours(now.idle_held),
        idle_free=notation.gpu_hours(now.idle_free),
        even=notation.percent(worth.break_even),
        adjusted=notation.percent(worth.adjusted),
        coverage=notation.percent(now.coverage),
        cost=notation.UNKNOWN if worth.idle is None else notation.amount(worth.idle, worth.currency),
        remark=_remark(now, missing),
    )


def _remark(now: Totals, missing: int) -> str:
    if not now.hours:
        return "nothing collected"
    if now.reserved == 0:
        return "nothing was reserved"
    return f"{notation.grouped(missing)} h missing" if missing else ""


def _trend(now: Decimal | None, before: Decimal | None) -> str:
    if now is None or before is None:
        return notation.UNKNOWN
    points = (now - before) * 100
    return f"{'+' if points > 0 else ''}{notation.grouped(points, 1)}"


def _row(pool: PoolRow, now: Totals, before: Totals, worth: Worth, missing: Mapping[int, int]) -> tuple[object, ...]:
    return (
        pool.name,
        pool.owner,
        pool.instance_type,
        now.hours,
        missing.get(pool.id, 0),
        *(gpu_hours(getattr(now, name)) for name in ("reserved", "allocated", "busy", "idle_held", "idle_free")),
        *(
            share(value)
            for value in (
                now.busy_share,
                before.busy_share,
                now.busy_paid_share,
                now.allocated_reserved_share,
                worth.break_even,
                worth.adjusted,
            )
        ),
        verdict_of(now, worth).decides,
        share(now.coverage),
        worth.idle,
        worth.paid,
        worth.currency,
    )
