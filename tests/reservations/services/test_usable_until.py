"""How long a block works when a sweep could not ask for it."""

import pytest

from reservations.domain.reservation_state import Kind
from reservations.models import Reservation
from reservations.services.sweeps import record_sweeps
from tests.reservations.services.sweep_rows import at, configure, listed, sweep

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)])
def test_how_long_before_its_end_a_block_stops_is_kept_while_nobody_says_it(order: tuple[int, ...]) -> None:
    configure()
    ends = {"kind": Kind.BLOCK, "end_at": at(600), "ends_terminate_instances": True}
    told = [
        sweep(0, listed(usable_until=at(540), **ends)),
        sweep(5, listed(usable_until=None, **ends)),
        sweep(10, listed(usable_until=None, **{**ends, "end_at": at(900)})),
    ]
    for one in order:
        record_sweeps(sweeps=[told[one]])
    row = Reservation.objects.get()
    assert (row.end_at, row.usable_until) == (at(900), at(840))
    Reservation.objects.all().delete()
    record_sweeps(sweeps=told)
    assert Reservation.objects.get().usable_until == at(840)


def test_how_long_before_its_end_a_block_stops_is_unknown_until_it_was_said_once() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed(kind=Kind.BLOCK, end_at=at(600), ends_terminate_instances=True))])
    assert Reservation.objects.get().usable_until is None
