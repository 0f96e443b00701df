"""The tables of the data pages as sheets: what a page shows in words, in full and with every digit."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.day_coverage import STATE_WORDS, CoverageDay
from telemetry.selectors.doubts import DoubtRun
from telemetry.selectors.recollections import RecollectionRow
from telemetry.selectors.runs import RunRow
from telemetry.selectors.suspects import SuspectDevice
from telemetry.tables.sources import SourceRow

About = tuple[tuple[str, str], ...]

SOURCES = (
    Column("source", "source", Kind.TEXT),
    Column("kind", "kind", Kind.TEXT),
    Column("state", "state", Kind.TEXT),
    Column("data_until", "data until", Kind.INSTANT),
    Column("lag_minutes", "lag", Kind.COUNT, "min"),
    Column("late_at", "late from", Kind.INSTANT),
    Column("last_success_at", "last success", Kind.INSTANT),
    Column("pools", "pools", Kind.FLAGS),
    Column("hours_missing", "hours missing", Kind.COUNT),
    Column("hours_not_final", "hours not final", Kind.COUNT),
    Column("last_error_at", "last error", Kind.INSTANT),
    Column("error_kind", "kind of error", Kind.TEXT),
    Column("error", "what the source said", Kind.TEXT),
)

COVERAGE = (
    Column("pool", "pool", Kind.TEXT),
    Column("day", "day", Kind.DAY, "UTC"),
    Column("state", "state", Kind.TEXT),
    Column("coverage_share", "coverage", Kind.SHARE, term="coverage"),
    Column("hours", "hours in the ledger", Kind.COUNT),
    Column("hours_due", "hours due", Kind.COUNT),
    Column("hours_missing", "hours missing", Kind.COUNT),
    Column("hours_not_final", "hours not final", Kind.COUNT),
    Column("hours_flagged", "hours flagged", Kind.COUNT),
)

RANGE = (
    Column("start", "from", Kind.INSTANT),
    Column("end", "until", Kind.INSTANT),
    Column("hours", "hours", Kind.COUNT),
)

DOUBTS = (
    Column("pool", "pool", Kind.TEXT),
    *RANGE,
    Column("flag", "flag", Kind.TEXT),
    Column("sentence", "what it says", Kind.TEXT),
)

SUSPECTS = (
    Column("pool", "pool", Kind.TEXT),
    Column("node", "node", Kind.TEXT),
    Column("device", "device", Kind.TEXT),
    Column("doubt", "doubt", Kind.TEXT),
    *RANGE,
    Column("sentence", "what it says", Kind.TEXT),
)

RUNS = (
    Column("began_at", "began", Kind.INSTANT),
    Column("pool", "pool", Kind.TEXT),
    *RANGE,
    Column("source", "source", Kind.TEXT),
    Column("outcome", "outcome", Kind.TEXT),
    Column("took_ms", "took", Kind.COUNT, "ms"),
    Column("sentence", "why", Kind.TEXT),
)

RECOLLECTIONS = (
    Column("id", "number", Kind.COUNT),
    Column("asked_at", "asked", Kind.INSTANT),
    Column("asked_by", "by", Kind.TEXT),
    Column("pool", "pool", Kind.TEXT),
    *RANGE,
    Column("replaces_all", "replaces what stands", Kind.YES_NO),
    Column("state", "state", Kind.TEXT),
    Column("hours_done", "hours done", Kind.COUNT),
    Column("stored", "stored", Kind.COUNT),
    Column("unchanged", "the same again", Kind.COUNT),
    Column("refused", "refused", Kind.COUNT),
    Column("failed", "no answer", Kind.COUNT),
    Column("started_at", "began", Kind.INSTANT),
    Column("finished_at", "ended", Kind.INSTANT),
    Column("message", "outcome", Kind.TEXT),
)

DOUBT_WORDS = {"silent": "no activity while it worked", "frozen": "one value for a long time"}


def sources_sheet(rows: Iterable[SourceRow], about: About = ()) -> Sheet:
    """Every source, an error only where it may be read."""
    told = tuple(
        (
            row.state.name,
            row.state.kind,
            row.word,
            row.state.data_until,
            None if row.state.lag is None else row.state.lag // timedelta(minutes=1),
            row.late_at,
            row.state.last_success_at,
            row.pools,
            row.state.hours_missing,
            row.state.hours_not_final,
            row.state.last_error_at,
            row.plain.kind if row.plain else None,
            row.state.last_error if row.plain else None,
        )
        for row in rows
    )
    return Sheet("sources", "Sources", SOURCES, told, about)


def coverage_sheet(pools: Mapping[str, Iterable[CoverageDay]], about: About = ()) -> Sheet:
    """Each pool's UTC days."""
    told = tuple(
        (
            pool,
            one.day,
            STATE_WORDS[one.state],
            one.coverage,
            one.hours,
            one.due,
            one.missing,
            one.open_hours,
            one.flagged_hours,
        )
        for pool, days in pools.items()
        for one in days
    )
    return Sheet("calendar", "Coverage by day", COVERAGE, told, about)


def doubts_sheet(runs: Iterable[DoubtRun], names: Mapping[int, str], about: About = ()) -> Sheet:
    """Runs of hours in doubt."""
    told = tuple(
        (names[run.pool_id], run.period.start, run.period.end, run.hours, run.flag, run.sentence) for run in runs
    )
    return Sheet("flagged", "Hours in doubt", DOUBTS, told, about)


def suspects_sheet(devices: Iterable[SuspectDevice], names: Mapping[int, str], about: About = ()) -> Sheet:
    """Devices whose values are not to be believed."""
    told = tuple(
        (names[one.pool_id], one.node, one.uuid, DOUBT_WORDS[one.what], one.since, one.until, one.hours, one.why)
        for one in devices
    )
    return Sheet("suspects", "Suspect devices", SUSPECTS, told, about)


def runs_sheet(runs: Iterable[RunRow], about: About = ()) -> Sheet:
    """What runs of the collector made of some hours."""
    told = tuple(
        (
            run.read_at,
            run.pool,
            run.period.start,
            run.period.end,
            run.hours,
            run.source,
            run.status,
            run.took_ms,
            run.message,
        )
        for run in runs
    )
    return Sheet("runs", "Recent collection", RUNS, told, about)


def recollections_sheet(rows: Iterable[RecollectionRow], about: About = ()) -> Sheet:
    """What was asked for once more."""
    told = tuple(
        (
            row.id,
            row.asked_at,
            row.asked_by,
            row.pool,
            row.period.start,
            row.period.end,
            row.total_hours,
            row.force,
            row.state.value,
            row.done_hours,
            row.stored,
            row.unchanged,
            row.refused,
            row.failed,
            row.started_at,
            row.finished_at,
            row.message,
        )
        for row in rows
    )
    return Sheet("recollections", "Asked for once more", RECOLLECTIONS, told, about)
