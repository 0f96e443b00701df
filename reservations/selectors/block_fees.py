"""Reservations behind pools with their upfront fees and their lives, as rows of the query that reads terms."""

import json
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

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
    coalesce((r.raw -> 'CapacityBlockExtensions')::text, '')
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
"""What backs pools on some UTC days: its fee, seconds billed and usable, instances, and its extensions.

``pools`` NULL asks for all of them.
"""


def fee_span(shape: str, columns: list[Any]) -> FeeSpan:
    """One such row as a span."""
    held, currency, _, fee, billed, usable, gpus, name, _, instances, _, extensions = columns
    more = extension_fees(json.loads(extensions), currency=currency) if extensions else Decimal(0)
    return FeeSpan(
        start=held.lower,
        end=None if held.upper > NEVER else held.upper,
        name=name,
        fee=None if fee is None or more is None else fee + more,
        currency=currency,
        paid_hours=_hours(instances, billed),
        usable_hours=_hours(instances, usable),
        gpus_per_node=gpus,
        shape=shape,
    )


def _hours(instances: int | None, seconds: Decimal | None) -> Fraction | None:
    return None if instances is None or seconds is None else instances * Fraction(seconds) / 3600
