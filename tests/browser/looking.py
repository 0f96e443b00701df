"""What all browser tests ask of a page: is it drawn, does it fit, can everybody use it, where is the focus."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

WIDTHS = (390, 1024, 1440)
AXE = Axe()
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"], "resultTypes": ["violations"]}
"""What of it another theme can change: both have the same elements."""
UNSPOKEN = """(() => {
  const said = (element) => (element.getAttribute('aria-label') || element.textContent).trim();
  const named = (element, by) => document.getElementById(element.getAttribute(by));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const wrong = (selector, is) => all(selector).filter(is).map((it) => it.outerHTML.slice(0, 120));
  const one = (selector) => all(selector).length === 1 ? [] : [selector];
  return [
    ...one('h1'), ...one('main'), ...one('header'),
    ...wrong('th', (it) => !it.scope),
    ...wrong('input:not([type=hidden]), select, textarea', (it) => !it.labels.length || !said(it.labels[0])),
    ...wrong('a, button, summary', (it) => !said(it)),
    ...wrong('[role=img]', (it) => !it.getAttribute('aria-label')),
    ...wrong('.chart', (it) => !named(it, 'aria-describedby')?.textContent.trim()),
    ...wrong('[aria-labelledby]', (it) => !named(it, 'aria-labelledby')),
    ...wrong('nav, [role=region]', (it) => !said(it) && !it.getAttribute('aria-labelledby')),
  ];
})()"""
UNDRAWN = """async () => {
  const waiting = () => document.querySelector('#more, #week-to-come')
    ?? [...document.querySelectorAll('[data-figure]:not(.drawn)')].find((chart) => chart.checkVisibility());
  for (let tries = 0; waiting() && tries < 400; tries += 1) {
    waiting().scrollIntoView({block: 'center'});
    await new Promise((next) => setTimeout(next, 50));
  }
  scrollTo(0, 0);
  return waiting()?.outerHTML.slice(0, 120) ?? null;
}"""

OVERFLOW = """async () => {
  const beyond = () => document.documentElement.scrollWidth - innerWidth;
  for (let tries = 0; beyond() > 0 && tries < 60; tries += 1) await new Promise((next) => setTimeout(next, 50));
  return beyond();
}"""

STILL = """async () => {
  const moving = () => document.readyState !== 'complete' || document.querySelector('.htmx-request')
    || document.getAnimations().some((one) => one.playState === 'running');
  for (let quiet = 0, tries = 0; quiet < 3 && tries < 200; tries += 1) {
    quiet = moving() ? 0 : quiet + 1;
    await new Promise((next) => setTimeout(next, 30));
  }
}"""


def drawn(page: Page, chart: str) -> None:
    """Wait until a chart stands in its place."""
    page.locator(f"#{chart}").scroll_into_view_if_needed()
    expect(page.locator(f"#{chart}.drawn svg.main-svg").first).to_be_visible(timeout=30_000)


def whole(page: Page) -> None:
    """Wait until everything has come that comes when one scrolls: further figures, and every chart that is shown."""
    assert page.evaluate(UNDRAWN) is None


def still(page: Page) -> None:
    """Wait until nothing more is asked for and no colour is on its way to another."""
    page.evaluate(STILL)


def overflow(page: Page) -> int:
    """How many pixels of a page lie beyond its right edge, once charts have followed its width."""
    return page.evaluate(OVERFLOW)


def violations(page: Page, rules: dict[str, object] = RULES) -> list[tuple[str, str]]:
    """What axe finds: the rule and the first element that breaks it."""
    found = AXE.run(page, options=rules).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:160]) for one in found]


def focused(page: Page) -> str:
    """The words of what has the focus, else its id or name."""
    return page.evaluate("(({innerText, id, tagName}) => (innerText || id || tagName).trim())(document.activeElement)")


def ringed(page: Page) -> bool:
    """Whether the focus can be seen: something shown has it, and an outline around it."""
    return page.evaluate(
        """(() => {
          const it = document.activeElement, style = getComputedStyle(it);
          return it !== document.body && it.checkVisibility() && style.outlineStyle !== 'none'
            && parseFloat(style.outlineWidth) >= 1;
        })()"""
    )


def once(page: Page) -> Page:
    """The page, marked so that a later look tells whether it was swapped or loaded anew."""
    page.evaluate("window.loadedOnce = true")
    return page


def swapped(page: Page) -> bool:
    """Whether the page is still the one that ``once`` marked."""
    return page.evaluate("window.loadedOnce === true")
