"""One Chromium for all browser tests; every page that is opened must leave its console silent."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect, sync_playwright

from reservations.models import User
from tests.browser.lived_in import in_march, lived_in

__all__ = ["in_march", "lived_in"]
Open = Callable[..., Page]
PATIENCE = 20_000  # ms that a busy machine may take to answer or draw
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser(chromium_path: Path) -> Iterator[Browser]:
    # playwright keeps an event loop in this thread, which Django takes for an async context
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=str(chromium_path), args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def open_page(browser: Browser, live_server) -> Iterator[Open]:
    """``open_page(address, person, width, theme, …)`` in a context of its own; errors fail at the end."""
    contexts, complaints = [], []

    def opened(
        address: str,
        person: User | None = None,
        *,
        width: int = 1440,
        theme: str = "light",
        javascript: bool = True,
        **more: object,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, java_script_enabled=javascript, **more
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        if person:
            context.add_cookies([_session(person, live_server.url)])
        page = context.new_page()
        page.on("console", lambda said: complaints.append(f"{address}: {said.text}") if _bad(said) else None)
        page.on("pageerror", lambda error: complaints.append(f"{address}: {error}"))
        page.goto(live_server.url + address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert _unanswered() == []
    assert complaints == []


def _unanswered() -> list[str]:
    """The server's threads still at work for a closed page: one that reads would block the emptying of tables."""
    until = time.monotonic() + PATIENCE / 1000
    answering = [thread for thread in threading.enumerate() if thread.name.endswith("(process_request_thread)")]
    for thread in answering:
        thread.join(max(0, until - time.monotonic()))
    return [thread.name for thread in answering if thread.is_alive()]


def _bad(said) -> bool:
    """Errors and warnings, also those plotly only traces; the status of a page that is meant to fail is none."""
    meant = any(f"the server responded with a status of {status}" in said.text for status in ("40", "422"))
    return said.type in {"error", "warning", "trace"} and not meant


def _session(person: User, url: str) -> dict[str, str]:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return {
        "name": settings.SESSION_COOKIE_NAME,
        "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
        "url": url,
    }
