"""Takes the pictures of the README from the demo fleet: starts it in a folder of its own, looks, stops it."""

import re
import signal
import subprocess  # nosec B404
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
READY = re.compile(r"Moorage is ready: (\S+)/")
WAIT_MS = 60_000
POOL = "serving-h100"
HEIGHTS = {"attention": 1180, "month": 1500}


def main() -> int:
    browser_path = sys.argv[1]
    PICTURES.mkdir(exist_ok=True)
    demo = subprocess.Popen([sys.executable, "manage.py", "demo"], cwd=ROOT, stderr=subprocess.PIPE, text=True)  # nosec B603
    try:
        address = _ready(demo)
        if not address:
            return 1
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
            for theme in ("light", "dark"):
                _take(browser, address, theme)
            browser.close()
    finally:
        demo.send_signal(signal.SIGINT)
        demo.communicate(timeout=60)
    return 0


def _ready(demo: subprocess.Popen[str]) -> str:
    """The demo's address once it says so; blank, with its lines on stderr, when it ends before."""
    assert demo.stderr  # nosec B101
    for line in demo.stderr:
        sys.stderr.write(line)
        if found := READY.search(line):
            return found[1]
    return ""


def _take(browser: Browser, address: str, theme: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{address}/accounts/login/")
    page.fill("input[name=login]", "analyst")
    page.fill("input[name=password]", "moorage-demo")
    page.click("main button[type=submit]")
    page.goto(address)
    # the front page leads to the month it shows, which is the last full one while the running one has hardly begun
    month = page.get_by_role("link", name=POOL, exact=True).get_attribute("href")
    for name, path in (("attention", "/"), ("month", month)):
        page.set_viewport_size({"width": 1280, "height": HEIGHTS[name]})
        page.goto(address + path)
        page.wait_for_load_state("networkidle")
        page.wait_for_function(DRAWN)
        page.screenshot(path=PICTURES / f"{name}-{theme}.png")
    context.close()


DRAWN = """() => [...document.querySelectorAll('.chart')].every((chart) => {
  const box = chart.getBoundingClientRect();
  return box.top > innerHeight || box.height === 0 || chart.classList.contains('drawn');
})"""


if __name__ == "__main__":
    sys.exit(main())
