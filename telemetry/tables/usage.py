"""Ledger sums as the rows of `usage`: the command, the page's CSV and whatever comes later print these."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from decimal import ROUND_HALF_EVEN, Decimal

from reservations.domain.period import HOUR_MS, Period, days_of, hour_period, months_of
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.rollup import LedgerSum, by_day, by_hour, by_month, roll_up
from telemetry.domain.totals import Totals
from telemetry.selectors.usage import UsagePart

GPU_HOURS_STEP = Decimal("0.0000001")
"""Seven digits: a GPU-millisecond is 2.8 of the last one, so every one of them can be read back."""

SHARE_STEP = Decimal("0.000000001")

COLUMNS: tuple[str, ...] = (
    "pool",
    "start",
    "end",
    "reserved_gpu_hours",
    "ec2_unused_gpu_hours",
    "paid_gpu_hours",
    "launched_gpu_hours",
    "expected_gpu_hours",
    "not_joined_gpu_hours",
    "not_observed_gpu_hours",
    "hours_missing",
    "known_gpu_hours",
    "unknown_gpu_hours",
    "coverage_share",
    "allocated_gpu_hours",
    "busy_gpu_hours",
    "busy_high_gpu_hours",
    "sm_gpu_hours",
    "idle_gpu_hours",
    "idle_held_gpu_hours",
    "idle_free_gpu_hours",
    "owner_busy_gpu_hours",
    "borrower_busy_gpu_hours",
    "unmanaged_busy_gpu_hours",
    "unattributed_busy_gpu_hours",
    "flags",
    "final",
)

CUTS = ("hour", "day", "month")

_SUFFIX = "_gpu_hours"


def gpu_hours(gpu_ms: int | None) -> Decimal | None:
    """GPU-milliseconds as GPU-hours to seven digits; None stays None."""
    if gpu_ms is None:
        return None
    return (Decimal(gpu_ms) / HOUR_MS).quantize(GPU_HOURS_STEP, ROUND_HALF_EVEN)


def usage_sums(
    hours: Sequence[LedgerHour], period: Period, *, by: str | None, zone: tzinfo, until: datetime
) -> list[LedgerSum]:
    """One sum for each hour, local day or local month of a period, as ``by`` of ``CUTS`` says; one for all by None."""
    if by == "hour":
        return by_hour(hours=hours, period=period, until=until)
    if by == "day":
        return by_day(hours=hours, period=period, zone=zone, until=until)
    if by == "month":
        return by_month(hours=hours, period=period, zone=zone, until=until)
    return [roll_up(hours=hours, period=period, until=until)]


def usage_cuts(period: Period, *, by: str | None, zone: tzinfo) -> list[Period]:
    """The parts of a period in order, as ``by`` of ``CUTS`` says; the whole by None."""
    if by == "hour":
        return [hour_period(start) for start in period.hours()]
    if by is None:
        return [period]
    return [part for _, part in (days_of if by == "day" else months_of)(period, zone)]


def usage_row(pool: str, total: LedgerSum) -> dict[str, object]:
    """One period of one pool under the names of ``COLUMNS``; None is unknown."""
    return _amounts(total) | {
        "pool": pool,
        "start": total.period.start,
        "end": total.period.end,
        "hours_missing": total.hours_missing,
        "flags": list(total.flags),
        "final": total.final,
    }


def part_row(part: UsagePart) -> dict[str, object]:
    """The same row of a part that was summed by the database."""
    return _amounts(part.totals) | {
        "pool": part.pool.name,
        "start": part.period.start,
        "end": part.period.end,
        "hours_missing": part.hours_missing,
        "flags": list(part.flags),
        "final": part.final,
    }


def usage_rows(pool: str, sums: Sequence[LedgerSum]) -> list[dict[str, object]]:
    """One row for each sum of one pool."""
    return [usage_row(pool, total) for total in sums]


def share(value: Decimal | None) -> Decimal | None:
    """A ratio to nine digits; None stays None."""
    return None if value is None else value.quantize(SHARE_STEP, ROUND_HALF_EVEN)


def usage_period(period: Period, *, zone: str, until: datetime) -> dict[str, object]:
    """What the rows are about: the period, the zone its days and months are cut in, and how far it was due."""
    return {
        "start": period.start,
        "end": period.end,
        "accounting_zone": zone,
        "to_date": until < period.end,
        "until": max(period.start, min(until, period.end)),
    }


def _amounts(total: LedgerSum | Totals) -> dict[str, object]:
    row: dict[str, object] = dict.fromkeys(COLUMNS)
    row |= {name: gpu_hours(getattr(total, name.removesuffix(_SUFFIX))) for name in COLUMNS if name.endswith(_SUFFIX)}
    return row | {"coverage_share": share(total.coverage)}
