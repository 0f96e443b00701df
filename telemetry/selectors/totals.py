"""Totals of any pools over any periods, in as few questions as there are ways to add them up."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TypeVar

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.totals import SUMS, Totals, UseTotals
from telemetry.selectors.period_sums import HOUR_SUMS, OF_ALL, OF_USE, first_day, summed, sums_both_ways, sums_by_pool

K = TypeVar("K")
L = TypeVar("L")

_OVER_HOURS = ", ".join(["count(*)", *(summed(name, HOUR_SUMS[name]) for name in SUMS)])
_OF_DAYS = ", ".join(["d.hours", *(f"d.{name}" for name in SUMS)])


@dataclass(frozen=True, slots=True)
class HourTotals:
    """The totals of one UTC hour over several pools."""

    hour: datetime
    totals: Totals


def totals_by_pool(*, pool_ids: Collection[int], periods: Mapping[K, Period]) -> dict[tuple[int, K], Totals]:
    """The totals of each pool in each of any number of periods, in one query; a pair without any hour is left out."""
    return sums_by_pool(OF_ALL, pool_ids=pool_ids, periods=periods)


def totals_together(*, pool_ids: Collection[int], periods: Mapping[K, Period]) -> dict[K, Totals]:
    """The totals of all these pools together in each period, in one query; a period without any hour is left out."""
    return sums_both_ways(OF_ALL, pool_ids=pool_ids, by_pool={}, together=periods)[1]


def totals_both_ways(
    *, pool_ids: Collection[int], by_pool: Mapping[K, Period], together: Mapping[L, Period]
) -> tuple[dict[tuple[int, K], Totals], dict[L, Totals]]:
    """``totals_by_pool`` of some periods and ``totals_together`` of others, in one query."""
    return sums_both_ways(OF_ALL, pool_ids=pool_ids, by_pool=by_pool, together=together)


def use_by_pool(*, pool_ids: Collection[int], periods: Mapping[K, Period]) -> dict[tuple[int, K], UseTotals]:
    """The use of each pool in each of any number of periods, in one query; a pair without any hour is left out."""
    return sums_by_pool(OF_USE, pool_ids=pool_ids, periods=periods)


def use_both_ways(
    *, pool_ids: Collection[int], by_pool: Mapping[K, Period], together: Mapping[L, Period]
) -> tuple[dict[tuple[int, K], UseTotals], dict[L, UseTotals]]:
    """``use_by_pool`` of some periods, and of all pools together in others, in one query."""
    return sums_both_ways(OF_USE, pool_ids=pool_ids, by_pool=by_pool, together=together)


def totals_by_day(*, pool_ids: Collection[int], period: Period) -> dict[tuple[int, date], Totals]:
    """The totals of each pool on each whole UTC day that begins in a period, in one query."""
    first, end = first_day(period.start), first_day(period.end)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT d.pool_id, d.day, {_OF_DAYS} FROM telemetry_poolday d"  # noqa: S608
            " WHERE d.pool_id = ANY(%s) AND d.day >= %s AND d.day < %s ORDER BY d.pool_id, d.day",  # nosec B608
            [list(pool_ids), first, end],
        )
        return {(pool_id, day): Totals(*sums) for pool_id, day, *sums in cursor}


def fleet_hours(*, pool_ids: Collection[int], period: Period) -> list[HourTotals]:
    """Each hour of a period that some of the pools have, with their totals together, in order and one query."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT h.hour, {_OVER_HOURS} FROM telemetry_poolhour h"  # noqa: S608
            " WHERE h.pool_id = ANY(%s) AND h.hour >= %s AND h.hour < %s GROUP BY h.hour ORDER BY h.hour",  # nosec B608
            [list(pool_ids), period.start, period.end],
        )
        return [HourTotals(hour.astimezone(UTC), Totals(*sums)) for hour, *sums in cursor]
