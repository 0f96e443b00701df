"""One team alone, one owner's pools alone or all but those, and the way to other months: links that keep the rest."""

import csv
import io
import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from telemetry.models import HeldPod, PoolHour
from tests.fixtures.cast import Cast
from tests.telemetry.views.pages import said
from tests.telemetry.views.test_figures import held, used

__all__ = ["held", "used"]
pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 8, 12, tzinfo=UTC)
FLEET = "/fleet/2026-03/"
POOL = "/pools/serve-h100/2026-03/"


@pytest.fixture
def in_march(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    return NOW


def rows(client: Client, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def test_the_owner_of_a_pool_leads_to_its_pools_alone_and_with_shift_to_the_others(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    page = logged_in(cast.analyst).get(f"{FLEET}?zone=Asia/Kolkata").text
    assert 'href="?owner=serving&amp;zone=Asia/Kolkata#pools"' in page
    assert 'data-without="?without=serving&amp;zone=Asia/Kolkata#pools"' in page


def test_all_pools_but_those_of_one_owner_are_shown_and_in_the_files(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    client = logged_in(cast.analyst)
    assert "All pools but those of robotics, March 2026" in said(client.get(f"{FLEET}?without=robotics"))
    assert [row["pool"] for row in rows(client, f"{FLEET}pools.csv?without=robotics")] == ["serve-h100"]
    assert {row["pool"] for row in rows(client, f"{FLEET}pools.csv")} == {"serve-h100", "arms"}
    assert client.get(f"{FLEET}?without=nobody").status_code == 404
    assert client.get(f"{FLEET}?owner=serving&without=serving").status_code == 200


def test_filters_that_leave_no_pool_say_so_and_lead_back(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    page = logged_in(cast.analyst).get(f"{FLEET}?owner=serving&without=serving")
    assert "What is asked for leaves no pool: those of serving without those of serving." in said(page)
    assert '<a href="?">Show all pools</a>' in page.text


def test_another_teams_name_is_told_to_nobody(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.viewer)
    known, unknown = (client.get(f"{FLEET}?without={name}") for name in ("robotics", "nowhere"))
    assert known.status_code == unknown.status_code == 404
    assert said(known).replace("robotics", "nowhere") == said(unknown)


def test_who_used_it_leads_to_each_team_alone_and_back(used: Cast, logged_in) -> None:
    client = logged_in(used.owner)
    page = client.get(f"{POOL}figures/?zone=Asia/Kolkata").text
    assert f'href="{POOL}?zone=Asia/Kolkata&amp;team=research#by-team"' in page
    alone = client.get(f"{POOL}figures/?team=research").text
    assert re.search(rf'href="{POOL}#by-team" aria-current="true"', alone)
    assert f'href="{POOL}?team=serving#by-team"' in alone


def test_one_teams_figures_are_its_own_and_add_up(used: Cast, held: HeldPod, logged_in) -> None:
    client = logged_in(used.owner)
    whole = rows(client, f"{POOL}by-team.csv")
    for team in ("serving", "research"):
        mine = next(row for row in whole if row["team"] == team)
        ran = rows(client, f"{POOL}by-workload.csv?team={team}")
        assert sum(float(row["busy_gpu_hours"]) for row in ran) == pytest.approx(float(mine["busy_gpu_hours"]))
        assert rows(client, f"{POOL}by-team.csv?team={team}") == whole
        assert {row["team"] for row in rows(client, f"{POOL}lending.csv?team={team}")} == {team}
    assert [row["team"] for row in rows(client, f"{POOL}held-idle-pods.csv?team=research")] == ["research"]
    assert rows(client, f"{POOL}held-idle-pods.csv?team=serving") == []
    alone = said(client.get(f"{POOL}figures/?team=serving"))
    assert "none of serving held a GPU idle in this month" in alone
    assert "serving lent" in alone


def test_a_team_that_used_nothing_gets_a_reason_and_not_zeros(used: Cast, logged_in) -> None:
    page = said(logged_in(used.owner).get(f"{POOL}figures/?team=nowhere"))
    assert "No queue of nowhere used GPUs in this month." in page
    assert "nowhere neither lent nor borrowed." in page


def test_a_narrowed_month_says_what_is_and_what_is_not(used: Cast, logged_in) -> None:
    client = logged_in(used.owner)
    page = client.get(f"{POOL}?team=research&day=2026-03-02")
    assert "All else is of everybody." in said(page)
    assert "/pools/serve-h100/hours/" in page.text
    assert "team=research" in re.search(r'href="(/pools/serve-h100/hours/[^"]+)"', page.text)[1]
    hour = said(client.get("/pools/serve-h100/hours/2026-03-02T10/?team=research"))
    assert "Only queues and pods of research" in hour
    assert "cq-batch" in hour
    assert "cq-serve" not in hour


@pytest.mark.parametrize("page", [f"{FLEET}figures/?team=research", f"{POOL}figures/?team=research"])
def test_narrowing_asks_no_more_of_the_database(page: str, used: Cast, held: HeldPod, logged_in) -> None:
    client = logged_in(used.owner)
    client.get(page)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(page)
    assert len(queries) <= 12


def presets(client: Client, address: str) -> dict[str, str]:
    nav = re.search(r'<nav class="neighbours"[^>]*>(.*?)</nav>', client.get(address).text, re.DOTALL)
    return {label: href for href, label in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', nav[1] if nav else "")}


def test_other_months_are_one_click_away_with_the_filters(
    cast: Cast, collected: list[PoolHour], in_march: datetime, logged_in
) -> None:
    PoolHour.objects.filter(pk=collected[0].pk).update(hour=datetime(2024, 12, 9, 5, tzinfo=in_march.tzinfo))
    client = logged_in(cast.owner)
    found = presets(client, "/pools/serve-h100/2025-12/?zone=Asia/Kolkata&day=2025-12-03")
    assert found["This month"] == "/pools/serve-h100/2026-03/?zone=Asia/Kolkata"
    assert found["Last month"] == "/pools/serve-h100/2026-02/?zone=Asia/Kolkata"
    assert found["A year before"] == "/pools/serve-h100/2024-12/?zone=Asia/Kolkata"


def test_no_month_is_named_twice_and_none_that_is_not_there(
    cast: Cast, collected: list[PoolHour], in_march: datetime, logged_in
) -> None:
    client = logged_in(cast.owner)
    assert presets(client, POOL) == {}
    found = presets(client, "/fleet/2026-02/")
    assert list(found.values()).count("/fleet/2026-03/") == 1


def test_a_month_lists_its_sections_for_small_screens(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.owner)
    for address in (f"{FLEET}?day=2026-03-02", f"{POOL}?day=2026-03-02"):
        page = client.get(address).text
        here = re.search(r'class="menu jump">(.*?)</details>', page, re.DOTALL)[1]
        further = client.get(re.search(r'hx-get="([^"]+/figures/[^"]*)"', page)[1]).text
        money = client.get(re.search(r'hx-get="([^"]+/figures/money/[^"]*)"', further)[1]).text
        wanted = re.findall(r'href="#([\w-]+)"', here)
        assert len(wanted) >= 10
        for name in wanted:
            assert any(f'id="{name}"' in part for part in (page, further, money)), name
