"""Reservations as a sheet: what a page lists, a file holds and the API gives."""

from collections.abc import Iterable

from reservations.domain.held_now import ReservationRow
from reservations.tables.sheet import Column, Kind, Sheet

COLUMNS = (
    Column("reservation", "id", Kind.TEXT, term="capacity_reservation"),
    Column("provider", "provider", Kind.TEXT),
    Column("owner", "owner", Kind.TEXT, term="owner"),
    Column("pool", "pool", Kind.TEXT, term="node_pool"),
    Column("state", "state", Kind.TEXT),
    Column("missing_since", "no longer listed since", Kind.INSTANT),
    Column("kind", "kind", Kind.TEXT),
    Column("matching", "matching", Kind.TEXT),
    Column("instance_type", "instance type", Kind.TEXT),
    Column("instances", "instances", Kind.COUNT),
    Column("used_instances", "used", Kind.COUNT, "instances"),
    Column("gpus", "GPUs", Kind.COUNT),
    Column("region", "region", Kind.TEXT),
    Column("zone_id", "zone", Kind.TEXT),
    Column("start_at", "start", Kind.INSTANT),
    Column("end_at", "end", Kind.INSTANT),
    Column("usable_until", "usable until", Kind.INSTANT, term="usable_until"),
    Column("decision_on", "decision date", Kind.DAY, term="decision_date"),
    Column("decision_remark", "why no decision date", Kind.TEXT),
    Column("upfront_fee", "upfront fee", Kind.MONEY),
    Column("upfront_fee_currency", "currency", Kind.TEXT),
    Column("tags", "tags", Kind.FLAGS),
    Column("arn", "ARN", Kind.TEXT),
)


def reservations_sheet(rows: Iterable[ReservationRow], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """One row a reservation, as it stands now."""
    return Sheet("reservations", "Reservations", COLUMNS, tuple(_cells(row) for row in rows), about)


def terms_sheet(rows: Iterable[ReservationRow], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """What a drawing of terms shows, of each reservation."""
    whole = reservations_sheet(rows)
    places = [whole.names.index(name) for name in _OF_TERMS]
    cells = tuple(tuple(row[place] for place in places) for row in whole.rows)
    return Sheet("terms", "Terms", tuple(whole.columns[place] for place in places), cells, about)


_OF_TERMS = (
    "reservation",
    "pool",
    "owner",
    "state",
    "instance_type",
    "instances",
    "start_at",
    "end_at",
    "usable_until",
    "decision_on",
)


def _cells(row: ReservationRow) -> tuple[object, ...]:
    return (
        row.external_id,
        row.provider,
        row.owner,
        row.pool,
        row.state.value,
        row.missing_since,
        row.kind.value,
        row.matching or None,
        row.shape or None,
        row.total_count,
        row.used_count,
        row.gpus,
        row.region or None,
        row.zone_id or None,
        row.start_at,
        row.end_at,
        row.usable_until,
        row.decision.on,
        row.decision.why_not or None,
        row.upfront_fee,
        row.upfront_fee_currency if row.upfront_fee is not None else None,
        tuple(f"{key}={value}" for key, value in sorted(row.tags.items())),
        row.arn or None,
    )
