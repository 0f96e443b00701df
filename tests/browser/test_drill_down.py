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


def test_the_week_of_all_pools_comes_when_it_is_gone_to_and_is_then_where_one_is(lived_in: LivedIn, open_page) -> None:
    page = open_page("/fleet/2026-03/#hour-of-week", lived_in.operator)
    expect(page.locator("#hour-of-week-chart.drawn")).to_be_visible(timeout=30_000)
    expect(page.locator("#week-to-come")).to_have_count(0)
    expect(page.locator("#hour-of-week")).to_be_focused()
    expect(page.locator("#hour-of-week")).to_be_in_viewport()


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


def test_an_owner_in_a_table_narrows_to_it_and_with_shift_to_the_others(lived_in: LivedIn, open_page) -> None:
    page = open_page("/fleet/2026-03/", lived_in.operator)
    page.locator("#pools").scroll_into_view_if_needed()
    owner = page.locator(".pool-lines").get_by_role("link", name="serving", exact=True)
    owner.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pools of serving, March 2026")
    assert "owner=serving" in page.url
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("All pools, March 2026")
    owner.click(modifiers=["Shift"])
    expect(page.get_by_role("heading", level=1)).to_have_text("All pools but those of serving, March 2026")
    page.get_by_role("link", name="Show all pools").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All pools, March 2026")
    assert "without" not in page.url


@pytest.mark.parametrize("javascript", [True, False])
def test_a_team_that_used_it_narrows_the_page_and_its_hours(javascript: bool, lived_in: LivedIn, open_page) -> None:
    page = open_page(f"{MONTH}figures/?day=2026-03-01", lived_in.operator, javascript=javascript)
    page.get_by_label("One team alone").get_by_role("link", name="research", exact=True).click()
    expect(page.get_by_text("All else is of everybody.").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("serve-h100, March 2026")
    page.get_by_role("link", name="10:00–11:00").click()
    expect(page.get_by_text("Only queues and pods of research")).to_be_visible()
    assert "team=research" in page.url


def test_a_phone_jumps_to_a_section_that_is_not_there_yet(lived_in: LivedIn, open_page) -> None:
    page = open_page(MONTH, lived_in.operator, width=390)
    page.get_by_text("On this page").click()
    page.get_by_label("Sections of this page").get_by_role("link", name="Pods that held GPUs idle").click()
    heading = page.locator("#held-idle-pods")
    expect(heading).to_be_in_viewport()
    expect(page.get_by_label("Sections of this page")).to_be_hidden()
    assert heading.bounding_box()["y"] >= page.locator(".jump").bounding_box()["height"]
    page.get_by_text("On this page").click()
    page.get_by_label("Sections of this page").get_by_role("link", name="By day", exact=True).click()
    expect(page.locator("#days")).to_be_in_viewport()


def test_a_wide_screen_has_no_list_of_sections(lived_in: LivedIn, open_page) -> None:
    expect(open_page(MONTH, lived_in.operator).locator(".jump")).to_be_hidden()
