"""Full mode from the page: asked, watched with and without htmx, taken back, and shown beside the others."""

import pytest

from scheduler.models import AllocationRun
from scheduler.services.allocation import run_allocations
from scheduler.tasks import run_allocations as task
from tests.fixtures.cast import Cast
from tests.scheduler.services.allocation_questions import clock

pytestmark = pytest.mark.django_db
ASKED = {"scenario": "mixed", "penalty": "9"}
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    sent: list[dict[str, object]] = []
    monkeypatch.setattr(task, "apply_async", lambda **options: sent.append(options))
    return sent


@pytest.fixture
def asked(cast: Cast, logged_in, django_capture_on_commit_callbacks, told) -> str:
    """The address of the page after full mode was asked for."""
    with django_capture_on_commit_callbacks(execute=True):
        response = logged_in(cast.viewer).post("/allocator/full/ask/", ASKED)
    assert response.status_code == 302
    assert len(told) == 1
    return response.url.split("#")[0]


def part(address: str) -> str:
    return address.replace("/allocator/", "/allocator/full/", 1)


def test_what_was_asked_is_what_the_page_plans_and_stands_in_its_address(asked: str, cast: Cast, logged_in) -> None:
    run = AllocationRun.objects.get()
    assert f"full={run.pk}" in asked
    assert "penalty=9" in asked
    page = logged_in(cast.viewer).get(asked)
    assert page.status_code == 200
    assert "waits for a worker" in page.text
    assert f'hx-get="{part(asked)}"'.replace("&", "&amp;") in page.text
    assert logged_in(cast.viewer).get(asked.replace("penalty=9", "penalty=8")).status_code == 409
    assert logged_in(cast.analyst).get(asked).status_code == 404


def test_progress_is_told_until_it_ends_and_then_the_page_is_loaded_anew(asked: str, cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    waiting = client.get(part(asked), headers=HTMX)
    assert "<html" not in waiting.text
    assert "HX-Refresh" not in waiting
    assert client.get(part(asked)).url == asked
    AllocationRun.objects.update(
        state="running", phase="packing", value=130.0, bound=134.5, started_at=clock(), heard_at=clock()
    )
    told = client.get(part(asked), headers=HTMX).text
    assert "packing" in told
    assert "134.5" in told
    client.post("/allocator/full/cancel/", ASKED | {"full": AllocationRun.objects.get().pk})
    ended = client.get(part(asked), headers=HTMX)
    assert ended["HX-Refresh"] == "true"
    assert "taken back" in ended.text
    assert "Look for the best possible plan" in client.get(asked).text


def test_the_full_plan_stands_beside_the_others_and_is_never_worse(asked: str, cast: Cast, logged_in) -> None:
    run_allocations(clock=clock)
    run = AllocationRun.objects.get()
    assert run.state == "done", run.message
    page = logged_in(cast.viewer).get(asked)
    plans = page.context["found"].by_mode
    assert list(plans) == ["fifo", "fast", "full"]
    assert plans["full"].figures.value >= plans["fast"].figures.value - 1e-9
    assert page.context["plan"].mode == "full"
    assert all(plan.bound == plans["full"].bound for plan in plans.values())
    assert len(page.context["drawing"].plans) == 3
