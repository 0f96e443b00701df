"""The allocator's page: figures as the API gives them, all in the address, and a word for what can't be meant."""

import csv
import io
import json
import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reservations.domain.tokens import Scope
from scheduler.domain.allocation.scenario import instance_of
from scheduler.domain.policy import ONLINE_LIMITS
from scheduler.models import KeptScenario
from scheduler.selectors.scenarios import DEMOS
from scheduler.services.scenarios import MOST_KEPT, keep_scenario
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import token_of
from tests.scheduler.domain.allocation.six import FIFO, OPTIMUM
from tests.scheduler.services.allocation_questions import NOW, SMALL, of_the_six

pytestmark = pytest.mark.django_db
PAGE = "/allocator/"
NEW = "/allocator/scenarios/new/"


def text(response) -> str:
    """What a reader reads, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.text)).split())


def rows(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(response.text)))


@pytest.mark.parametrize("demo", DEMOS, ids=lambda demo: demo.key)
def test_every_shipped_scenario_is_planned_and_drawn_with_its_known_figures(demo, cast: Cast, logged_in) -> None:
    response = logged_in(cast.nobody).get(PAGE, {"scenario": demo.key})
    assert response.status_code == 200
    plans = response.context["found"].by_mode
    utilization, value = FIFO[demo.key]
    assert plans["fifo"].figures.value == pytest.approx(value, abs=1e-6)
    assert plans["fifo"].figures.utilization == pytest.approx(utilization, abs=1e-6)
    assert plans["fast"].figures.value >= value
    if demo.key in OPTIMUM:
        assert plans["fast"].figures.value <= OPTIMUM[demo.key][1] + 1e-6
    drawn = {job.id for job in response.context["drawing"].plans[1].lanes.jobs}
    placed = {job.id for job in response.context["jobs"] if job.placed}
    assert drawn == placed
    for job in response.context["jobs"]:
        assert job.reason


def test_the_shipped_scenarios_are_the_tested_ones() -> None:
    from scheduler.selectors.scenarios import demo_scenario

    for demo in DEMOS:
        assert demo_scenario(demo.key) == of_the_six(demo.key)


def test_the_page_says_what_the_api_says(cast: Cast, logged_in) -> None:
    address = {"scenario": "mixed", "penalty": "9", "blocks": "contiguous", "seed": "3"}
    page = logged_in(cast.viewer).get(PAGE, address)
    sent = Client().get("/allocator/")  # nobody logged in
    assert sent.status_code == 302
    scenario = json.loads(logged_in(cast.viewer).get("/allocator/scenario.json", address).text)
    headers = {"Authorization": f"Bearer {token_of(cast.viewer, (Scope.ALLOCATE,))}"}
    for line, mode in zip(page.context["modes"], ("fifo", "fast"), strict=True):
        told = Client().post(
            f"/api/v1/allocate?mode={mode}&seed=3&certificate=true", json.dumps(scenario),
            content_type="application/json", headers=headers,
        ).json()  # fmt: skip
        plan = page.context["found"].by_mode[mode]
        assert line.value == f"{told['value']:,.1f}".replace(",", "\u202f")
        assert line.utilization == f"{100 * told['utilization']:.1f}\u202f%"
        assert (line.completed, line.continuing, line.unplaced, line.unmet) == (
            told["completed"], told["continuing"], told["unplaced"], told["unmet_gpu_steps"],
        )  # fmt: skip
        assert plan.bound == pytest.approx(told["bound"])
        assert plan.gap_share == pytest.approx(told["gap_share"])


def test_a_file_has_the_digits_of_the_page(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    page = client.get(PAGE, {"scenario": "burst"})
    modes = rows(client.get("/allocator/modes.csv", {"scenario": "burst"}))
    for row, plan in zip(modes, page.context["found"].plans, strict=True):
        assert float(row["value"]) == plan.figures.value
        assert float(row["gap_share"]) == plan.gap_share
    jobs = rows(client.get("/allocator/jobs.csv", {"scenario": "burst"}))
    assert [row["job"] for row in jobs if row["start_step"]] == [job.id for job in page.context["jobs"] if job.placed]
    grid = rows(client.get("/allocator/grid.csv", {"scenario": "burst"}))
    held = sum(int(row["gpus"]) * (int(row["end_step"]) - int(row["start_step"])) for row in grid)
    assert held == int((page.context["plan"].grid >= 0).sum())
    prices = rows(client.get("/allocator/prices.csv", {"scenario": "burst"}))
    assert [float(row["price"]) for row in prices] == list(page.context["found"].prices)
    assert client.get("/allocator/jobs.xlsx", {"scenario": "burst"}).status_code == 200


@pytest.mark.parametrize("address", [f"{PAGE}?scenario=mixed&penalty=8", "/allocator/benchmark/", f"{NEW}?from=mixed",
                                     "/allocator/jobs.csv?scenario=burst"])  # fmt: skip
def test_a_page_stays_under_its_query_count(address: str, cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    assert len(queries) <= 12


def test_the_slider_and_the_choices_change_what_is_planned_and_stand_in_the_form(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    asked = {
        "scenario": "mixed",
        "penalty": "5.5",
        "half_life": "none",
        "realtime": "guaranteed",
        "blocks": "contiguous",
    }
    response = client.get(PAGE, asked)
    objective = response.context["asked"].instance.objective
    assert (objective.realtime_penalty, objective.half_life_steps, objective.realtime) == (5.5, None, "guaranteed")
    assert response.context["asked"].instance.blocks == "contiguous"
    assert 'value="5.5"' in response.text
    assert '<option value="none" selected>' in response.text
    for link in re.findall(r'href="(/allocator/[a-z]+\.csv\?[^"]*)"', response.text):
        assert "penalty=5.5" in link


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("penalty=11", 422, "realtime_penalty"),
        ("penalty=much", 422, "“much” is no number"),
        ("half_life=-1", 422, "half_life_steps"),
        ("realtime=maybe", 422, "realtime"),
        ("blocks=round", 422, "blocks"),
        ("seed=-1", 422, "no whole number"),
        ("seed=1e9", 422, "no whole number"),
        ("scenario=nothing", 404, "There is no scenario “nothing”"),
        ("plan=slow", 400, "use one of fifo, fast, full"),
        ("full=123456", 404, "no run number 123456"),
        ("page=9", 404, "This list has one page"),
        (f"scenario={'x' * 80}", 400, "scenario"),
    ],
)
def test_what_can_not_be_meant_is_said_in_a_sentence(query: str, status: int, said: str, cast: Cast, logged_in) -> None:
    response = logged_in(cast.viewer).get(f"{PAGE}?{query}")
    assert response.status_code == status
    assert said in text(response)


def test_a_scenario_of_ones_own_is_kept_planned_and_let_go(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    sent = client.post(NEW, {"name": "My  week", "text": json.dumps(SMALL)})
    assert sent.status_code == 302
    page = client.get(sent.url)
    assert page.context["asked"].title == "My week"
    assert page.context["asked"].instance == instance_of(SMALL)
    again = client.post(NEW, {"name": "Renamed", "text": json.dumps(SMALL)})
    assert again.url == sent.url
    assert [row.name for row in client.get(sent.url).context["asked"].own] == ["Renamed"]
    assert "t2" not in client.get(f"{NEW}?from={page.context['asked'].key}").text
    assert "&quot;late&quot;" in client.get(f"{NEW}?from={page.context['asked'].key}").text
    assert client.post(f"/allocator/scenarios/{page.context['asked'].key}/forget/").status_code == 302
    assert client.get(sent.url).status_code == 404


def test_a_scenario_is_its_bringers_alone(cast: Cast, logged_in) -> None:
    key = keep_scenario(scenario=SMALL, name="Mine", user_id=cast.viewer.pk, as_of=NOW)
    assert logged_in(cast.viewer).get(PAGE, {"scenario": key}).status_code == 200
    stranger = logged_in(cast.analyst)
    assert stranger.get(PAGE, {"scenario": key}).status_code == 404
    stranger.post(f"/allocator/scenarios/{key}/forget/")
    assert KeptScenario.objects.filter(key=key).exists()


def test_old_scenarios_and_those_beyond_the_most_go_when_another_comes(cast: Cast) -> None:
    keep_scenario(scenario=SMALL, name="old", user_id=cast.analyst.pk, as_of=NOW - ONLINE_LIMITS.kept_for * 2)
    for steps in range(4, 4 + MOST_KEPT + 2):
        scenario = SMALL | {"steps": steps, "jobs": SMALL["jobs"][:2]}
        keep_scenario(scenario=scenario, name="", user_id=cast.viewer.pk, as_of=NOW)
    assert KeptScenario.objects.filter(kept_by=cast.viewer).count() == MOST_KEPT
    assert not KeptScenario.objects.filter(kept_by=cast.analyst).exists()


ILLEGAL = {
    "no power of two": (SMALL | {"jobs": [SMALL["jobs"][0] | {"sizes": {"3": 1}}]}, 't"'),
    "unknown type": (SMALL | {"jobs": [SMALL["jobs"][0] | {"type": "dance"}]}, "type"),
    "twice the same id": (SMALL | {"jobs": [SMALL["jobs"][0], SMALL["jobs"][0]]}, '"t"'),
    "demand of another length": (SMALL | {"jobs": [SMALL["jobs"][2] | {"demand": [1]}]}, "demand"),
    "negative demand": (SMALL | {"jobs": [SMALL["jobs"][2] | {"demand": [1, -2, 0, 0]}]}, "demand"),
    "penalty out of its range": (SMALL | {"objective": {"realtime_penalty": 20}}, "realtime_penalty"),
    "empty horizon": (SMALL | {"steps": 0}, "steps"),
    "too many cells": (SMALL | {"gpus": 1000, "steps": 1000}, "1,000,000 cells"),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_illegal_scenario_gets_its_sentence_and_keeps_its_draft(name: str, cast: Cast, logged_in) -> None:
    scenario, said = ILLEGAL[name]
    response = logged_in(cast.viewer).post(NEW, {"name": "Draft", "text": json.dumps(scenario)})
    assert response.status_code == 422
    assert said in text(response)
    assert json.dumps(scenario) in unescape(response.text)
    assert 'value="Draft"' in response.text
    assert not KeptScenario.objects.exists()


@pytest.mark.parametrize(
    ("sent", "said"), [("", "nothing to read"), ("{", "is not JSON"), ("[]", "not an object"), ('{"gpus": NaN}', "NaN")]
)
def test_what_is_no_scenario_at_all_is_said(sent: str, said: str, cast: Cast, logged_in) -> None:
    response = logged_in(cast.viewer).post(NEW, {"text": sent})
    assert response.status_code == 422
    assert said in text(response)


def test_an_uploaded_file_goes_before_the_text_and_a_large_one_is_refused(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    file = io.BytesIO(json.dumps(SMALL).encode())
    assert client.post(NEW, {"text": "{", "file": file}).status_code == 302
    large = io.BytesIO(b" " * (ONLINE_LIMITS.scenario_bytes + 1))
    response = client.post(NEW, {"text": "", "file": large})
    assert response.status_code == 422
    assert "larger than 4,000,000 bytes" in text(response)


def test_who_has_no_role_sees_the_examples_and_brings_nothing_along(cast: Cast, logged_in) -> None:
    client = logged_in(cast.nobody)
    page = client.get(PAGE)
    assert page.status_code == 200
    assert "takes a role" in text(page)
    assert client.get(NEW).status_code == 403
    assert client.post("/allocator/full/ask/", {"scenario": "mixed"}).status_code == 403


def test_a_percentage_is_said_only_where_fifo_is_worth_something(cast: Cast, logged_in) -> None:
    starved = {
        "gpus": 1, "steps": 2, "jobs": [
            {"id": "a", "type": "realtime", "priority": 5, "demand": [1, 1], "swap_cap": 1},
            {"id": "b", "type": "realtime", "priority": 5, "demand": [1, 1], "swap_cap": 1},
        ],
    }  # fmt: skip
    key = keep_scenario(scenario=starved, name="starved", user_id=cast.viewer.pk, as_of=NOW)
    page = logged_in(cast.viewer).get(PAGE, {"scenario": key})
    assert page.context["found"].by_mode["fifo"].figures.value < 0
    assert "%" not in page.context["modes"][1].gain
    assert page.context["drawing"].unmet


def test_a_large_grid_is_drawn_together_and_says_so(cast: Cast, logged_in) -> None:
    jobs = [
        {"id": f"j{place}", "type": "training", "priority": 1, "arrival": place % 7, "sizes": {"8": 3}}
        for place in range(130)
    ]
    key = keep_scenario(
        scenario={"gpus": 128, "steps": 60, "nodes": [8] * 16, "jobs": jobs}, name="large", user_id=cast.viewer.pk,
        as_of=NOW,
    )  # fmt: skip
    client = logged_in(cast.viewer)
    page = client.get(PAGE, {"scenario": key, "page": "2"})
    assert not page.context["drawing"].has_lanes
    assert len(page.context["drawing"].plans[0].use.rows) == 16
    assert "too many to draw each" in text(page)
    assert len(page.context["gantt"]) == len(page.context["jobs"]) == 60
    assert page.context["paged"].pages == 3


def test_the_allocator_is_found_by_search_and_stands_among_the_sections(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    found = client.get("/search/?q=which+GPU+runs")
    assert "/allocator/" in found.text
    assert 'data-place="allocator"' in client.get("/glossary/").text
    assert "What is planned" in client.get("/glossary/").text
