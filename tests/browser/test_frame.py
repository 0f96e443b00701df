"""The frame in a real browser: keys, search, menu, swapped pages, and all of it without scripts."""

import re

import pytest
from playwright.sync_api import Page, expect

from reservations.models import SavedView
from telemetry.models import PoolHour
from tests.browser.looking import drawn, once, swapped
from tests.fixtures.cast import Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MONTH = "/pools/serve-h100/2026-03/"
HEADING = {"level": 1}


def current(page: Page) -> str | None:
    shown = page.locator("nav.sections [aria-current=page]")
    return shown.text_content() if shown.count() else None


def march_drawn(page: Page, chart: str) -> None:
    expect(page.get_by_role("heading", **HEADING)).to_contain_text("serve-h100, March 2026")
    drawn(page, chart)


def test_a_link_swaps_the_page_and_tells_the_truth_about_where_one_is(
    cast: Cast, collected: list[PoolHour], open_page
) -> None:
    page = once(open_page(MONTH, cast.analyst))
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Data").click()
    expect(page).to_have_url(re.compile("/health/data/$"))
    expect(page).to_have_title(re.compile("Data"))
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator("#said")).to_contain_text("Data")
    assert swapped(page)
    assert current(page) == "Data"


def test_the_way_back_and_forth_shows_what_the_address_says(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = once(open_page(MONTH, cast.analyst))
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Data").click()
    expect(page).to_have_url(re.compile("/health/data/$"))
    page.go_back()
    expect(page.get_by_role("heading", **HEADING)).to_contain_text("serve-h100, March 2026")
    expect(page).to_have_url(re.compile(f"{MONTH}$"))
    assert current(page) == "Month"
    march_drawn(page, "hours-chart")
    page.go_forward()
    expect(page.locator("nav.sections [aria-current=page]")).to_have_text("Data")
    assert swapped(page)


def test_charts_are_drawn_again_after_a_swap_and_plotly_is_fetched_once(
    cast: Cast, collected: list[PoolHour], open_page
) -> None:
    SavedView.objects.create(owner=cast.analyst, name="A month", path=MONTH)
    page = once(open_page("/views/", cast.analyst))
    fetched: list[str] = []
    page.on("request", lambda asked: fetched.append(asked.url) if "plotly" in asked.url else None)
    assert page.evaluate("window.Plotly === undefined")
    page.locator("#main").get_by_role("link", name="A month").click()
    march_drawn(page, "hours-chart")
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Data").click()
    expect(page).to_have_url(re.compile("/health/data/$"))
    page.go_back()
    march_drawn(page, "hours-chart")
    assert len(fetched) == 1
    assert swapped(page)


def test_the_keys_lead_to_the_sections_and_are_listed(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page("/glossary/", cast.analyst)
    for key, section in (("a", "Attention"), ("m", "Month"), ("r", "Reservations"), ("d", "Data")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(page.locator("nav.sections [aria-current=page]")).to_have_text(section)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    expect(keys).to_contain_text("attention")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()


def test_slash_searches_and_what_is_typed_is_no_key(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page("/glossary/", cast.analyst)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("g d?")
    expect(page.get_by_role("searchbox")).to_have_value("g d?")
    expect(page).to_have_url(re.compile("/glossary/$"))
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox")).not_to_be_focused()


def test_a_view_is_saved_from_the_menu_and_opened_from_it(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = once(open_page(f"{MONTH}?day=2026-03-03", cast.viewer))
    page.locator("header details.menu > summary").click()
    page.get_by_label("Save this view").fill("The third of March")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("“The third of March” is kept")
    assert SavedView.objects.get().path == f"{MONTH}?day=2026-03-03"
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Data").click()
    expect(page).to_have_url(re.compile("/health/data/$"))
    page.locator("header details.menu > summary").click()
    page.get_by_role("link", name="The third of March").click()
    expect(page).to_have_url(re.compile(re.escape(f"{MONTH}?day=2026-03-03") + "$"))
    assert swapped(page)


def test_a_page_that_is_not_there_is_shown_like_any_other(cast: Cast, collected: list[PoolHour], open_page) -> None:
    SavedView.objects.create(owner=cast.outsider, name="Not mine", path=MONTH)
    page = once(open_page("/views/", cast.outsider))
    page.locator("#main").get_by_role("link", name="Not mine").click()
    expect(page).to_have_url(re.compile(f"{MONTH}$"))
    expect(page.get_by_role("heading", **HEADING)).to_contain_text("No such pool")
    assert swapped(page)


def test_without_scripts_the_frame_is_links_and_forms(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page(MONTH, cast.viewer, javascript=False)
    page.get_by_role("searchbox").fill("idle held")
    page.get_by_role("button", name="Search").click()
    page.locator("#main").get_by_role("link", name="idle held", exact=True).click()
    expect(page).to_have_url(re.compile("/glossary/#idle_held$"))
    page.locator("header details.menu > summary").click()
    page.get_by_label("Save this view").fill("Words")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("“Words” is kept")
    page.locator("header details.menu > summary").click()
    page.locator("header details.menu").get_by_role("link", name="Saved views").click()
    expect(page.locator("#main").get_by_role("link", name="Words")).to_be_visible()
    expect(page.get_by_role("navigation", name="Sections").get_by_role("link", name="Month")).to_be_visible()
