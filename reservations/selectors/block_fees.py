"""Reservations behind pools with their upfront fees and their lives, as rows of the query that reads terms."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from reservations.domain.block_extension import paid_end
from reservations.domain.block_fee import FeeSpan, extension_fees
from reservations.domain.reservation_state import State

FEE = "fee"
NEVER = date(9999, 12, 30)

# Most pools were never backed by anything with a fee: nothing is derived for them, so none of it is read.
FEES = f"""
SELECT '{FEE}', life.pool_id, p.instance_type, life.held, r.upfront_fee_currency, '', r.upfront_fee::numeric(24, 6),
    extract(epoch FROM r.end_at - r.start_at)::numeric,
    extract(epoch FROM coalesce(r.usable_until, r.end_at) - r.start_at)::numeric,
    p.gpus_per_node::numeric(24, 6), r.external_id, NULL::date, r.total_count, NULL::int,
    CASE WHEN r.raw -> 'CapacityBlockExtensions' IS NULL THEN ''
        ELSE jsonb_build_object('end', r.end_at, 'extensions', r.raw -> 'CapacityBlockExtensions')::text END
FROM (
    SELECT pool_id, reservation_id, daterange(first, greatest(first, last), '[]') AS held
    FROM (
        SELECT pool_id, reservation_id, coalesce((begins AT TIME ZONE 'UTC')::date, '0001-01-01') AS first,
            coalesce(((ends - interval '1 microsecond') AT TIME ZONE 'UTC')::date, '{NEVER}') AS last
        FROM (
            SELECT m.pool_id, m.reservation_id, greatest(lower(m.period), one.start_at) AS begins,
                least(upper(m.period), one.end_at) AS ends
            FROM reservations_poolmembership m
            JOIN reservations_reservation one ON one.id = m.reservation_id
            WHERE (%(pools)s::bigint[] IS NULL OR m.pool_id = ANY(%(pools)s)) AND one.state <> '{State.FAILED.value}'
                AND m.pool_id IN (
                    SELECT feed.pool_id FROM reservations_poolmembership feed
                    JOIN reservations_reservation paid ON paid.id = feed.reservation_id
                    WHERE paid.upfront_fee IS NOT NULL
                )
        ) AS backed
        WHERE begins IS NULL OR ends IS NULL OR begins < ends
    ) AS dated
) AS life
JOIN reservations_pool p ON p.id = life.pool_id
JOIN reservations_reservation r ON r.id = life.reservation_id
WHERE life.held && daterange(%(first)s, %(end)s)
"""  # noqa: S608 # nosec B608
"""What backs pools on some UTC days: its fee, seconds billed and usable, instances, and its listed end with extensions.

``pools`` NULL asks for all of them.
"""


def fee_span(shape: str, columns: list[Any]) -> FeeSpan | None:
    """One such row as a span, to the end that is paid; None where that lies before it begins."""
    held, currency, _, fee, billed, usable, gpus, name, _, instances, _, told = columns
    more, unpaid, end = _extended(told, currency, None if held.upper > NEVER else held.upper)
    if end is not None and end <= held.lower:
        return None
    return FeeSpan(
        start=held.lower,
        end=end,
        name=name,
        fee=None if fee is None or more is None else fee + more,
        currency=currency,
        paid_hours=_hours(instances, billed, unpaid),
        usable_hours=_hours(instances, usable, unpaid),
        gpus_per_node=gpus,
        shape=shape,
    )


def _extended(told: str, currency: str, until: date | None) -> tuple[Decimal | None, timedelta, date | None]:
    """What extensions cost, how much of the listed term is not paid, and until when it is."""
    if not told:
        return Decimal(0), timedelta(0), until
    of = json.loads(told)
    extensions = of["extensions"] or []
    more = extension_fees(extensions, currency=currency)
    if of["end"] is None:
        return more, timedelta(0), until
    listed = datetime.fromisoformat(of["end"]).astimezone(UTC)
    paid = paid_end(listed, extensions)
    if paid == listed:
        return more, timedelta(0), until
    after = (paid.astimezone(UTC) - timedelta(microseconds=1)).date() + timedelta(days=1)
    return more, listed - paid, after if until is None else min(until, after)


def _hours(instances: int | None, seconds: Decimal | None, unpaid: timedelta) -> Fraction | None:
    if instances is None or seconds is None:
        return None
    return instances * (Fraction(seconds) - Fraction(unpaid // timedelta(microseconds=1), 10**6)) / 3600
