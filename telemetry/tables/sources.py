"""The sources behind the numbers as somebody may read them: how they stand, until when, and what went wrong."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from telemetry.domain.plain_errors import PlainError, plain_error
from telemetry.selectors.sources import SourceState

LATE_AFTER = {"inventory": timedelta(minutes=15), "metrics": timedelta(hours=2, minutes=15)}
"""EC2 is asked every five minutes and an hour is computed five minutes after it ends; then some margin."""

TONES = {"failing": "bad", "late": "late", "partial": "late", "nothing yet": "none", "fresh": "good"}
"""The shape and colour beside each word for a state."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source with its state in one word, as far as this person may read it.

    ``late_at`` is when it becomes late unless something new comes, None where nothing ever came.
    """

    state: SourceState
    word: str
    late_at: datetime | None
    pools: tuple[str, ...]
    may_read_errors: bool
    plain: PlainError | None

    @property
    def tone(self) -> str:
        """The shape and colour of its state."""
        return TONES[self.word]

    @property
    def is_inventory(self) -> bool:
        """Whether it lists reservations rather than measuring GPUs."""
        return self.state.hours_missing is None


def source_rows(states: Iterable[SourceState], visible: Collection[int], everything: bool) -> list[SourceRow]:
    """The sources a person who may see these pools, or everything, may see; the metrics sources first."""
    return [
        _row(state, set(visible), everything)
        for state in states
        if everything or state.hours_missing is None or set(visible) & set(state.pool_ids)
    ]


def _row(state: SourceState, visible: set[int], everything: bool) -> SourceRow:
    late_after = LATE_AFTER["inventory" if state.hours_missing is None else "metrics"]
    may_read = everything or visible.issuperset(state.pool_ids)
    return SourceRow(
        state=state,
        word=_word(state, late_after),
        late_at=state.data_until + late_after if state.data_until else None,
        pools=tuple(name for pool_id, name in zip(state.pool_ids, state.pools, strict=True) if pool_id in visible),
        may_read_errors=may_read,
        plain=plain_error(state.last_error) if state.last_error and may_read else None,
    )


def _word(state: SourceState, late_after: timedelta) -> str:
    if state.failing:
        return "failing"
    if state.data_until is None:
        return "nothing yet"
    if state.lag is not None and state.lag > late_after:
        return "late"
    return "partial" if state.degraded else "fresh"
