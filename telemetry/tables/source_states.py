"""The state of each source in one word, as far as somebody may see it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta

from telemetry.selectors.sources import SourceState

LATE_AFTER = {"inventory": timedelta(minutes=15), "metrics": timedelta(hours=2, minutes=15)}
"""EC2 is asked every five minutes and an hour is computed five minutes after it ends; then some margin."""


@dataclass(frozen=True, slots=True)
class SourceSeen:
    """One source in one ``word`` with its ``tone``; ``pools`` are those behind it that somebody may see."""

    state: SourceState
    word: str
    tone: str
    pools: tuple[str, ...]
    may_read_errors: bool


def sources_seen(states: Iterable[SourceState], visible: Collection[int], *, everything: bool) -> list[SourceSeen]:
    """Every inventory, and the metrics sources behind visible pools; an error is read by who may see all its pools."""
    seen = set(visible)
    return [
        _seen(state, seen, everything)
        for state in states
        if everything or state.hours_missing is None or seen & set(state.pool_ids)
    ]


def _seen(state: SourceState, visible: set[int], everything: bool) -> SourceSeen:
    word, tone = _status(state)
    named = tuple(name for pool_id, name in zip(state.pool_ids, state.pools, strict=True) if pool_id in visible)
    return SourceSeen(state, word, tone, named, everything or visible.issuperset(state.pool_ids))


def _status(state: SourceState) -> tuple[str, str]:
    if state.failing:
        return "failing", "bad"
    if state.data_until is None:
        return "nothing yet", "none"
    kind = "inventory" if state.hours_missing is None else "metrics"
    if state.lag is not None and state.lag > LATE_AFTER[kind]:
        return "late", "late"
    return ("partial", "late") if state.degraded else ("fresh", "good")
