"""Sweeps become history: whatever their order, however often, whoever else is writing."""

import itertools
import random
import threading
from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import connection, connections

from reservations.domain.listing import Resized, SweepReport
from reservations.models import Reservation, ReservationObservation, ReservationSize, SyncRun
from reservations.services.sweeps import UnableToRecordSweeps, record_sweeps
from tests.reservations.services.sweep_rows import LAB, PROD, at, configure, everything, listed, observed, sizes, sweep

pytestmark = pytest.mark.django_db


def test_a_first_sweep_stores_what_was_listed_from_the_providers_start() -> None:
    configure()
    report = record_sweeps(sweeps=[sweep(0, listed(gpus_per_instance=Decimal(8)))])
    row = Reservation.objects.get()
    assert report == SweepReport(appeared=("cr-0aaa",))
    assert (row.total_count, row.available_count, row.gpus_per_instance) == (4, 1, Decimal(8))
    assert (row.first_seen_at, row.last_seen_at, row.missing_since) == (at(0), at(0), None)
    assert sizes() == [(-60, None, 4, True)]
    assert observed() == [(0, True, 4)]
    assert SyncRun.objects.get().reservations_seen == 1


def test_the_same_sweep_twice_changes_nothing() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed())])
    before = everything()
    assert record_sweeps(sweeps=[sweep(0, listed())]) == SweepReport()
    assert record_sweeps(sweeps=[sweep(0, listed())] * 2) == SweepReport()
    assert everything() == before


def test_a_resize_is_reported_and_counts_from_the_sweep_that_shows_it() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed())])
    report = record_sweeps(sweeps=[sweep(5, listed(total=6))])
    assert report.resized == (Resized("cr-0aaa", 4, 6),)
    assert sizes() == [(-60, 5, 4, True), (5, None, 6, True)]


def test_what_a_complete_list_no_longer_names_has_vanished_and_may_return() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed())])
    assert record_sweeps(sweeps=[sweep(5)]).vanished == ("cr-0aaa",)
    assert record_sweeps(sweeps=[sweep(10)]) == SweepReport()
    assert Reservation.objects.get().missing_since == at(5)
    assert observed() == [(0, True, 4), (5, False, None)]
    assert record_sweeps(sweeps=[sweep(15, listed())]).appeared == ("cr-0aaa",)
    assert Reservation.objects.get().missing_since is None
    assert sizes() == [(-60, 5, 4, True), (15, None, 4, True)]


def test_a_list_that_failed_makes_nothing_vanish() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed())])
    assert record_sweeps(sweeps=[sweep(5, complete=False)]) == SweepReport()
    assert observed() == [(0, True, 4)]
    assert SyncRun.objects.get(complete=False).error_code == "UnauthorizedOperation"


def test_a_failed_try_never_replaces_a_complete_list_of_the_same_instant() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed()), sweep(0, complete=False)])
    record_sweeps(sweeps=[sweep(0, complete=False)])
    assert SyncRun.objects.get().complete
    record_sweeps(sweeps=[sweep(5, complete=False)])
    record_sweeps(sweeps=[sweep(5, listed())])
    assert SyncRun.objects.filter(complete=True).count() == 2


def test_a_reservation_two_accounts_list_is_one_and_its_owners_word_counts() -> None:
    configure("prod", "lab")
    owners, consumers = listed(total=8, free=3), listed(total=8, free=2)
    for order in itertools.permutations([sweep(0, owners), sweep(0, consumers, account="lab")]):
        record_sweeps(sweeps=order)
        row = Reservation.objects.get()
        assert (row.available_count, row.seen_by) == (3, [PROD, LAB])
        assert ReservationObservation.objects.get().available_count == 3
    record_sweeps(sweeps=[sweep(0, consumers, account="lab")])
    assert Reservation.objects.get().available_count == 3
    assert ReservationObservation.objects.get().available_count == 3


def test_the_owners_view_of_an_instant_replaces_a_consumers() -> None:
    configure("prod", "lab")
    record_sweeps(sweeps=[sweep(0, listed(free=2), account="lab")])
    record_sweeps(sweeps=[sweep(0, listed(free=3))])
    assert Reservation.objects.get().available_count == 3
    assert ReservationObservation.objects.get().available_count == 3


