"""``/health``: how fresh each source is, as on the page of the data's health."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from reservations.api.callers import opens
from reservations.api.problems import PROBLEMS
from reservations.domain.access import Action, may
from reservations.domain.tokens import Scope
from reservations.selectors.pools import pool_rows
from telemetry.api.shapes import HealthTold
from telemetry.selectors.sources import source_freshness
from telemetry.tables.sources import SourceRow, source_rows

router = Router(tags=["health"])


@router.get(
    "/health", response={200: HealthTold, **PROBLEMS}, auth=opens(Scope.READ_HEALTH), summary="How fresh the data are"
)
def health(request: HttpRequest) -> dict[str, Any]:
    """Every metrics source behind the pools you may see, and every account's region. Needs the scope `read:health`."""
    as_of, person = timezone.now(), request.auth.person
    pools = {row.id for row in pool_rows() if may(person, Action.SEE_DATA_HEALTH, row.teams)}
    everything = may(person, Action.SEE_DATA_HEALTH)
    states = source_freshness(as_of=as_of) if pools or everything else []
    return {"as_of": as_of, "sources": [_told(seen) for seen in source_rows(states, pools, everything)]}


def _told(seen: SourceRow) -> dict[str, Any]:
    state = seen.state
    return {
        "name": state.name,
        "kind": state.kind,
        "state": seen.word,
        "pools": list(seen.pools),
        "last_success_at": state.last_success_at,
        "data_until": state.data_until,
        "lag_seconds": None if state.lag is None else int(state.lag.total_seconds()),
        "last_error_at": state.last_error_at,
        "last_error": state.last_error if seen.may_read_errors else None,
        "hours_missing": state.hours_missing,
        "hours_not_final": state.hours_not_final,
    }
