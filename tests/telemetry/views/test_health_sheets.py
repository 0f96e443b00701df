import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from telemetry.models import PoolHour
from tests.fixtures.cast import Cast
from tests.telemetry.views.test_data_health import recent

pytestmark = pytest.mark.django_db
__all__ = ["recent"]

SHEETS = ["sources", "calendar", "flagged", "suspects", "runs", "recollections"]


def rows(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(response.content.decode())))


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_every_table_is_a_file(sheet: str, suffix: str, cast: Cast, recent: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.analyst).get(f"/health/data/{sheet}.{suffix}")
    assert response.status_code == 200
    assert f"moorage-data-{sheet}-" in response["Content-Disposition"]


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_file_tells_an_outsider_of_other_teams(sheet: str, cast: Cast, recent: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.outsider)
    assert "serve-h100" not in client.get(f"/health/data/{sheet}.csv").content.decode()
    assert client.get(f"/health/data/{sheet}.csv?pool=serve-h100").status_code == 404


def test_what_there_is_no_table_or_form_of_is_not_there(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    assert client.get("/health/data/nothing.csv").status_code == 404
    assert client.get("/health/data/sources.exe").status_code == 404


def test_the_calendar_holds_every_digit_of_what_the_page_rounds(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    yesterday = (timezone.now() - timedelta(days=1)).date()
    told = {row["day"]: row for row in rows(logged_in(cast.owner).get("/health/data/calendar.csv?pool=serve-h100"))}
    day = PoolHour.objects.filter(hour__date=yesterday)
    known, expected = (sum(getattr(row, name) for row in day) for name in ("known", "expected"))
    assert abs(float(told[str(yesterday)]["coverage_share"]) - known / expected) < 1e-9
    assert told[str(yesterday)]["hours"] == str(len(day))
    book = load_workbook(io.BytesIO(logged_in(cast.owner).get("/health/data/calendar.xlsx?pool=serve-h100").content))
    shares = [row[3] for row in book.worksheets[0].iter_rows(min_row=2, values_only=True)]
    assert max(share for share in shares if share is not None) <= 1


def test_flagged_hours_keep_the_filter_of_their_page(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.owner)
    every = rows(client.get("/health/data/flagged.csv"))
    missing = rows(client.get("/health/data/flagged.csv?flag=missing"))
    assert {row["flag"] for row in every} > {row["flag"] for row in missing} == {"missing"}
    assert sum(int(row["hours"]) for row in missing) == 3
