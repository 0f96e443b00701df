"""A price is approved in its currency: what cannot be held against it is not bought at, and lets nothing lapse."""

from datetime import timedelta
from decimal import Decimal

import pytest

from reservations.domain.procurement.lapse import HourPrice
from reservations.services import exceptions
from reservations.services.exceptions import UnableToMoveRequest
from tests.reservations.asked import AT, TODAY, Desk, desk, evidence

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_desk(db: None) -> Desk:
    return desk()


@pytest.mark.parametrize(
    ("now", "sentence"),
    [(None, "today’s price is unknown"), (HourPrice(Decimal(20), "EUR"), "today’s price is in EUR")],
)
def test_a_price_that_cannot_be_held_against_the_approved_one_is_not_bought_at_and_ends_nothing(
    at_desk: Desk, now: HourPrice | None, sentence: str
) -> None:
    request_id = at_desk.approved()
    with pytest.raises(UnableToMoveRequest, match=f"approved at 20 USD per node-hour, and {sentence}"):
        at_desk.execute(request_id, at_desk.buys, node_hour_price=now)
    assert exceptions.lapse_exceptions(at=AT + timedelta(days=1), today=TODAY, prices={request_id: now}) == []
    dearer = {request_id: HourPrice(Decimal(22), "USD")}
    assert [one.request_id for one in exceptions.lapse_exceptions(at=AT, today=TODAY, prices=dearer)] == [request_id]


def test_the_currency_is_that_of_the_evidence_whatever_the_amount_is_in(at_desk: Desk) -> None:
    request_id = at_desk.draft().request_id
    exceptions.submit_exception(
        request_id=request_id, saves=None, evidence=evidence('{"currency":"EUR"}'), by=at_desk.asks.pk, at=AT,
        today=TODAY,
    )  # fmt: skip
    at_desk.approve(request_id, at_desk.checks)
    at_desk.approve(request_id, at_desk.approves)
    with pytest.raises(UnableToMoveRequest, match="approved at 20 EUR"):
        at_desk.execute(request_id, at_desk.buys, node_hour_price=HourPrice(Decimal(20), "USD"))
    assert at_desk.execute(request_id, at_desk.buys, node_hour_price=HourPrice(Decimal(20), "EUR")).state == "executed"
