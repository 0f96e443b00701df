"""Ledger rows are replaced whole or not at all, and say what was refused."""

import dataclasses
import itertools
from datetime import datetime, timedelta

import pytest
from django.db import DataError
from django.db.models import ProtectedError

from reservations.domain.period import HOUR, Period
from telemetry.domain.ledger import LedgerHour, QueueHour
from telemetry.models import PoolHour, PoolHourQueue
from telemetry.selectors.ledger import ledger_hours
from telemetry.services.ledger import StoreReport, store_hours
from tests.telemetry.domain.lawful_rows import TEN, H, bare, lawful
from tests.telemetry.services.ledger_store import NEXT_DAY, a_pool, everything

pytestmark = pytest.mark.django_db

SOON = TEN + timedelta(hours=1, minutes=5)
LATER = SOON + HOUR


def stored(
    pool_id: int, *rows: LedgerHour, read_at: datetime = SOON, source: str = "main", **said: bool
) -> StoreReport:
    return store_hours(pool_id=pool_id, source=source, hours=rows, read_at=read_at, **said)  # type: ignore[arg-type]


def standing(pool_id: int, hours: int = 3) -> list[LedgerHour]:
    return ledger_hours(pool_id=pool_id, period=Period(TEN, TEN + hours * HOUR))


def test_hours_come_back_as_they_were_stored() -> None:
    pool = a_pool()
    rows = [lawful(0, flags=("suspect",), notes=(("suspect", "GPU-1 stands still"),)), lawful(1, busy=0), bare(2)]
    assert stored(pool.pk, *rows).stored == [row.hour for row in rows]
    assert standing(pool.pk) == rows


def test_an_hour_is_replaced_whole() -> None:
    pool = a_pool()
    stored(pool.pk, lawful(busy=6 * H, flags=("suspect",), notes=(("suspect", "GPU-1 stands still"),)))
    only = QueueHour("cq-c", owner_busy=3 * H, allocated=3 * H)
    roles = {"owner_busy": 3 * H, "borrower_busy": 0, "unattributed_busy": 0}
    after = lawful(busy=3 * H, queues=(only,), **roles)
    assert stored(pool.pk, after, read_at=LATER).stored == [TEN]
    assert standing(pool.pk) == [after]
    assert PoolHourQueue.objects.count() == 1


def test_the_same_hours_again_are_unchanged_and_only_their_reading_is_newer() -> None:
    pool = a_pool()
    rows = [lawful(0), bare(1)]
    stored(pool.pk, *rows)
    keys = set(PoolHour.objects.values_list("pk", flat=True))
    report = stored(pool.pk, *rows, read_at=LATER)
    assert (report.stored, report.unchanged, report.refused) == ([], [row.hour for row in rows], {})
    assert set(PoolHour.objects.values_list("pk", flat=True)) == keys
    assert set(PoolHour.objects.values_list("read_at", flat=True)) == {LATER}


def test_the_order_of_flags_notes_and_queues_makes_no_difference() -> None:
    pool = a_pool()
    row = lawful(flags=("suspect", "b"), notes=(("suspect", "x"), ("b", "y")), queues=lawful().queues[::-1])
    stored(pool.pk, row)
    assert stored(pool.pk, row, read_at=LATER).unchanged == [TEN]
    turned = dataclasses.replace(row, flags=row.flags[::-1], notes=row.notes[::-1], queues=row.queues[::-1])
    assert stored(pool.pk, turned, read_at=LATER).unchanged == [TEN]


def test_queue_rows_carry_the_team_and_the_workload_of_their_queue() -> None:
    pool = a_pool()
    stored(pool.pk, lawful())
    rows = PoolHourQueue.objects.values_list("cluster_queue", "team", "workload", "owner_busy", "borrower_busy")
    assert sorted(rows) == [
        ("", "", "", 0, 0),
        ("cq-a", "serving", "serving", 2 * H, 0),
        ("cq-b", "research", "batch", 0, 2 * H),
    ]


def test_a_second_source_is_refused_and_the_standing_row_says_so_with_its_numbers_untouched() -> None:
    pool = a_pool()
    stored(pool.pk, lawful(0), lawful(1))
    report = stored(pool.pk, lawful(0, busy=H), lawful(2), source="other", read_at=LATER)
    assert report.stored == [TEN + 2 * HOUR]
    assert report.refused == {
        TEN: "the hour stands from source “main”; source “other” may not replace it without --force"
    }
    first, second, third = standing(pool.pk)
    assert first == dataclasses.replace(
        lawful(0),
        flags=("second_source_refused",),
        notes=(("second_source_refused", "source “other” offered this hour too and was refused"),),
    )
    assert (second, third) == (lawful(1), lawful(2))
    assert list(PoolHour.objects.order_by("hour").values_list("source", "read_at")) == [
        ("main", SOON),
        ("main", SOON),
        ("other", LATER),
    ]


def test_a_refused_source_stays_on_record_until_force_settles_it() -> None:
    pool = a_pool()
    stored(pool.pk, lawful())
    stored(pool.pk, lawful(), source="other", read_at=LATER)
    stored(pool.pk, lawful(busy=5 * H), read_at=LATER)
    assert (standing(pool.pk)[0].busy, standing(pool.pk)[0].flags) == (5 * H, ("second_source_refused",))
    assert stored(pool.pk, lawful(busy=5 * H), read_at=LATER).unchanged == [TEN]
    assert stored(pool.pk, lawful(busy=4 * H), source="other", read_at=LATER, force=True).stored == [TEN]
    assert standing(pool.pk) == [lawful(busy=4 * H)]
    assert PoolHour.objects.get().source == "other"


