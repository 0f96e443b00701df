import csv
import io
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from openpyxl import load_workbook

from reservations.models import Pool, PriceQuote, PriceSubject
from telemetry.models import PoolHour
from telemetry.services.days import refresh_days
from tests.fixtures.cast import HOUR_MS, MONTH, Cast
from tests.telemetry.views.test_month import cells, text

pytestmark = pytest.mark.django_db
PAGE = "/fleet/2026-03/"


@pytest.fixture
def both(cast: Cast, collected: list[PoolHour]) -> list[PoolHour]:
    """The second pool too has two days of March: 8 GPUs, half of them busy for their owner, and no price."""
    half = 4 * HOUR_MS
    rows = PoolHour.objects.bulk_create(
        PoolHour(
            pool=cast.other, hour=MONTH + timedelta(hours=place), source="prod-a", reserved=2 * half, paid=2 * half,
            ec2_unused=0, expected=2 * half, not_joined=0, not_observed=0, known=2 * half, unknown=0, busy=half,
            sm=half, idle=half, idle_held=half, idle_free=0, allocated=2 * half, owner_busy=half, borrower_busy=0,
            unmanaged_busy=0, unattributed_busy=0, final=True, read_at=MONTH + timedelta(hours=place + 1),
        )
        for place in range(48)
    )  # fmt: skip
    refresh_days(pool_id=cast.other.pk, hours=[row.hour for row in rows])
    return [*collected, *rows]


def hours_of(rows: list[PoolHour], name: str) -> Decimal:
    return Decimal(sum(getattr(row, name) or 0 for row in rows)) / HOUR_MS


def test_the_fleet_is_the_sum_of_its_pools(cast: Cast, both: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.analyst).get(PAGE))
    assert "All pools, March 2026" in page
    assert "2 of 2 pools you may see" in page
    assert f"{hours_of(both, 'reserved'):.0f} GPU-hours" in page
    assert f"{hours_of(both, 'busy'):.0f} GPU-hours" in page
    assert f"{100 * hours_of(both, 'busy') / hours_of(both, 'reserved'):.1f} %" in page


def test_only_pools_somebody_may_see_are_in_it(cast: Cast, both: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.outsider).get(PAGE)
    page = text(response)
    assert "1 of 1 pool you may see" in page
    assert "serve-h100" not in response.content.decode()
    assert "384 GPU-hours" in page
    sheet = logged_in(cast.outsider).get(f"{PAGE}pools.csv").content.decode()
    assert "arms" in sheet
    assert "serve-h100" not in sheet


def test_an_owner_narrows_it_and_every_link_keeps_the_owner(cast: Cast, both: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.analyst).get(f"{PAGE}?owner=robotics&zone=Asia/Kolkata&utm=x")
    page = response.content.decode()
    assert "1 of 2 pools you may see" in text(response)
    links = [link for link in re.findall(r'href="([^"]*)"', page) if "/2026-0" in link or link.startswith("?")]
    within = [link for link in links if "/fleet/" in link or "/pools/" in link]
    assert within
    assert all("owner=robotics" in link for link in within)
    assert not any("utm" in link for link in within)


@pytest.mark.parametrize("owner", ["serving", "nobody at all"])
@pytest.mark.parametrize("path", ["/", PAGE, f"{PAGE}pools.csv", f"{PAGE}figures/", f"{PAGE}figures/week/"])
def test_another_teams_name_and_no_name_get_the_same_answer_on_every_page(
    path: str, owner: str, cast: Cast, both: list[PoolHour], logged_in
) -> None:
    response = logged_in(cast.outsider).get(path, {"owner": owner})
    assert response.status_code == 404
    assert f"There is no owner “{owner}”, or none of its pools is yours to see." in text(response)
    assert "serve-h100" not in text(response)


def test_a_pool_without_a_price_is_left_out_of_the_money_and_named(cast: Cast, both: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.analyst).get(PAGE))
    assert "Without the money of arms: no price is known." in page
    assert f"{hours_of(both[:-48], 'idle') * 5:.0f} USD" in page


def test_two_currencies_are_never_added(cast: Cast, both: list[PoolHour], logged_in) -> None:
    quote = PriceQuote.objects.get()
    PriceQuote.objects.create(
        subject=PriceSubject.objects.create(pool=cast.other), period=quote.period, on_demand=10, reserved=5,
        currency="EUR", unit="gpu-hour",
    )  # fmt: skip
    page = text(logged_in(cast.analyst).get(PAGE))
    assert "prices are in more than one currency." in page


def test_a_day_of_all_pools_opens_its_hours_and_its_pools(cast: Cast, both: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.analyst).get(f"{PAGE}?day=2026-03-01")
    assert "Hours of 1 Mar 2026" in text(response)
    assert cells(response, "01:00–02:00")[0] == "24.0"
    assert "/pools/arms/2026-03/?day=2026-03-01#hours" in response.content.decode()