def test_a_shared_reservation_vanishes_when_its_owners_list_says_so_and_no_consumer_names_it() -> None:
    configure("prod", "lab")
    record_sweeps(sweeps=[sweep(0, listed()), sweep(0, listed(), account="lab")])
    record_sweeps(sweeps=[sweep(5), sweep(5, listed(), account="lab")])
    assert Reservation.objects.get().missing_since is None
    record_sweeps(sweeps=[sweep(10, complete=False), sweep(10, account="lab")])
    assert Reservation.objects.get().missing_since is None
    record_sweeps(sweeps=[sweep(15), sweep(15, account="lab", complete=False)])
    assert Reservation.objects.get().missing_since == at(15)


def test_without_its_owners_account_every_account_that_listed_it_must_have_been_read() -> None:
    configure("prod", "lab")
    outside = listed(owner="999900001111")
    record_sweeps(sweeps=[sweep(0, outside), sweep(0, outside, account="lab")])
    record_sweeps(sweeps=[sweep(5), sweep(5, account="lab", complete=False)])
    assert Reservation.objects.get().missing_since is None
    record_sweeps(sweeps=[sweep(10)])
    assert Reservation.objects.get().missing_since is None
    record_sweeps(sweeps=[sweep(10, account="lab")])
    assert Reservation.objects.get().missing_since == at(10)


def test_one_accounts_failure_does_not_hide_anothers_list() -> None:
    configure("prod", "lab")
    report = record_sweeps(sweeps=[sweep(0, complete=False), sweep(0, listed("cr-0lab", owner=LAB), account="lab")])
    assert report.appeared == ("cr-0lab",)


def test_an_answer_that_lacks_the_gpu_count_does_not_take_it_back() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed(gpus_per_instance=Decimal(8), upfront_fee=None))])
    Reservation.objects.update(upfront_fee=Decimal(1000), upfront_fee_currency="USD")
    record_sweeps(sweeps=[sweep(5, listed())])
    row = Reservation.objects.get()
    assert (row.gpus_per_instance, row.upfront_fee, row.upfront_fee_currency) == (8, 1000, "USD")


def test_an_account_nobody_configured_is_refused_whole() -> None:
    configure("lab")
    with pytest.raises(UnableToRecordSweeps, match="account “prod” is not configured"):
        record_sweeps(sweeps=[sweep(0, account="lab"), sweep(0, listed())])
    assert not SyncRun.objects.exists()


def a_life() -> list:
    """Fifteen instants of two accounts: resizes, a failure, a vanishing, a return, an extension, an expiry."""
    block = listed("cr-0blk", total=2, free=0, end_at=at(40), gpus_per_instance=Decimal(8))
    longer = replace(block, end_at=at(62), gpus_per_instance=None)
    own = [[listed()], [listed()], [listed(total=6)], None, [], [], [listed(total=5)], [listed(total=5, free=5)]]
    own += [[], None, [], [listed(total=5, state="cancelling")], [listed(total=0, state="cancelled")], [], []]
    lab = (
        [[block]] * 4
        + [[longer]] * 4
        + [[longer, listed()]]
        + [[longer]] * 3
        + [[replace(longer, state_raw="expired")], [], []]
    )
    sweeps = []
    for i, (mine, theirs) in enumerate(zip(own, lab, strict=True)):
        sweeps.append(sweep(5 * i, *(mine or ()), complete=mine is not None))
        sweeps.append(sweep(5 * i, *theirs, account="lab"))
    return sweeps


@pytest.mark.parametrize("seed", range(6))
def test_any_order_any_batches_and_any_repetition_leave_the_same_rows(seed: int) -> None:
    configure("prod", "lab")
    sweeps = a_life()
    for i in range(0, len(sweeps), 2):
        record_sweeps(sweeps=sweeps[i : i + 2])
    in_order = everything()
    assert sizes()[:3] == [(-60, 10, 4, True), (10, 20, 6, True), (30, 40, 5, True)]
    assert sizes("cr-0blk") == [(-60, 60, 2, True)]
    for model in (ReservationSize, ReservationObservation, Reservation, SyncRun):
        model.objects.all().delete()
    order = random.Random(seed)
    instants = [sweeps[i : i + 2] for i in range(0, len(sweeps), 2)]
    shuffled = instants + order.sample(instants, 5)
    order.shuffle(shuffled)
    while shuffled:
        batch, shuffled = shuffled[: (n := order.randint(1, 4))], shuffled[n:]
        record_sweeps(sweeps=[one for pair in batch for one in pair])
    assert everything() == in_order


