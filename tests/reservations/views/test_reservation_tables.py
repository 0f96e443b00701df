"""The tables of one reservation as files: sizes, pools it backed, what sweeps saw, what people did, raw fields."""

import csv
import io
from datetime import datetime, timedelta

import pytest
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.test import Client
from openpyxl import load_workbook

from reservations.models import PoolMembership, Reservation, ReservationNote, ReservationObservation, ReservationSize
from tests.fixtures.cast import Cast
from tests.reservations.holdings import NOW, holding

pytestmark = pytest.mark.django_db


@pytest.fixture
def seen(cast: Cast) -> Reservation:
    row = holding("cr-serve", pool=cast.pool)
    grown = NOW - timedelta(days=10)
    for start, end, instances in ((row.start_at, grown, 3), (grown, None, 4)):
        ReservationSize.objects.create(
            reservation=row, period=DateTimeTZRange(start, end), instances=instances, usable=True, dated_by="observed"
        )
    for minutes in range(0, 15, 5):
        ReservationObservation.objects.create(
            reservation=row,
            observed_at=NOW + timedelta(minutes=minutes),
            present=True,
            state_raw="=active",
            total_count=4,
            available_count=minutes // 5,
        )
    return row


def test_both_tables_are_files_with_every_row(cast: Cast, seen: Reservation, logged_in) -> None:
    client = logged_in(cast.analyst)
    page = client.get(f"/reservations/{seen.pk}/").text
    rows = {}
    for name in ("sizes", "observations"):
        address = f"/reservations/{seen.pk}/{name}.csv"
        assert f'href="{address}"' in page
        rows[name] = list(csv.DictReader(io.StringIO(client.get(address).content.decode())))
    assert [(row["instances"], row["until_at"] == "") for row in rows["sizes"]] == [("3", False), ("4", True)]
    assert [row["available_instances"] for row in rows["observations"]] == ["2", "1", "0"]
    assert {row["state"] for row in rows["observations"]} == {"'=active"}


def test_a_workbook_has_instants_and_counts(cast: Cast, seen: Reservation, logged_in) -> None:
    answer = logged_in(cast.analyst).get(f"/reservations/{seen.pk}/sizes.xlsx")
    first = list(load_workbook(io.BytesIO(answer.content)).worksheets[0].values)[1]
    assert isinstance(first[0], datetime)
    assert first[2] == 3


@pytest.mark.parametrize("who", ["outsider", "nobody"])
@pytest.mark.parametrize("name", ["sizes.csv", "observations.xlsx", "pools.csv", "changes.csv", "raw.xlsx"])
def test_what_belongs_to_others_is_no_file(who: str, name: str, cast: Cast, seen: Reservation, logged_in) -> None:
    assert logged_in(getattr(cast, who)).get(f"/reservations/{seen.pk}/{name}").status_code == 404


@pytest.mark.parametrize("name", ["secrets.csv", "sizes.pdf"])
def test_there_are_no_other_files(name: str, cast: Cast, seen: Reservation, logged_in) -> None:
    assert logged_in(cast.analyst).get(f"/reservations/{seen.pk}/{name}").status_code == 404


def rows_of(client: Client, row: Reservation, name: str) -> list[dict[str, str]]:
    address = f"/reservations/{row.pk}/{name}.csv"
    assert f'href="{address}"' in client.get(f"/reservations/{row.pk}/").text
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def test_the_pools_it_backed_are_a_file_in_which_anothers_pool_has_no_name(
    cast: Cast, seen: Reservation, logged_in
) -> None:
    moved = NOW - timedelta(days=30)
    PoolMembership.objects.filter(reservation=seen).delete()
    for pool, start, end in ((cast.other, None, moved), (cast.pool, moved, None)):
        PoolMembership.objects.create(pool=pool, reservation=seen, period=DateTimeTZRange(start, end))
    told = {row["pool"]: (row["from_at"], row["until_at"]) for row in rows_of(logged_in(cast.analyst), seen, "pools")}
    assert told == {cast.other.name: ("", moved.isoformat()), cast.pool.name: (moved.isoformat(), "")}
    names = {row["pool"] for row in rows_of(logged_in(cast.viewer), seen, "pools")}
    assert names == {"a pool of another team", cast.pool.name}


def test_notes_and_changes_are_a_file_whose_formulas_do_nothing(cast: Cast, seen: Reservation, logged_in) -> None:
    ReservationNote.objects.create(reservation=seen, written_by=cast.owner, written_at=NOW, text="=1+1")
    note = next(row for row in rows_of(logged_in(cast.analyst), seen, "changes") if row["what"] == "note")
    assert (note["after"], note["who"], note["before"]) == ("'=1+1", str(cast.owner), "")


def test_raw_fields_about_money_are_in_no_file_of_who_sees_no_prices(cast: Cast, seen: Reservation, logged_in) -> None:
    Reservation.objects.filter(pk=seen.pk).update(raw={"UpfrontFee": "9", "State": "active"})
    assert {row["field"] for row in rows_of(logged_in(cast.owner), seen, "raw")} == {"UpfrontFee", "State"}
    assert rows_of(logged_in(cast.viewer), seen, "raw") == [{"field": "State", "value": "active"}]
