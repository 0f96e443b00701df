"""The allocator in a browser: pointing, walking by keys, the slider, full mode, no JavaScript, pictures, widths."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scheduler.services.allocation import run_allocations, warm_up_allocator
from scheduler.services.scenarios import keep_scenario
from scheduler.tasks import run_allocations as task
from tests.browser.looking import ringed
from tests.browser.test_every_page import faults
from tests.fixtures.cast import Cast
from tests.scheduler.services.allocation_questions import NOW, SMALL, clock

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGE = "/allocator/?scenario=mixed"


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """What a server does before it answers: compiling may take longer than a browser waits."""
    warm_up_allocator()


@pytest.fixture
def own(cast: Cast) -> dict[str, str]:
    """Scenarios of the analyst's own: one in which everything occurs, and one too large for lanes."""
    jobs = [
        {"id": "kept", "type": "training", "priority": 2, "running": {"first_gpu": 0, "gpus": 2, "remaining": 3}},
        {"id": "eval", "type": "batch_inference", "priority": 3, "arrival": 1, "sizes": {"1": 6, "2": 3}},
        {"id": "awq", "type": "quantization", "priority": 1, "arrival": 0, "sizes": {"4": 9}},
        {"id": "chat", "type": "realtime", "priority": 5, "demand": [1, 3, 6, 4, 4, 2, 1, 1], "swap_cap": 1,
         "running": {"gpus": [3]}},
    ]  # fmt: skip
    rich = {"gpus": 4, "steps": 8, "nodes": [2, 2], "step_minutes": 15, "jobs": jobs}
    many = [
        {"id": f"job-with-a-long-name-{at}", "type": "training", "priority": 1, "arrival": at % 5, "sizes": {"8": 4}}
        for at in range(70)
    ]
    large = {"gpus": 96, "steps": 90, "jobs": many}
    ask = {"user_id": cast.analyst.pk, "as_of": NOW}
    return {
        "rich": keep_scenario(scenario=rich, name="Everything that there can be", **ask),
        "large": keep_scenario(scenario=large, name="Large", **ask),
    }


def test_the_allocators_pages_fit_and_can_be_used_by_everybody(cast: Cast, own, open_page) -> None:
    page = open_page("/glossary/", cast.analyst)
    addresses = (
        "/allocator/", "/allocator/?scenario=scale", f"/allocator/?scenario={own['rich']}&plan=fifo",
        f"/allocator/?scenario={own['large']}", "/allocator/scenarios/new/?from=mixed", "/allocator/benchmark/",
        "/allocator/?penalty=11",
    )  # fmt: skip
    assert faults(page, page.url.removesuffix("/glossary/"), addresses) == ""


def test_what_is_pointed_at_is_told_and_shown_in_every_plan(cast: Cast, open_page) -> None:
    page = open_page(PAGE, cast.analyst)
    page.locator(".plan-fifo .lane-job[data-at='6']").hover()
    expect(page.locator("#pointed")).to_contain_text("b6, batch inference, priority 2: GPUs 0–1, 13:00–18:00")
    expect(page.locator(".jobs tr.near")).to_have_attribute("id", "job-6")
    page.locator(".plan-fast .lane-job[data-at='5']").hover()
    expect(page.locator("#plans .lane-job.near")).to_have_count(2)
    page.locator("h1").hover()
    expect(page.locator("#pointed")).to_contain_text("Point at a job")


def test_a_grid_is_one_stop_of_tab_and_arrows_walk_its_jobs(cast: Cast, open_page) -> None:
    page = open_page(PAGE, cast.analyst)
    page.locator(".plan-fifo .cells").focus()
    assert ringed(page)
    page.keyboard.press("ArrowRight")
    told = page.locator("#pointed")
    expect(told).to_contain_text("b0, quantization")
    page.keyboard.press("End")
    last = told.inner_text()
    page.keyboard.press("ArrowRight")
    assert told.inner_text() == last
    page.keyboard.press("Home")
    expect(told).to_contain_text("b0, quantization")
    page.keyboard.press("Tab")
    expect(page.locator(".plan-fast .cells")).to_be_focused()


def test_a_job_leads_to_its_line(cast: Cast, open_page) -> None:
    page = open_page(PAGE, cast.analyst)
    page.locator(".plan-fast .lane-job[data-at='7']").click()
    expect(page).to_have_url(re.compile("#job-7$"))
    expect(page.locator("#job-7")).to_be_in_viewport()


