"""Whether a newly computed hour may replace the one that stands, and when one is due.

The rules in words: docs/ledger.md#when-an-hour-is-computed-and-final, docs/ledger.md#refusals-and---force.
"""

import dataclasses
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from reservations.domain.period import HOUR
from telemetry.domain.kept_name import LONGEST, kept_name, kept_text
from telemetry.domain.ledger import LedgerHour, QueueHour

FIRST_AFTER = timedelta(minutes=5)
"""An hour is due in the ledger this long after it ended."""
AGAIN_AFTER = timedelta(hours=1)
FINAL_AFTER = timedelta(hours=24)
GIVE_UP_AFTER = timedelta(hours=48)
"""An hour that stayed partial is tried until then; after that only by hand."""
MADE_UP_WITHIN = timedelta(days=14)
"""Hours a stopped worker missed are made up so far back: what most engines still keep (15 days)."""

SECOND_SOURCE_REFUSED = "second_source_refused"
"""The flag of a row that another source offered too."""


OVERTAKEN = "a newer reading of the hour stands already"
"""Why an older reading is refused: nothing is lost by it, and nothing is to be done."""


class Verdict(StrEnum):
    """What becomes of a new reading."""

    STORE = "store"
    OLDER = "older"
    SECOND_SOURCE = "second_source"
    LOWER_COVERAGE = "lower_coverage"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class Standing:
    """The row that is already there: its source, when its inputs were read, its coverage (known ÷ expected)."""

    source: str
    read_at: datetime
    row: LedgerHour


def verdict(standing: Standing | None, *, source: str, read_at: datetime, row: LedgerHour, force: bool) -> Verdict:
    """Store, or why not: a second source, an older reading, or less of a final hour than is known already.

    A row without a source (reservations alone) gives way to any source's; ``force`` never helps an older reading
    of the same source.
    """
    if standing is None:
        return Verdict.STORE
    if standing.source and standing.source != source:
        return Verdict.STORE if force else Verdict.SECOND_SOURCE
    if standing.read_at > read_at:
        return Verdict.OLDER
    if force or not standing.row.final:
        return Verdict.STORE
    if not row.complete:
        return Verdict.PARTIAL
    return Verdict.LOWER_COVERAGE if _known_share(row) < _known_share(standing.row) else Verdict.STORE


def _known_share(row: LedgerHour) -> Decimal:
    """Coverage; below 0 where it has no meaning: −1 with nothing expected, −2 where not even that is known."""
    if row.expected is None:
        return Decimal(-2)
    return Decimal(-1) if row.coverage is None else row.coverage


def _kept_queue(queue: QueueHour) -> QueueHour:
    name = kept_name(queue.cluster_queue, LONGEST)
    return queue if name == queue.cluster_queue else dataclasses.replace(queue, cluster_queue=name)


def canonical_row(row: LedgerHour) -> LedgerHour:
    """The same row as it can be kept, its flags, notes and queues in the order that equal rows compare equal in."""
    return dataclasses.replace(
        row,
        queues=tuple(sorted(map(_kept_queue, row.queues), key=lambda queue: queue.cluster_queue)),
        flags=tuple(sorted(set(row.flags))),
        notes=tuple(sorted((flag, kept_text(note)) for flag, note in dict(row.notes).items())),
    )


def with_refused_source(row: LedgerHour, note: str) -> LedgerHour:
    """The row with the flag that a second source offered this hour too; its numbers stay."""
    return canonical_row(
        dataclasses.replace(
            row, flags=(*row.flags, SECOND_SOURCE_REFUSED), notes=(*row.notes, (SECOND_SOURCE_REFUSED, note))
        )
    )


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
