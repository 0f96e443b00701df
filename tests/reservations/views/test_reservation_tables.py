"""The sizes of one reservation and what sweeps saw of it, as files."""

import csv
import io
from datetime import datetime, timedelta

import pytest
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from openpyxl import load_workbook

from reservations.models import Reservation, ReservationObservation, ReservationSize
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
@pytest.mark.parametrize("name", ["sizes.csv", "observations.xlsx"])
def test_what_belongs_to_others_is_no_file(who: str, name: str, cast: Cast, seen: Reservation, logged_in) -> None:
    assert logged_in(getattr(cast, who)).get(f"/reservations/{seen.pk}/{name}").status_code == 404


@pytest.mark.parametrize("name", ["secrets.csv", "sizes.pdf"])
def test_there_are_no_other_files(name: str, cast: Cast, seen: Reservation, logged_in) -> None:
    assert logged_in(cast.analyst).get(f"/reservations/{seen.pk}/{name}").status_code == 404
