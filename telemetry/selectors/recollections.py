"""What was asked for once more, as pages show it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from reservations.domain.period import Period
from reservations.selectors.any_of import any_of
from telemetry.domain.recollection import LIVE, RecollectionState, Stretch
from telemetry.models import Recollection


@dataclass(frozen=True, slots=True)
class RecollectionRow:
    """One request; ``stretches`` are the hours that were not stored, and why."""

    id: int
    pool_id: int
    pool: str
    period: Period
    force: bool
    asked_by: str
    asked_at: datetime
    state: RecollectionState
    total_hours: int
    done_hours: int
    stored: int
    unchanged: int
    refused: int
    failed: int
    stretches: tuple[Stretch, ...]
    message: str
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def live(self) -> bool:
        """Whether something can still come of it."""
        return self.state in LIVE


def recollection_rows(*, pool_ids: Collection[int], limit: int, live: bool = False) -> list[RecollectionRow]:
    """The newest requests for some pools, or of them those under way, in one query."""
    rows = Recollection.objects.filter(pool_id__in=any_of(pool_ids)).select_related("pool").order_by("-asked_at", "-pk")
    return [_row(one) for one in (rows.filter(state__in=LIVE) if live else rows)[:limit]]


def recollection_row(*, recollection_id: int) -> RecollectionRow | None:
    """One request, None when there is none of that number."""
    one = Recollection.objects.select_related("pool").filter(pk=recollection_id).first()
    return _row(one) if one else None


def _row(one: Recollection) -> RecollectionRow:
    return RecollectionRow(
        id=one.pk,
        pool_id=one.pool_id,
        pool=one.pool.name,
        period=Period(one.period.lower.astimezone(UTC), one.period.upper.astimezone(UTC)),
        force=one.force,
        asked_by=one.asked_by_name,
        asked_at=one.asked_at,
        state=RecollectionState(one.state),
        total_hours=one.total_hours,
        done_hours=one.done_hours,
        stored=one.stored,
        unchanged=one.unchanged,
        refused=one.refused,
        failed=one.failed,
        stretches=tuple(
            Stretch(
                said["status"],
                said["why"],
                Period(datetime.fromisoformat(said["from"]), datetime.fromisoformat(said["to"])),
            )
            for said in one.problems
        ),
        message=one.message,
        started_at=one.started_at,
        finished_at=one.finished_at,
    )