def test_reservations_alone_give_way_to_a_source_but_never_replace_one() -> None:
    pool = a_pool()
    stored(pool.pk, bare(final=True), source="", read_at=NEXT_DAY)
    assert stored(pool.pk, lawful(final=True), read_at=NEXT_DAY + HOUR).stored == [TEN]
    report = stored(pool.pk, bare(final=True), source="", read_at=NEXT_DAY + 2 * HOUR)
    assert report.refused[TEN].startswith("the hour stands from source “main”; the reservations alone may not")
    assert standing(pool.pk) == [lawful(final=True)]


def test_a_pool_is_not_deleted_from_under_its_ledger() -> None:
    pool = a_pool()
    stored(pool.pk, lawful())
    with pytest.raises(ProtectedError):
        pool.delete()


def test_an_older_reading_never_replaces_a_newer_one_not_even_by_force() -> None:
    pool = a_pool()
    stored(pool.pk, lawful(busy=5 * H), read_at=LATER)
    for force in (False, True):
        report = stored(pool.pk, lawful(busy=H), read_at=SOON, force=force)
        assert report.refused == {TEN: "a newer reading of the hour stands already"}
    assert standing(pool.pk) == [lawful(busy=5 * H)]


def test_less_of_a_final_hour_is_refused_without_force() -> None:
    pool = a_pool()
    stored(pool.pk, lawful(final=True), read_at=NEXT_DAY)
    less = lawful(busy=5 * H, known=7 * H, final=True)
    gone = bare(final=True)
    partial = lawful(busy=7 * H, complete=False)
    for row, word in ((less, "knows less"), (gone, "knows less"), (partial, "partial")):
        report = stored(pool.pk, row, read_at=NEXT_DAY + HOUR)
        assert word in report.refused[TEN]
        assert standing(pool.pk) == [lawful(final=True)]
    assert stored(pool.pk, less, read_at=NEXT_DAY + HOUR, force=True).stored == [TEN]
    assert standing(pool.pk) == [less]


def test_a_final_hour_takes_a_reading_that_knows_as_much() -> None:
    pool = a_pool()
    stored(pool.pk, lawful(final=True), read_at=NEXT_DAY)
    assert stored(pool.pk, lawful(busy=5 * H, final=True), read_at=NEXT_DAY + HOUR).stored == [TEN]


def test_a_row_that_breaks_an_identity_is_stored_as_it_is_and_flagged() -> None:
    pool = a_pool()
    stored(pool.pk, lawful(reserved=17 * H))
    row = standing(pool.pk)[0]
    assert (row.reserved, row.flags) == (17 * H, ("identity_violated",))
    assert dict(row.notes)["identity_violated"].startswith("the waterfall adds up to")
    assert stored(pool.pk, lawful(reserved=17 * H), read_at=LATER).unchanged == [TEN]


def test_the_sources_own_threshold_decides_how_much_activity_idle_time_may_hold() -> None:
    pool = a_pool()
    store = {"pool_id": pool.pk, "source": "main", "read_at": SOON}
    row = lawful(sm=6 * H + H // 10)
    store_hours(hours=[row], **store)  # type: ignore[arg-type]
    assert standing(pool.pk)[0].flags == ()
    row = lawful(sm=6 * H + H // 5)
    store_hours(hours=[row], **store)  # type: ignore[arg-type]
    assert standing(pool.pk)[0].flags == ("identity_violated",)


def test_a_failure_in_the_middle_leaves_what_stood_before() -> None:
    pool = a_pool()
    stored(pool.pk, lawful(0), lawful(1))
    before = everything()
    unwritable = QueueHour("q", unattributed_busy=2**63)
    with pytest.raises(DataError):
        stored(pool.pk, lawful(0, busy=H), lawful(1, queues=(*lawful().queues, unwritable)), read_at=LATER)
    assert everything() == before


@pytest.mark.parametrize("rows", [[lawful(), lawful()], [dataclasses.replace(lawful(), hour=SOON)]])
def test_an_hour_given_twice_or_not_whole_is_a_mistake_of_the_caller(rows: list[LedgerHour]) -> None:
    pool = a_pool()
    with pytest.raises(ValueError, match="every hour is given once and starts on a whole hour"):
        stored(pool.pk, *rows)
    assert PoolHour.objects.count() == 0


def test_one_pools_hours_leave_anothers_alone() -> None:
    one, other = a_pool(), a_pool("training")
    stored(one.pk, lawful())
    stored(other.pk, lawful(busy=H), source="other")
    stored(one.pk, lawful(busy=2 * H), read_at=LATER)
    assert standing(other.pk) == [lawful(busy=H)]


def test_any_order_of_readings_ends_in_the_newest() -> None:
    readings = [
        (SOON, lawful(0, busy=H)),
        (LATER, lawful(0, busy=2 * H)),
        (NEXT_DAY, lawful(0, busy=3 * H, final=True)),
        (NEXT_DAY, lawful(0, busy=3 * H, final=True)),
    ]
    outcomes = []
    for number, order in enumerate(itertools.permutations(readings)):
        pool = a_pool(f"pool-{number}")
        for read_at, row in order:
            stored(pool.pk, row, read_at=read_at)
        outcomes.append(standing(pool.pk))
    assert outcomes == [[lawful(0, busy=3 * H, final=True)]] * 24
