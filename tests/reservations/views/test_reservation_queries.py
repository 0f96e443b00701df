"""The pages of reservations cost the same number of queries however many there are."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.models import Owner, ReservationNote, ReservationObservation, ReservationSize
from tests.fixtures.cast import Cast
from tests.reservations.holdings import NOW, holding, publish_rule

COUNTS = {
    "": 10,
    "?owner=serving&order=-gpus&tag=env": 10,
    "timeline/?range=all": 10,
    "reservations.csv": 10,  # three of them for the event that a file leaves in the trail
    "{pk}/": 12,
    "{pk}/observations/": 7,
    "{pk}/edit/": 10,
    "{pk}/pool/": 7,
    "new/": 6,
    "import/": 4,
}


@pytest.mark.django_db
@pytest.mark.parametrize("address", COUNTS)
@pytest.mark.parametrize("many", [1, 40])
def test_a_page_makes_no_more_queries_than_it_did(many: int, address: str, cast: Cast, logged_in) -> None:
    publish_rule()
    row = holding("one", kind="manual", pool=cast.pool, entered_sizes=[[NOW.isoformat(), 4]])
    for number in range(many):
        other = holding(f"cr-{number}", pool=(cast.pool, cast.other)[number % 2])
        ReservationSize.objects.create(reservation=other, period=(NOW, None), instances=4, dated_by="observed")
        ReservationObservation.objects.create(reservation=row, observed_at=NOW - timedelta(minutes=number))
        ReservationNote.objects.create(reservation=row, written_by=cast.owner, written_at=NOW, text="said")
        row.owner = Owner.objects.order_by("name")[number % 3]
        row.save()
    ReservationSize.objects.create(reservation=row, period=(NOW, None), instances=4, dated_by="manual")
    cast.analyst.grants.update(role="admin")
    client = logged_in(cast.analyst)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/reservations/{address.format(pk=row.pk)}").status_code == 200
    said = "\n".join(query["sql"][:160] for query in queries)
    assert len(queries) <= COUNTS[address] <= 12, said
