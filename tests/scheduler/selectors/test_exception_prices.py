"""What a request costs by the price book: of the instance type it names, and every step where nobody knows."""

from datetime import date
from decimal import Decimal

import pytest
from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.models import PriceQuote, PriceSubject
from reservations.selectors.pools import pool_named
from scheduler.domain.exception.basis import Asked
from scheduler.selectors.exception_basis import basis_of
from scheduler.services.exceptions import submit_exception_with_evidence
from tests.reservations.asked import AT, desk, newest

pytestmark = pytest.mark.django_db


def test_another_instance_type_is_priced_as_what_it_is_or_asks_every_step() -> None:
    at_desk = desk()
    quote = {"currency": "USD", "unit": "node-hour", "period": DateRange(date(2026, 1, 1), None)}
    for subject, price in (({"pool": at_desk.pool}, 2), ({"shape": "p5en.48xlarge"}, 60)):
        of = PriceSubject.objects.create(**subject)
        PriceQuote.objects.create(subject=of, on_demand=Decimal(price * 2), reserved=Decimal(price), **quote)
    pool = pool_named("serve-h100")
    asked = Asked(4, date(2026, 4, 1), date(2026, 4, 11))
    costs = {
        shape: basis_of(pool=pool, as_of=AT, asked=asked, shape=shape).term_cost
        for shape in ("", "p5.48xlarge", "p5en.48xlarge", "x9.unheard")
    }
    assert costs == {"": 1920, "p5.48xlarge": 1920, "p5en.48xlarge": 57_600, "x9.unheard": None}
    draft = at_desk.draft(shape="x9.unheard", amount="1.00")
    submit_exception_with_evidence(request_id=draft.request_id, saves=draft.saves, by=at_desk.asks.pk, at=AT)
    assert [step["role"] for step in newest(draft.request_id).required] == ["analyst", "approver"]
