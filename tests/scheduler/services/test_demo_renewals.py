"""The demo shows a renewal in each state, and a later load leaves what stands."""

from datetime import timedelta

import pytest

from reservations.models import Owner
from scheduler.models import CalendarEntry, EndPlan, Renewal
from scheduler.services.demo.renewals import load_renewals
from tests.fixtures.cast import Cast
from tests.scheduler.renewing import DAY, END, NOW, ending_block

pytestmark = pytest.mark.django_db


def test_every_state_is_there_once_it_is_loaded_and_stays_as_it_is(cast: Cast) -> None:
    Owner.objects.create(name="platform")
    ending_block(cast.pool)
    ending_block(cast.pool, name="cr-0bbb", start_at=END + DAY, end_at=END + 30 * DAY, state="scheduled")
    load_renewals(as_of=NOW)
    states = sorted(Renewal.objects.values_list("state", flat=True))
    assert states == ["decided", "executed", "proposed", "superseded"]
    assert EndPlan.objects.exists()
    assert CalendarEntry.objects.exists()
    load_renewals(as_of=NOW + timedelta(days=3))
    assert sorted(Renewal.objects.values_list("state", flat=True)) == states
