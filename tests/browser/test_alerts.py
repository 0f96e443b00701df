"""Alerts by the keyboard alone: from the inbox to one of them, acknowledged, snoozed, and several at once."""

import re

import pytest
from playwright.sync_api import expect

from scheduler.models import AlertEpisode
from tests.browser.lived_in import LivedIn
from tests.browser.looking import once, ringed, swapped
from tests.browser.test_keyboard import tab_to

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_alert_is_opened_acknowledged_and_snoozed_by_keys(lived_in: LivedIn, open_page) -> None:
    page = once(open_page("/glossary/", lived_in.operator))
    expect(page.locator("#open-alerts")).to_contain_text("2 open, 1 critical")
    page.keyboard.press("g")
    page.keyboard.press("l")
    expect(page).to_have_url(re.compile("/alerts/$"))
    expect(page.locator("#main")).to_be_focused()
    tab_to(page, "cr-0aaa")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Reserved but unused: cr-0aaa")
    expect(page.locator("#main")).to_be_focused()
    tab_to(page, "Acknowledge")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_have_text("1 alert acknowledged.")
    expect(page.locator(".story")).to_contain_text("operator acknowledged it")
    tab_to(page, "Snooze")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_have_text("1 alert snoozed.")
    assert AlertEpisode.objects.get(pk=lived_in.alert.pk).state == "snoozed"
    assert swapped(page)


def test_several_are_picked_and_acknowledged_and_the_filter_stays(lived_in: LivedIn, open_page) -> None:
    page = once(open_page("/alerts/?owner=serving", lived_in.operator))
    page.get_by_label("Pick all on this page").focus()
    assert ringed(page)
    page.keyboard.press("Space")
    expect(page.get_by_text("3 picked")).to_be_visible()
    tab_to(page, "Acknowledge")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_contain_text("2 alerts acknowledged. 1 was not: cr-0bbb")
    expect(page).to_have_url(re.compile(r"/alerts/\?owner=serving$"))
    expect(page.locator("#open-alerts")).to_have_text("")


def test_the_inbox_works_without_javascript(lived_in: LivedIn, open_page) -> None:
    page = open_page("/alerts/", lived_in.operator, javascript=False)
    page.get_by_label("Pick Reserved but unused, cr-0aaa").check()
    page.locator("[name=until]").select_option("week")
    page.get_by_role("button", name="Snooze").click()
    expect(page.locator(".messages")).to_have_text("1 alert snoozed.")


def test_a_pools_month_and_a_reservation_list_their_alerts(lived_in: LivedIn, open_page) -> None:
    page = open_page(f"/reservations/{lived_in.block.pk}/", lived_in.operator)
    expect(page.locator(".alerts-of li")).to_have_count(1)
    page.goto(page.url.split("/reservations/")[0] + "/pools/serve-h100/2026-03/")
    expect(page.locator(".alerts-of li")).to_have_count(4)
