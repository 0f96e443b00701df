"""What the tables of one reservation's page show, as sheets: sizes, pools, sightings, changes, raw fields."""

from collections.abc import Iterable

from reservations.selectors.reservation_detail import BackedPool, DatedSize, Observed
from reservations.tables.reservation_story import ToldChange
from reservations.tables.sheet import Column, Kind, Sheet

SIZES = (
    Column("from_at", "from", Kind.INSTANT),
    Column("until_at", "until", Kind.INSTANT),
    Column("instances", "instances", Kind.COUNT),
    Column("usable", "usable", Kind.YES_NO),
    Column("dated_by", "dated by", Kind.TEXT),
)

POOLS = (
    Column("pool", "pool", Kind.TEXT, term="node_pool"),
    Column("from_at", "from", Kind.INSTANT),
    Column("until_at", "until", Kind.INSTANT),
)

CHANGES = (
    Column("at", "at", Kind.INSTANT),
    Column("who", "who", Kind.TEXT),
    Column("what", "what", Kind.TEXT),
    Column("before", "before", Kind.TEXT),
    Column("after", "after", Kind.TEXT),
    Column("reason", "reason", Kind.TEXT),
)

RAW = (Column("field", "field", Kind.TEXT), Column("value", "value", Kind.TEXT))

ANOTHERS_POOL = "a pool of another team"

OBSERVATIONS = (
    Column("observed_at", "observed", Kind.INSTANT, term="observation"),
    Column("listed", "listed", Kind.YES_NO),
    Column("state", "state", Kind.TEXT),
    Column("instances", "instances", Kind.COUNT),
    Column("available_instances", "available", Kind.COUNT, "instances"),
)


def sizes_sheet(sizes: Iterable[DatedSize], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """One row for each size in time order; the last is open where nothing ends it."""
    dated = ((size.span, size.dated_by) for size in sizes)
    rows = tuple((span.start, span.end, span.instances, span.usable, dated_by) for span, dated_by in dated)
    return Sheet("sizes", "Sizes", SIZES, rows, about)


def observations_sheet(seen: Iterable[Observed], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """One row for each sweep, the newest first."""
    rows = tuple((one.at, one.present, one.state, one.total, one.available) for one in seen)
    return Sheet("observations", "Observations", OBSERVATIONS, rows, about)


def pools_sheet(backed: Iterable[BackedPool], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """One row for each pool it backed; blank before what is known of and after what is still so."""
    rows = tuple((one.pool or ANOTHERS_POOL, one.start, one.end) for one in backed)
    return Sheet("pools", "Pools it backed", POOLS, rows, about)


def changes_sheet(changes: Iterable[ToldChange], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """One row for each note and change, the newest first."""
    rows = tuple(
        (one.at, one.who, one.what, one.before or None, one.after or None, one.reason or None) for one in changes
    )
    return Sheet("changes", "Notes and changes", CHANGES, rows, about)


def raw_sheet(fields: Iterable[tuple[str, str]], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """One row for each field as its provider names it."""
    return Sheet("raw", "Raw fields", RAW, tuple(fields), about)
