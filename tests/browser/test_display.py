"""How pages are displayed: themes, paper, calm, magnified, and nothing that jumps while it loads."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lived_in import LivedIn
from tests.browser.looking import drawn, overflow, whole

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MONTH = "/pools/serve-h100/2026-03/"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(16, 21, 28)"
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({type: 'layout-shift', buffered: true});
}"""
MOVING = """() => [...document.querySelectorAll('*')].filter((it) => {
  const {transitionDuration, animationDuration, animationName} = getComputedStyle(it);
  const lasts = (times) => times.split(',').some((time) => parseFloat(time) > 0.001);
  return lasts(transitionDuration) || (animationName !== 'none' && lasts(animationDuration));
}).map((it) => it.outerHTML.slice(0, 100))"""
CUT = """() => [...document.querySelectorAll('main *, header *, footer *')].filter((it) => {
  if (it.closest('svg, .wrap-table, .visually-hidden, .chart, .sections') || !it.checkVisibility()) return false;
  if (![...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) return false;
  if (getComputedStyle(it).textOverflow === 'ellipsis') return false;
  const box = it.getBoundingClientRect();
  return box.width > 1 && box.right > innerWidth + 1;
}).map((it) => it.outerHTML.slice(0, 120))"""


def ground(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_system_chooses_the_theme_until_a_person_does(lived_in: LivedIn, open_page) -> None:
    page = open_page("/", lived_in.operator, theme="dark")
    assert ground(page) == DARK
    page.emulate_media(color_scheme="light")
    assert ground(page) == LIGHT
    page.get_by_role("button", name="Show in dark colours").click()
    assert ground(page) == DARK
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Data").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Data")
    assert ground(page) == DARK
    page.reload()
    assert ground(page) == DARK
    page.get_by_role("button", name="Show in light colours").click()
    page.emulate_media(color_scheme="dark")
    page.reload()
    assert ground(page) == LIGHT


@pytest.mark.parametrize("address", ["/", MONTH])
def test_paper_is_light_and_fits_though_the_screen_is_dark(address: str, lived_in: LivedIn, open_page) -> None:
    page = open_page(address, lived_in.operator, theme="dark", width=703)
    whole(page)
    page.emulate_media(media="print", color_scheme="dark")
    assert ground(page) == LIGHT
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(22, 32, 43)"
    for chrome in (".bar", ".sections", ".tools >> nth=0"):
        expect(page.locator(chrome)).to_be_hidden()
    assert overflow(page) <= 0


def test_nothing_moves_for_who_wants_no_motion(lived_in: LivedIn, open_page) -> None:
    page = open_page(MONTH, lived_in.operator, reduced_motion="reduce")
    whole(page)
    assert page.evaluate(MOVING) == []


@pytest.mark.parametrize("address", ["/", MONTH, "/reservations/", "/health/data/"])
def test_at_twice_the_size_nothing_is_lost(address: str, lived_in: LivedIn, open_page) -> None:
    page = open_page(address, lived_in.operator, width=640, device_scale_factor=2)
    whole(page)
    assert overflow(page) <= 0
    assert page.evaluate(CUT) == []
    for control in ("Attention", "Month", "Reservations", "Data"):
        expect(page.get_by_role("navigation", name="Sections").get_by_role("link", name=control)).to_be_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_space_is_kept_for_what_is_drawn_later(width: int, lived_in: LivedIn, open_page) -> None:
    page = open_page("/glossary/", lived_in.operator, width=width)
    page.context.add_init_script(f"({SHIFTS})()")
    origin = page.url.removesuffix("/glossary/")
    for address in ("/", MONTH):
        page.goto(origin + address)
        page.wait_for_load_state("networkidle")
        if address == MONTH:
            drawn(page, "hours-chart")
        whole(page)
        assert page.evaluate("window.shifted") < 0.05, address