def test_the_slider_plans_anew_keeps_the_focus_and_stands_in_the_address(cast: Cast, open_page) -> None:
    page = open_page("/allocator/?scenario=rt_contention", cast.analyst)
    page.evaluate("window.loadedOnce = true")
    slider = page.get_by_label("Penalty")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("penalty=8.5"))
    expect(page.locator("output")).to_have_text("8.5")
    expect(page.locator("#answer a", has_text="CSV").first).to_have_attribute("href", re.compile("penalty=8.5"))
    expect(slider).to_be_focused()
    assert page.evaluate("window.loadedOnce")
    page.reload()
    expect(page.get_by_label("Penalty")).to_have_value("8.5")
    page.go_back()
    expect(page.get_by_label("Penalty")).to_have_value("8")


def test_what_can_not_be_planned_is_said_in_place_and_the_next_choice_mends_it(cast: Cast, open_page) -> None:
    page = open_page(PAGE, cast.analyst)
    page.locator("#seed").evaluate("(seed) => seed.removeAttribute('max')")  # the browser itself would not send it
    page.get_by_label("Seed of the search").fill("99999999999")
    page.get_by_label("Seed of the search").press("Tab")
    expect(page.locator("#answer")).to_contain_text("no whole number")
    page.get_by_label("Seed of the search").fill("5")
    page.get_by_label("Seed of the search").press("Tab")
    expect(page.locator("#answer .verdict")).to_be_visible()


def test_full_mode_is_watched_and_its_plan_comes_by_itself(cast: Cast, open_page, monkeypatch) -> None:
    monkeypatch.setattr(task, "apply_async", lambda **_: None)
    page = open_page(PAGE, cast.analyst)
    page.get_by_role("button", name="Look for the best possible plan").click()
    expect(page.locator("#full")).to_contain_text("waits for a worker")
    expect(page).to_have_url(re.compile(r"full=\d+"))
    run_allocations(clock=clock)
    expect(page.locator(".plan-full")).to_be_visible()
    expect(page.locator("#full")).to_contain_text("Done")


def test_without_javascript_everything_is_planned_asked_and_told(cast: Cast, open_page, monkeypatch) -> None:
    monkeypatch.setattr(task, "apply_async", lambda **_: None)
    page = open_page(PAGE, cast.analyst, javascript=False)
    page.get_by_label("Real-time demand").select_option("guaranteed")
    page.get_by_role("button", name="Plan", exact=True).click()
    expect(page).to_have_url(re.compile("realtime=guaranteed"))
    expect(page.locator(".plan-fast .lane-job")).to_have_count(10)
    page.get_by_role("button", name="Look for the best possible plan").click()
    page.get_by_role("link", name="See how far it is").click()
    expect(page.locator("#full")).to_contain_text("waits for a worker")
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#full")).to_contain_text("taken back")


def test_a_scenario_is_pasted_mended_and_planned(cast: Cast, open_page) -> None:
    page = open_page("/allocator/scenarios/new/", cast.analyst)
    wrong = SMALL | {"jobs": [SMALL["jobs"][0] | {"sizes": {"3": 2}}]}
    page.get_by_label("Name").fill("Pasted")
    page.get_by_label("or the scenario itself").fill(json.dumps(wrong))
    page.get_by_role("button", name="Check and plan it").click()
    expect(page.get_by_role("alert")).to_contain_text("sizes")
    page.get_by_label("or the scenario itself").fill(json.dumps(SMALL))
    page.get_by_role("button", name="Check and plan it").click()
    expect(page.locator(".scenarios [aria-current]")).to_have_text("Pasted")
    expect(page.locator(".plan-fast .lane-job")).to_have_count(3)


@pytest.mark.parametrize("form", ["PNG", "SVG"])
def test_the_grid_is_saved_as_a_picture_with_its_title(form: str, cast: Cast, open_page, tmp_path: Path) -> None:
    page: Page = open_page(PAGE, cast.analyst)
    with page.expect_download() as download:
        page.get_by_role("button", name=f"{form} of who runs where and when").click()
    place = tmp_path / download.value.suggested_filename
    download.value.save_as(place)
    assert place.name == f"moorage-allocator-mixed.{form.lower()}"
    if form == "PNG":
        assert place.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    else:
        drawn = place.read_text()
        assert "who runs where and when" in drawn
        assert "lane-batch" in drawn
