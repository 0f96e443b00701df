"""The reservations' pages in a real browser: every width and theme, filters that keep the address true, an import."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from reservations.models import Reservation, ReservationNote, ReservationObservation, ReservationSize, User
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding, publish_rule

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FILE = (
    "provider,id,instance_type,instances,start,resizes\n"
    "gcp,one,a3,4,2026-05-01,\n"
    "gcp,two,a3,1,2026-05-01,2026-06-01 3\n"
)


@pytest.fixture
def held(cast: Cast) -> list[Reservation]:
    now = timezone.now()
    publish_rule()
    rows = [
        holding(f"cr-{number:03}", pool=cast.pool, total_count=number, start_at=now - timedelta(days=40 + number))
        for number in range(1, 58)
    ]
    block = holding(
        "cr-block-0123456789abcdef",
        pool=cast.pool,
        kind="block",
        start_at=now - timedelta(days=9),
        end_at=now + timedelta(days=12),
        usable_until=now + timedelta(days=11),
        upfront_fee=Decimal(5000),
        upfront_fee_currency="USD",
        tags={"team": "serving", "a-long-key-without-any-space:in-it": "x" * 60},
        raw={"State": "active"},
    )
    ReservationSize.objects.create(reservation=block, period=(block.start_at, None), instances=4, dated_by="observed")
    ReservationNote.objects.create(reservation=block, written_by=cast.owner, written_at=now, text="asked " + "x" * 90)
    ReservationObservation.objects.bulk_create(
        ReservationObservation(
            reservation=block,
            observed_at=now - timedelta(minutes=5 * place),
            state_raw="active",
            total_count=4,
            available_count=place % 3,
        )
        for place in range(30)
    )
    holding("cr-gone", owner="robotics", missing_since=now - timedelta(days=3))
    return [*rows, block]


@pytest.fixture
def operator(cast: Cast) -> User:
    cast.analyst.grants.update(role="operator")
    return cast.analyst


def test_filter_order_and_page_stand_in_the_address_and_back_leads_back(
    cast: Cast, held: list[Reservation], open_page
) -> None:
    page = open_page("/reservations/", cast.owner)
    page.get_by_label("kind").select_option("on_demand")
    page.wait_for_url("**kind=on_demand**")
    expect(page.locator(".asof")).to_contain_text("57 match")
    page.get_by_role("link", name="GPUs").click()
    page.wait_for_url("**order=gpus**")
    expect(page.locator("tbody tr").first).to_contain_text("cr-001")
    page.get_by_role("link", name="GPUs").click()
    page.wait_for_url("**order=-gpus**")
    expect(page.locator("tbody tr").first).to_contain_text("cr-057")
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**page=2**")
    expect(page.locator("tbody tr")).to_have_count(7)
    assert "kind=on_demand" in page.url
    page.go_back()
    expect(page.locator("tbody tr").first).to_contain_text("cr-057")
    page.get_by_label("id or ARN").fill("cr-007")
    page.get_by_label("id or ARN").press("Enter")
    page.wait_for_url("**q=cr-007**")
    page.get_by_role("link", name="cr-007", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("cr-007")


def test_filters_work_without_javascript(cast: Cast, held: list[Reservation], open_page) -> None:
    page = open_page("/reservations/timeline/?range=all", cast.owner, javascript=False)
    page.get_by_label("kind").select_option("block")
    page.get_by_role("button", name="Filter").click()
    assert page.locator("a.term-row").count() == 1
    page.locator("a.term-row").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("cr-block")
    expect(page.get_by_role("link", name="See what the sweeps saw")).to_be_visible()


def test_a_file_is_read_seen_and_brought_in(operator: User, open_page, tmp_path: Path) -> None:
    file = tmp_path / "held.csv"
    file.write_text(FILE.replace("a3,4", "a3,four"))
    page = open_page("/reservations/import/", operator)
    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_role("button", name="Read the file").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 2: instances: Write how many instances")
    file.write_text(FILE)
    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_role("button", name="Read the file").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    assert not Reservation.objects.exists()
    page.get_by_role("button", name="Import these 2 reservations").click()
    expect(page.locator(".messages")).to_contain_text("Imported: 2 created.")
    expect(page.locator("tbody tr")).to_have_count(2)
    assert Reservation.objects.count() == 2


@pytest.mark.parametrize("javascript", [True, False])
def test_columns_are_chosen_and_stand_in_the_address(
    javascript: bool, cast: Cast, held: list[Reservation], open_page
) -> None:
    page = open_page("/reservations/?kind=block", cast.owner, javascript=javascript)
    page.get_by_text("Columns", exact=True).click()
    form = page.get_by_role("form", name="Columns of the table")
    form.get_by_label("tags").check()
    form.get_by_label("start").uncheck()
    form.get_by_role("button", name="Show these").click()
    expect(page.get_by_role("columnheader", name="tags")).to_be_visible()
    expect(page.get_by_role("columnheader", name="start")).to_have_count(0)
    assert "kind=block" in page.url
    assert "columns=whose,state,size,gpus,used,end,decision,fee,tags" in page.url
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("link", name="As at first").click()
    expect(page.get_by_role("columnheader", name="start")).to_be_visible()
    assert "columns" not in page.url
