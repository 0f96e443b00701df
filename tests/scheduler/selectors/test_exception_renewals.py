"""A request finds the renewals of the reservation it names, and is found from the reservation's side."""

from datetime import timedelta

import pytest

from reservations.selectors.exceptions import all_exception_rows
from scheduler.models import Renewal
from scheduler.selectors.exception_renewals import renewals_about, requests_about
from tests.reservations.asked import AT, desk
from tests.scheduler.recommended import hold

pytestmark = pytest.mark.django_db


def test_a_request_and_the_renewal_of_what_it_names_lead_to_each_other() -> None:
    at_desk = desk()
    end = AT + timedelta(days=30)
    held = hold(at_desk.pool, 4, name="cr-named", end_at=end)
    hold(at_desk.pool, 4, name="cr-other", end_at=end)
    renewal = Renewal.objects.create(reservation=held, end_at=end, proposed_at=AT, moved_at=AT)
    named, other = at_desk.submit(reservation="cr-named"), at_desk.submit()

    rows = {row.id: row for row in all_exception_rows()}
    assert [one.id for one in renewals_about(rows[named])] == [renewal.pk]
    assert renewals_about(rows[other]) == []
    found = requests_about(list(rows.values()), reservation="cr-named", reservation_id=held.pk)
    assert [row.id for row in found] == [named]
