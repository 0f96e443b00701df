"""What the tables of one reservation's page show, as sheets: its sizes, and what each sweep saw."""

from collections.abc import Iterable

from reservations.selectors.reservation_detail import DatedSize, Observed
from reservations.tables.sheet import Column, Kind, Sheet

SIZES = (
    Column("from_at", "from", Kind.INSTANT),
    Column("until_at", "until", Kind.INSTANT),
    Column("instances", "instances", Kind.COUNT),
    Column("usable", "usable", Kind.YES_NO),
    Column("dated_by", "dated by", Kind.TEXT),
)

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
