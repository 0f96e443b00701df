import pytest
from playwright.sync_api import expect

from reservations.models import Organisation
from telemetry.models import PoolHour
from tests.browser.looking import drawn
from tests.fixtures.cast import HOUR_MS, PASSWORD, Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MONTH = "/pools/serve-h100/2026-03/"
OUTSIDE = """[...document.querySelectorAll('.tiles > div')].flatMap((tile) => {
  const box = tile.getBoundingClientRect();
  return [...tile.querySelectorAll('summary, .value, .unit, .words')].filter((part) => {
    const range = document.createRange(); range.selectNodeContents(part);
    const words = range.getBoundingClientRect();
    return words.right > box.right + 1 || words.left < box.left - 1;
  }).map((part) => part.textContent);
})"""


def test_no_figure_runs_over_the_edge_of_its_tile(cast: Cast, collected: list[PoolHour], open_page) -> None:
    # a fleet so large that the widest value we expect stands in three tiles
    many = 14_472_800 * HOUR_MS // len(collected)
    PoolHour.objects.update(reserved=many, paid=many, allocated=many, busy=many)
    page = open_page(MONTH, cast.owner)
    expect(page.locator(".tiles .value").first).to_contain_text("GPU-hours")
    for width in (390, 701, 1024, 1181, 1280, 1361, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(OUTSIDE) == [], width


def test_a_chosen_theme_repaints_the_charts_and_is_remembered(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page(MONTH, cast.owner)
    drawn(page, "waterfall-chart")
    bar = page.locator("#waterfall-chart .trace.bars").nth(7).locator("path")
    expect(bar).to_have_css("fill", "rgb(6, 83, 136)")
    page.get_by_role("button", name="Show in dark colours").click()
    expect(page.locator("body")).to_have_css("background-color", "rgb(16, 21, 28)")
    expect(bar).to_have_css("fill", "rgb(67, 149, 246)")
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert 'data-theme="dark"' in page.request.get(page.url).text()


def test_a_person_logs_in_and_out(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page(MONTH)
    page.get_by_label("User name").fill("owner")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Log in").click()
    expect(page.locator(".errorlist")).to_contain_text("not correct")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("serve-h100, March 2026")
    page.locator("header details.menu > summary").click()
    page.get_by_role("button", name="Log out").click()
    page.goto(page.url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")


def test_choosing_a_pool_shows_it_at_once(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page(MONTH, cast.analyst)
    page.get_by_label("Pool").select_option("arms")
    expect(page.get_by_role("heading", level=1)).to_have_text("arms, March 2026")


def test_everything_but_the_charts_works_without_javascript(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page(MONTH, cast.analyst, javascript=False)
    expect(page.get_by_role("heading", name="By day")).to_be_visible()
    expect(page.locator("#hours-chart")).to_be_hidden()
    expect(page.get_by_text("The chart needs JavaScript")).to_be_visible()
    expect(page.locator(".waterfall td.drawing svg").first).to_be_visible()
    page.get_by_label("Pool").select_option("arms")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("arms, March 2026")


def test_the_sums_stand_under_their_bars(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page(MONTH, cast.owner)
    drawn(page, "waterfall-chart")
    bars = [box.bounding_box() for box in page.locator("#waterfall-chart .trace.bars").all()]
    sums = [box.bounding_box() for box in page.locator(".waterfall tbody tr").all()]
    assert len(bars) == len(sums)
    for bar, total in zip(bars, sums, strict=True):
        assert abs((bar["x"] + bar["width"] / 2) - (total["x"] + total["width"] / 2)) < 4


def test_an_hour_under_the_pointer_is_said_in_the_accounting_zone_alone(
    cast: Cast, collected: list[PoolHour], open_page
) -> None:
    Organisation.objects.create(id=1, accounting_zone="Asia/Kolkata")
    page = open_page(MONTH, cast.owner)
    drawn(page, "hours-chart")
    box = page.locator("#hours-chart .nsewdrag").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 54.5 / 744, box["y"] + box["height"] / 2)
    # in Kolkata the hours begin at half past, and the 54th after the first is this
    expect(page.locator("#hours-chart .hovertext")).to_contain_text("3 Mar, 06:30–07:30: ")
    expect(page.locator("#hours-chart .axistext")).to_have_count(0)
    expect(page.locator("#hours-chart .xtitle")).to_have_text("hour, Asia/Kolkata")
    expect(page.locator("#hours-chart .xtick text").first).to_have_text("1 Mar")
