"""Requests that are past their time, by the clock and by today's prices."""

from datetime import datetime

from reservations.domain.procurement.request_state import RequestState
from reservations.selectors.exceptions import all_exception_rows
from reservations.selectors.organisation import accounting_zone
from reservations.services import exceptions
from reservations.services.exceptions import Lapsed
from scheduler.selectors.exception_basis import node_prices


def lapse_exceptions(*, at: datetime) -> list[Lapsed]:
    """Let what does not hold any more lapse; a second run finds nothing, and nothing is ever approved."""
    prices = node_prices(as_of=at)
    approved = all_exception_rows(states=[RequestState.APPROVED])
    by_request = {row.id: prices[row.pool_id].per_node_hour for row in approved if row.pool_id in prices}
    return exceptions.lapse_exceptions(at=at, today=at.astimezone(accounting_zone()).date(), prices=by_request)
