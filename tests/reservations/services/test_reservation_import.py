"""A file of reservations is brought in whole or not at all, and a second time without effect."""

from datetime import UTC, datetime

import pytest

from reservations.domain.change import Outcome
from reservations.domain.reservation_file import UnableToReadFile
from reservations.models import Reservation, ReservationSize
from reservations.services.reservation_import import import_reservations
from reservations.tables.import_template import import_template
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 1, tzinfo=UTC)
HEADER = "provider,id,instance_type,instances,start,end,owner,pool,resizes\n"
FILE = (
    HEADER
    + "gcp,one,p5.48xlarge,4,2026-05-01,,serving,serve-h100,2026-05-20 6\n"
    + "gcp,two,a3,2,2026-05-01,2026-08-01,,,\n"
)


def run(text: str, *, dry_run: bool = False) -> list[tuple[int, str, Outcome, tuple[str, ...]]]:
    done = import_reservations(data=text.encode(), zone=UTC, as_of=NOW, stores=lambda _: not dry_run)
    return [(one.line, one.external_id, one.outcome, one.fields) for one in done]


def test_a_dry_run_says_what_would_happen_and_stores_nothing(cast: Cast) -> None:
    planned = run(FILE, dry_run=True)
    assert planned == [(2, "one", Outcome.CREATED, ()), (3, "two", Outcome.CREATED, ())]
    assert not Reservation.objects.exists()
    assert not Reservation.history.exists()
    assert run(FILE) == planned


def test_a_second_time_changes_nothing_and_a_third_only_what_differs(cast: Cast) -> None:
    run(FILE)
    assert {one[2] for one in run(FILE)} == {Outcome.UNCHANGED}
    assert Reservation.history.count() == 2
    done = run(FILE.replace("gcp,two,a3,2,", "gcp,two,a3,3,"))
    assert done[1] == (3, "two", Outcome.UPDATED, ("instances",))
    assert [size.instances for size in ReservationSize.objects.filter(reservation__external_id="two")] == [3]
    assert Reservation.history.first().history_change_reason == "CSV import"


def test_one_fault_keeps_everything_out_and_every_fault_is_told_with_its_line(cast: Cast) -> None:
    faulty = (
        FILE
        + "gcp,three,a3,none,2026-05-01,,,,\n"
        + "gcp,one,p5.48xlarge,4,2026-05-01,,serving,serve-h100,\n"
        + "gcp,four,a3,1,2026-05-01,2026-04-01,,,\n"
    )
    with pytest.raises(UnableToReadFile) as raised:
        run(faulty)
    assert [str(fault).split(".")[0] for fault in raised.value.faults] == [
        "Line 4: instances: Write how many instances as a whole number from 1 to 1000000",
        "Line 5: id: one stands in line 2 already",
        "Line 6: end: It must end after it starts",
    ]
    assert not Reservation.objects.exists()


def test_what_does_not_fit_what_there_is_keeps_everything_out_too(cast: Cast) -> None:
    holding("cr-1")
    faulty = (
        FILE
        + "gcp,three,a3,1,2026-05-01,,strangers,,\ngcp,four,a3,1,2026-05-01,,,arms,\naws,cr-1,a3,1,2026-05-01,,,,\n"
    )
    with pytest.raises(UnableToReadFile) as raised:
        run(faulty)
    assert [str(fault) for fault in raised.value.faults] == [
        "Line 4: owner: There is no team “strangers”.",
        "Line 5: pool: The pool arms is of p4d.24xlarge, and this reservation holds a3.",
        "Line 6: id: cr-1 is listed by its provider: it needs not be entered.",
    ]
    assert Reservation.objects.count() == 1


def test_the_template_can_be_imported_as_it_is(cast: Cast) -> None:
    ((_, name, outcome, _),) = run(import_template())
    assert (name, outcome) == ("h100-train-1", Outcome.CREATED)
    assert [size.instances for size in ReservationSize.objects.order_by("period")] == [16, 12, 20]
