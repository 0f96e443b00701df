"""The terms that a timeline draws, as a file with its range and filters."""

import csv
import io
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from reservations.models import Reservation
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding

pytestmark = pytest.mark.django_db
TERMS = "/reservations/timeline/terms"


@pytest.fixture
def held(cast: Cast) -> list[Reservation]:
    now = timezone.now()
    return [
        holding("cr-now", pool=cast.pool, start_at=now - timedelta(days=9), end_at=now + timedelta(days=9)),
        holding("cr-long-ago", start_at=now - timedelta(days=900), end_at=now - timedelta(days=800), state="ended"),
        holding("cr-arms", pool=cast.other, start_at=now - timedelta(days=9)),
    ]


def told(client: Client, question: str = "") -> list[str]:
    rows = csv.DictReader(io.StringIO(client.get(f"{TERMS}.csv{question}").content.decode()))
    return [row["reservation"] for row in rows]


def test_a_file_has_the_terms_of_its_range_and_filters(cast: Cast, held: list[Reservation], logged_in) -> None:
    client = logged_in(cast.analyst)
    assert sorted(told(client)) == ["cr-arms", "cr-now"]
    assert sorted(told(client, "?range=all")) == ["cr-arms", "cr-long-ago", "cr-now"]
    assert told(client, "?range=all&pool=serve-h100") == ["cr-now"]
    assert told(logged_in(cast.viewer), "?range=all") == ["cr-now"]


def test_the_page_leads_to_the_file_of_what_it_shows(cast: Cast, held: list[Reservation], logged_in) -> None:
    page = logged_in(cast.analyst).get("/reservations/timeline/?range=all&pool=serve-h100").text
    for form in ("csv", "xlsx"):
        assert f'href="{TERMS}.{form}?pool=serve-h100&amp;range=all"' in page


def test_a_workbook_has_instants_and_says_what_was_asked(cast: Cast, held: list[Reservation], logged_in) -> None:
    answer = logged_in(cast.analyst).get(f"{TERMS}.xlsx?range=quarter&pool=serve-h100")
    figures, about = load_workbook(io.BytesIO(answer.content)).worksheets
    assert any(isinstance(cell, datetime) for cell in list(figures.values)[1])
    said = {line[0]: line[1] for line in about.values}
    assert said["only pool"] == "serve-h100"
    assert said["from"]


@pytest.mark.parametrize(("address", "status"), [("csv?range=century", 400), ("pdf", 404), ("csv?kind=odd", 400)])
def test_odd_questions_get_no_file(address: str, status: int, cast: Cast, logged_in) -> None:
    assert logged_in(cast.analyst).get(f"{TERMS}.{address}").status_code == status
