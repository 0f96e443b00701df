"""From the front page down to the nodes and pods of an hour and back: every filter stays in the address."""

import re

import pytest
from playwright.sync_api import Page, expect

from telemetry.models import HourNode, PoolHour
from tests.browser.lived_in import LivedIn
from tests.browser.looking import drawn
from tests.fixtures.cast import HOUR_MS, Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MONTH = "/pools/serve-h100/2026-03/"


@pytest.mark.parametrize("javascript", [True, False])
def test_from_the_fleet_down_to_the_nodes_of_an_hour_every_filter_is_kept(
    javascript: bool, cast: Cast, collected: list[PoolHour], open_page
) -> None:
    HourNode.objects.create(pool_hour=collected[10], node="node-a", expected=8 * HOUR_MS, known=8 * HOUR_MS)
    page = open_page("/fleet/2026-03/?owner=serving&zone=Asia/Kolkata", cast.owner, javascript=javascript)
    page.get_by_role("link", name="serve-h100").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("serve-h100, March 2026")
    page.get_by_role("link", name="1 Mar", exact=True).click()
    expect(page.get_by_role("heading", name="Hours of 1 Mar 2026")).to_be_visible()
    page.get_by_role("link", name="10:00–11:00").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("serve-h100, 1 Mar 2026, 10:00–11:00")
    expect(page.get_by_text("node-a")).to_be_visible()
    assert "/hours/2026-03-01T10/?" in page.url
    for kept in ("owner=serving", "zone=Asia/Kolkata", "day=2026-03-01"):
        assert kept in page.url
    page.get_by_label("Breadcrumbs").get_by_role("link", name="All pools, March 2026").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pools of serving, March 2026")
    assert "owner=serving" in page.url


def test_a_bar_and_an_hour_of_a_chart_lead_where_the_table_does(
    cast: Cast, collected: list[PoolHour], open_page
) -> None:
    page = open_page(MONTH, cast.owner)
    drawn(page, "waterfall-chart")
    box = page.locator("#waterfall-chart .trace.bars").nth(7).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("heading", name="Hours with most “busy, owner”")).to_be_visible()
    expect(page).to_have_url(re.compile(r"step=owner_busy#hours$"))
    drawn(page, "hours-chart")
    box = page.locator("#hours-chart .nsewdrag").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 10.5 / 744, box["y"] + box["height"] / 2)
    expect(page.get_by_role("heading", level=1)).to_have_text("serve-h100, 1 Mar 2026, 10:00–11:00")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("serve-h100, March 2026")


def test_the_further_figures_come_when_they_are_scrolled_to(cast: Cast, collected: list[PoolHour], open_page) -> None:
    page = open_page(MONTH, cast.owner)
    page.locator("#more").scroll_into_view_if_needed()
    expect(page.get_by_role("heading", name="When it is busy")).to_be_visible()
    assert page.url.endswith(MONTH)
    plain = open_page(MONTH, cast.owner, javascript=False)
    plain.get_by_role("link", name=re.compile("^When it is busy")).click()
    expect(plain.get_by_role("heading", name="When it is busy")).to_be_visible()


def at_each_step(page: Page) -> list[tuple[str, str]]:
    """Where a page is and what it is of, which loading it again must not change."""
    seen = (page.url, page.get_by_role("heading", level=1).inner_text())
    page.reload()
    assert (page.url, page.get_by_role("heading", level=1).inner_text()) == seen
    return [seen]


@pytest.mark.parametrize("javascript", [True, False])
def test_from_attention_down_to_the_pods_of_an_hour_and_all_the_way_back(
    javascript: bool, lived_in: LivedIn, open_page
) -> None:
    page = open_page("/?owner=serving", lived_in.operator, javascript=javascript)
    heading = page.get_by_role("heading", level=1)
    seen = at_each_step(page)
    page.locator(".pools").get_by_role("link", name="serve-h100").click()
    expect(heading).to_have_text("serve-h100, March 2026")
    seen += at_each_step(page)
    page.goto(f"{page.url}&zone=Asia/Kolkata")
    seen += at_each_step(page)
    page.get_by_role("link", name="1 Mar", exact=True).click()
    expect(page.get_by_role("heading", name="Hours of 1 Mar 2026")).to_be_visible()
    seen += at_each_step(page)
    page.get_by_role("link", name="10:00–11:00").click()
    expect(heading).to_have_text("serve-h100, 1 Mar 2026, 10:00–11:00")
    expect(page.get_by_text("ip-10-0-0-1.ec2.internal").first).to_be_visible()
    expect(page.get_by_text("serving-0").first).to_be_visible()
    expect(page.get_by_text("research-0")).to_have_count(0)
    seen += at_each_step(page)
    assert all("owner=serving" in url for url, _ in seen)
    assert all("zone=Asia/Kolkata" in url for url, _ in seen[-3:])
    for url, words in reversed(seen[:-1]):
        page.go_back()
        expect(heading).to_have_text(words)
        assert page.url == url
    page.goto(seen[-1][0])
    for crumb, words in (
        ("1 Mar", "serve-h100, March 2026"),
        ("All pools, March 2026", "Pools of serving, March 2026"),
    ):
        page.get_by_label("Breadcrumbs").get_by_role("link", name=crumb, exact=True).click()
        expect(heading).to_have_text(words)
        assert "owner=serving" in page.url
        assert "zone=Asia/Kolkata" in page.url