def test_an_older_replay_leaves_the_newest_word_alone() -> None:
    configure()
    record_sweeps(sweeps=[sweep(10, listed(total=6, free=2))])
    record_sweeps(sweeps=[sweep(0, listed(total=4, free=0))])
    row = Reservation.objects.get()
    assert (row.total_count, row.available_count, row.first_seen_at, row.last_seen_at) == (6, 2, at(0), at(10))
    assert sizes() == [(-60, 10, 4, True), (10, None, 6, True)]


def test_an_older_replay_can_move_a_vanishing_back() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed()), sweep(10)])
    record_sweeps(sweeps=[sweep(5)])
    assert Reservation.objects.get().missing_since == at(5)
    assert sizes() == [(-60, 5, 4, True)]


def test_an_end_that_passes_between_two_equal_sweeps_ends_the_size() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed(end_at=at(7)))])
    assert sizes() == [(-60, None, 4, True)]
    record_sweeps(sweeps=[sweep(10, listed(end_at=at(7)))])
    assert sizes() == [(-60, 7, 4, True)]


def test_a_delivery_that_is_late_for_several_sweeps_counts_from_the_one_that_shows_it() -> None:
    configure()
    late = [listed(total=0, state="delayed", start_at=at(7)), listed(start_at=at(7))]
    for minute, said in ((0, late[0]), (5, late[0]), (10, late[0]), (15, late[1])):
        record_sweeps(sweeps=[sweep(minute, said)])
    assert sizes() == [(15, None, 4, True)]


def test_an_account_that_came_later_does_not_rewrite_an_earlier_vanishing() -> None:
    configure("prod", "lab")
    outside = listed(owner="999900001111", total=5)
    late = sweep(15, outside, account="lab")
    told = [sweep(0, outside), sweep(5), sweep(10, outside), sweep(15, outside), late]
    for one in told:
        record_sweeps(sweeps=[one])
    in_order = everything()
    assert observed() == [(0, True, 5), (5, False, None), (10, True, 5), (15, True, 5)]
    for model in (ReservationSize, ReservationObservation, Reservation, SyncRun):
        model.objects.all().delete()
    for one in (late, *told[::-1]):
        record_sweeps(sweeps=[one])
    assert everything() == in_order


def test_what_was_entered_by_hand_in_the_same_region_never_vanishes() -> None:
    configure()
    Reservation.objects.create(
        arn="manual:1", external_id="contract-1", kind="manual", state="active", region="us-east-1", owner_account=PROD,
        first_seen_at=at(0), last_seen_at=at(0),
    )  # fmt: skip
    record_sweeps(sweeps=[sweep(5)])
    assert Reservation.objects.get().missing_since is None


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_leave_what_one_would() -> None:
    configure("prod", "lab")
    sweeps = a_life()
    gate = threading.Barrier(2)
    errors: list[BaseException] = []

    def work(mine: list) -> None:
        try:
            gate.wait(10)
            for one in mine:
                record_sweeps(sweeps=[one])
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    workers = [threading.Thread(target=work, args=(sweeps,)), threading.Thread(target=work, args=(sweeps[::-1],))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert errors == []
    together = everything()
    for model in (ReservationSize, ReservationObservation, Reservation, SyncRun):
        model.objects.all().delete()
    record_sweeps(sweeps=sweeps)
    assert everything() == together


@pytest.mark.django_db(transaction=True)
def test_killed_half_way_it_leaves_nothing_half_written() -> None:
    configure()
    record_sweeps(sweeps=[sweep(0, listed())])
    before = everything()

    def killed(execute, sql, params, many, context):
        if 'INSERT INTO "reservations_reservationsize"' in sql:
            connection.close()
            raise KeyboardInterrupt
        return execute(sql, params, many, context)

    with pytest.raises(KeyboardInterrupt), connection.execute_wrapper(killed):
        record_sweeps(sweeps=[sweep(5, listed(total=6), listed("cr-0bbb"))])
    assert everything() == before
