"""Whether the numbers can be trusted: sources, what they last said, and the hours that are flagged."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain.access import Action, may
from reservations.domain.period import Period
from reservations.selectors.access import person_of
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import pool_rows
from telemetry.selectors.ledger import flagged_hours
from telemetry.selectors.runs import recent_runs
from telemetry.selectors.sources import LOOK_BACK, SourceState, source_freshness
from telemetry.tables.flagged import flagged_runs
from telemetry.tables.sources import LATE_AFTER
from telemetry.views.asked import answers_plainly

FLAGGED_HOURS = 5000
FLAGGED_RUNS = 50
RUNS = 25


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source with its state in one word, as far as this person may read it."""

    state: SourceState
    word: str
    tone: str
    pools: tuple[str, ...]
    may_read_errors: bool


@require_safe
@answers_plainly
def data_health(request: HttpRequest) -> HttpResponse:
    """``/health/data/``: the last seven days of the sources behind the pools somebody may see."""
    as_of = timezone.now()
    person = person_of(request.user)
    pools = {row.id: row.name for row in pool_rows() if may(person, Action.SEE_DATA_HEALTH, row.teams)}
    everything = may(person, Action.SEE_DATA_HEALTH)
    states = source_freshness(as_of=as_of) if pools or everything else []
    metrics = [state for state in states if state.hours_missing is not None]
    flagged = flagged_hours(pool_ids=pools, period=Period(as_of - LOOK_BACK, as_of), limit=FLAGGED_HOURS)
    context = {
        "section": "data",
        "as_of": as_of,
        "zone": accounting_zone(),
        "person": person,
        "pools": pools,
        "inventory": [_row(state, set(pools), everything) for state in states if state.hours_missing is None],
        "metrics": [
            _row(state, set(pools), everything) for state in metrics if everything or set(pools) & set(state.pool_ids)
        ],
        "flagged": flagged_runs(flagged)[:FLAGGED_RUNS],
        "runs": recent_runs(pool_ids=pools, since=as_of - LOOK_BACK, limit=RUNS),
    }
    return render(request, "telemetry/data_health.html", context)


def _row(state: SourceState, visible: set[int], everything: bool) -> SourceRow:
    word, tone = _status(state)
    named = tuple(name for pool_id, name in zip(state.pool_ids, state.pools, strict=True) if pool_id in visible)
    return SourceRow(state, word, tone, named, everything or visible.issuperset(state.pool_ids))


def _status(state: SourceState) -> tuple[str, str]:
    if state.failing:
        return "failing", "bad"
    if state.data_until is None:
        return "nothing yet", "none"
    kind = "inventory" if state.hours_missing is None else "metrics"
    if state.lag is not None and state.lag > LATE_AFTER[kind]:
        return "late", "late"
    return ("partial", "late") if state.degraded else ("fresh", "good")
