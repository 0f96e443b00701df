"""Requests that are past their time, by the clock and by today's prices."""

from datetime import datetime

from reservations.domain.procurement.lapse import HourPrice
from reservations.domain.procurement.request_state import RequestState
from reservations.selectors.exceptions import all_exception_rows
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import pool_rows
from reservations.services import exceptions
from reservations.services.exceptions import Lapsed
from scheduler.selectors.exception_basis import node_price, terms_at


def lapse_exceptions(*, at: datetime) -> list[Lapsed]:
    """Let what does not hold any more lapse; a second run finds nothing, and nothing is ever approved."""
    pools = {row.id: row for row in pool_rows()}
    terms, by_request = terms_at(at), {}
    for row in all_exception_rows(states=[RequestState.APPROVED]):
        price = node_price(pool=pools[row.pool_id], shape=row.shape, terms=terms) if row.pool_id in pools else None
        by_request[row.id] = HourPrice(price.per_node_hour, price.currency) if price else None
    return exceptions.lapse_exceptions(at=at, today=at.astimezone(accounting_zone()).date(), prices=by_request)