def test_a_step_of_all_pools_opens_the_pools_with_most_of_it(cast: Cast, both: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.analyst).get(f"{PAGE}?step=idle_held&owner=robotics")
    assert "Pools with most “idle, held”" in text(response)
    assert "/pools/arms/2026-03/?step=idle_held&amp;owner=robotics#hours" in response.content.decode()
    assert "192" in cells(response, "arms")[0]


def test_rows_of_the_days_add_up(cast: Cast, both: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.analyst).get(PAGE)
    for row in ("1 Mar", "2 Mar", "3 Mar", "Sum"):
        reserved, *steps = cells(response, row)[:-3]
        assert int(reserved) == sum(int(step) for step in steps if step != "–")


@pytest.mark.parametrize("name", ["tiles", "waterfall", "pools", "by-day", "by-hour", "month"])
def test_csv_and_workbook_of_a_sheet_hold_the_same(name: str, cast: Cast, both: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.analyst)
    rows = list(csv.reader(io.StringIO(client.get(f"{PAGE}{name}.csv").content.decode())))
    response = client.get(f"{PAGE}{name}.xlsx")
    assert response.status_code == 200
    book = load_workbook(io.BytesIO(response.content))
    sheet = book.worksheets[0]
    assert sheet.max_row >= len(rows)
    assert len(rows) > 1


def test_the_sheets_say_what_the_page_says(cast: Cast, both: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.analyst)
    tiles = next(csv.DictReader(io.StringIO(client.get(f"{PAGE}tiles.csv").content.decode())))
    page = text(client.get(PAGE))
    assert Decimal(tiles["busy_gpu_hours"]) == round(hours_of(both, "busy"), 7)
    assert f"{Decimal(tiles['busy_gpu_hours']):.0f} GPU-hours" in page
    assert f"{100 * Decimal(tiles['busy_share']):.1f} %" in page
    assert f"{Decimal(tiles['cost_of_idle']):.0f} USD" in page
    days = list(csv.DictReader(io.StringIO(client.get(f"{PAGE}by-day.csv").content.decode())))
    assert sum(Decimal(day["reserved_gpu_hours"] or 0) for day in days) == round(hours_of(both, "reserved"), 7)


@pytest.mark.parametrize("address", ["nothing.csv", "tiles.pdf", "by-hour.xls"])
def test_a_table_that_is_not_there_is_refused(address: str, cast: Cast, both: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.analyst).get(f"{PAGE}{address}")
    assert response.status_code == 404
    assert "No such table" in text(response)


def test_a_month_nobody_collected_says_since_when_there_is_one(cast: Cast, both: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.analyst).get("/fleet/2026-02/"))
    assert "Nothing was collected for this month. That is not zero use: it is unknown." in page
    assert "begins on 1 Mar 2026" in page


def test_the_further_figures_come_by_themselves_or_as_a_page(cast: Cast, both: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.analyst)
    part = client.get(f"{PAGE}figures/", headers={"HX-Request": "true"}).content.decode()
    whole = client.get(f"{PAGE}figures/").content.decode()
    assert "<html" not in part
    assert "<html" in whole
    assert "When it is busy" in part
    assert "When it is busy" in whole


def test_the_week_of_all_pools_is_fetched_by_itself_with_the_filters_and_leads_to_a_page_without(
    cast: Cast, both: list[PoolHour], logged_in
) -> None:
    client = logged_in(cast.analyst)
    for headers in ({}, {"HX-Request": "true"}):
        figures = client.get(f"{PAGE}figures/?owner=robotics&zone=Asia/Kolkata&day=2026-03-02", headers=headers)
        (fetched,) = re.findall(r'hx-get="([^"]+/figures/week/[^"]*)"', figures.content.decode())
        assert fetched == f"{PAGE}figures/week/?owner=robotics&amp;zone=Asia/Kolkata"
        assert f'href="{fetched}"' in figures.content.decode()
        assert 'id="hour-of-week-chart"' not in figures.content.decode()
    part = client.get(f"{PAGE}figures/week/", headers={"HX-Request": "true"}).content.decode()
    whole = client.get(f"{PAGE}figures/week/").content.decode()
    for page in (part, whole):
        assert page.count('id="hour-of-week"') == page.count('id="hour-of-week-chart"') == 1
        assert f'action="{PAGE}figures/week/"' in page
        assert "figures/week/?" not in page
        assert 'id="by-month"' not in page
    assert "<html" in whole
    assert "<html" not in part


def test_the_pools_come_twenty_five_at_a_time_and_a_page_there_is_none_of_is_refused(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    Pool.objects.bulk_create(
        Pool(name=f"pool-{number:03}", owner=cast.pool.owner, instance_type="p5.48xlarge", gpus_per_node=8)
        for number in range(60)
    )
    client = logged_in(cast.analyst)
    pages = [client.get(f"/fleet/2026-03/?owner=serving&page={page}").content.decode() for page in (1, 2, 3)]
    assert [page.count('<th scope="row"><a href="/pools/') for page in pages] == [25, 25, 11]
    assert "?owner=serving&amp;page=2#pools" in pages[0]
    assert [client.get(f"/fleet/2026-03/?page={page}").status_code for page in ("4", "0", "x")] == [404, 400, 400]
