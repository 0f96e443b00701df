"""The main paths by the keyboard alone: everything is reached, the focus is seen and never lost."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lived_in import LivedIn
from tests.browser.looking import drawn, focused, once, ringed, swapped, whole

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MONTH = "/pools/serve-h100/2026-03/"
FURTHEST = 90


def tab_to(page: Page, words: str) -> list[str]:
    """Press Tab until what has the focus reads so; what was passed on the way, each with its ring seen."""
    passed = []
    for _ in range(FURTHEST):
        page.keyboard.press("Tab")
        assert ringed(page), f"no ring on {focused(page)!r} after {passed}"
        passed.append(focused(page))
        if passed[-1] == words:
            return passed
    raise AssertionError(f"{words!r} is not reached: {passed}")


def test_tab_leads_from_the_skip_link_past_the_sections_to_a_meaning(lived_in: LivedIn, open_page) -> None:
    page = open_page(MONTH, lived_in.operator)
    passed = tab_to(page, "Reserved")
    assert passed[:2] == ["Skip to the page", "Moorage"]
    sections = ["Attention", "Month", "Reservations", "Data"]
    assert [words for words in passed if words in sections] == sections
    page.keyboard.press("Enter")
    meaning = page.locator("details.term[open] p")
    expect(meaning).to_be_visible()
    expect(meaning).to_contain_text("Glossary")
    page.keyboard.press("Escape")
    expect(meaning).to_be_hidden()
    assert focused(page) == "Reserved"


def test_the_skip_link_leads_past_the_bar_into_the_page(lived_in: LivedIn, open_page) -> None:
    page = open_page(MONTH, lived_in.operator)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert focused(page).startswith("All pools, March 2026")
    page.keyboard.press("Tab")
    assert focused(page) == "All pools, March 2026"


def test_slash_a_word_and_enter_lead_to_what_was_found(lived_in: LivedIn, open_page) -> None:
    page = once(open_page("/glossary/", lived_in.operator))
    page.keyboard.press("/")
    assert ringed(page)
    page.keyboard.type("serve-h1")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search/\?q=serve-h1$"))
    expect(page.locator("#main")).to_be_focused()
    tab_to(page, "serve-h100")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("serve-h100")
    expect(page.locator("#main")).to_be_focused()
    assert swapped(page)


def test_the_keys_open_sections_and_help_gives_the_focus_back(lived_in: LivedIn, open_page) -> None:
    page = once(open_page("/glossary/", lived_in.operator))
    for key, place in (("r", "/reservations/"), ("m", "/fleet/")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(place))
        expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    before = focused(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    assert focused(page) == before
    assert swapped(page)


def test_reservations_are_filtered_and_opened_by_keys(lived_in: LivedIn, open_page) -> None:
    page = once(open_page("/reservations/", lived_in.operator))
    page.get_by_label("kind").focus()
    assert ringed(page)
    page.keyboard.type("b")  # as one chooses in a list: the first that begins so
    expect(page).to_have_url(re.compile("kind=block"))
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.get_by_label("kind")).to_be_focused()
    expect(page.get_by_label("kind")).to_have_value("block")
    tab_to(page, "cr-block-0123456789abcdef")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("cr-block-0123456789abcdef")
    assert swapped(page)


def test_the_hours_behind_a_bar_are_reached_by_keys(lived_in: LivedIn, open_page) -> None:
    page = once(open_page(MONTH, lived_in.operator))
    drawn(page, "waterfall-chart")
    page.locator("#waterfall").scroll_into_view_if_needed()
    page.locator(".waterfall tbody th summary").first.focus()
    amounts = page.locator(".waterfall td.hours a")
    words = amounts.nth(1).inner_text()
    tab_to(page, words)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?step=\w+#hours$"))
    expect(page.locator("#hours")).to_be_focused()
    tab_to(page, page.locator(".behind tbody a").first.inner_text())
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/hours/2026-03-\d\dT\d\d/\?step="))
    expect(page.locator("#main")).to_be_focused()
    assert swapped(page)


def test_another_clock_for_the_week_keeps_the_focus_where_it_was(lived_in: LivedIn, open_page) -> None:
    page = open_page(MONTH, lived_in.operator)
    whole(page)
    clock = page.get_by_label("By the clock of")
    clock.fill("Asia/Kolkata")
    clock.press("Enter")
    expect(page.locator("#hour-of-week-body")).to_contain_text("Asia/Kolkata")
    expect(clock).to_be_focused()
    assert ringed(page)
