"""Whether a newly computed hour may replace the one that stands (DESIGN §3)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from reservations.domain.period import HOUR
from telemetry.domain.ledger import LedgerHour

FIRST_AFTER = timedelta(minutes=5)
AGAIN_AFTER = timedelta(hours=1)
FINAL_AFTER = timedelta(hours=24)
GIVE_UP_AFTER = timedelta(hours=48)
"""An hour that stayed partial is tried until then; after that only by hand."""


class Verdict(StrEnum):
    """What becomes of a new reading."""

    STORE = "store"
    OLDER = "older"
    SECOND_SOURCE = "second_source"
    LOWER_COVERAGE = "lower_coverage"


@dataclass(frozen=True, slots=True)
class Standing:
    """The row that is already there: its source, when its inputs were read, its coverage (known ÷ expected)."""

    source: str
    read_at: datetime
    row: LedgerHour


def verdict(standing: Standing | None, *, source: str, read_at: datetime, row: LedgerHour, force: bool) -> Verdict:
    """Store, or why not: a second source, an older reading, or less of a final hour than is known already."""
    if standing is None:
        return Verdict.STORE
    if standing.source != source:
        return Verdict.STORE if force else Verdict.SECOND_SOURCE
    if standing.read_at > read_at:
        return Verdict.OLDER
    if standing.row.final and _less_is_known(row, standing.row):
        return Verdict.STORE if force else Verdict.LOWER_COVERAGE
    return Verdict.STORE


def _less_is_known(new: LedgerHour, old: LedgerHour) -> bool:
    return (new.coverage if new.coverage is not None else -1) < (old.coverage if old.coverage is not None else -1)


def is_final(*, hour: datetime, read_at: datetime, complete: bool) -> bool:
    """An hour is final when it was read whole a day or more after it ended."""
    return complete and read_at >= hour + HOUR + FINAL_AFTER


def is_due(*, hour: datetime, as_of: datetime, read_at: datetime | None, final: bool) -> bool:
    """Whether an hour wants computing now: five minutes, one hour and one day after its end, each once.

    It follows from what stands in the ledger, so a missed run is made up by the next one.
    """
    end = hour + HOUR
    if final or as_of < end + FIRST_AFTER:
        return False
    if read_at is None:
        return True
    if as_of >= end + FINAL_AFTER:
        return read_at < end + FINAL_AFTER or as_of < end + GIVE_UP_AFTER
    return read_at < end + AGAIN_AFTER <= as_of
