"""What requests for exceptions still owe: conditions that are not met, and emergencies that nobody signed off."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q

from reservations.domain.procurement.request_state import RequestState
from reservations.models import BreakGlass, ExceptionCondition

STANDS = [RequestState.APPROVED.value, RequestState.EXECUTED.value]


@dataclass(frozen=True, slots=True)
class Owed:
    """A request's open conditions as (id, due day), and its emergency where no second sign-off is there yet.

    Never what a condition says or who approved alone: what is owed is told to many who may not read the request.
    """

    request_id: int
    pool_id: int
    conditions: tuple[tuple[int, date], ...] = ()
    glass_opened_at: datetime | None = None
    glass_due_at: datetime | None = None


def what_is_owed() -> list[Owed]:
    """Every request that owes something, by its id, in two queries."""
    conditions: dict[int, list[tuple[int, date]]] = {}
    pools: dict[int, int] = {}
    open_ones = ExceptionCondition.objects.filter(met_at__isnull=True, request__state__in=STANDS)
    for pk, request_id, pool_id, due_on in open_ones.values_list("pk", "request_id", "request__pool_id", "due_on"):
        conditions.setdefault(request_id, []).append((pk, due_on))
        pools[request_id] = pool_id
    glass = {}
    for row in BreakGlass.objects.filter(Q(verdict="")).select_related("version__request"):
        glass[row.version.request_id] = row
        pools[row.version.request_id] = row.version.request.pool_id
    return [
        Owed(
            request_id,
            pools[request_id],
            tuple(conditions.get(request_id, ())),
            *((found.opened_at, found.sign_off_due_at) if found else (None, None)),
        )
        for request_id in sorted(pools)
        for found in [glass.get(request_id)]
    ]
