"""The further figures of a month: on their page, as files, for whoever may see them, and with a reason where empty."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.domain.period import HOUR
from reservations.selectors.pools import pool_named
from telemetry.domain.ledger import QueueHour
from telemetry.models import HeldPod, HourPod, PoolHour
from telemetry.services.ledger import store_hours
from telemetry.services.traces import import_trace
from telemetry.views.figures import FIGURES
from tests.fixtures.cast import Cast
from tests.telemetry.domain.lawful_rows import H, lawful

START = datetime(2026, 3, 1, tzinfo=UTC)
PAGE = "/pools/serve-h100/2026-03/"
QUERIES = 12


@pytest.fixture
def used(cast: Cast) -> Cast:
    """Ten days of March: serving within its quota, research beyond it, a third outside any queue; then none."""
    rows = []
    for place in range(240):
        busy = (place % 7) * H
        owner, borrower = busy // 2, busy // 4
        rest = busy - owner - borrower
        queues = (
            QueueHour("", allocated=0, unmanaged_busy=rest),
            QueueHour("cq-serve", allocated=5 * H, owner_busy=owner),
            QueueHour("cq-batch", allocated=3 * H, borrower_busy=borrower),
        )
        roles = {"owner_busy": owner, "borrower_busy": borrower, "unmanaged_busy": rest, "unattributed_busy": 0}
        row = lawful(busy=busy, queues=queues, allocated=8 * H, **roles)
        rows.append(replace(row, hour=START + place * HOUR))
    store_hours(pool_id=cast.pool.pk, source="prod-a", hours=rows, read_at=START + timedelta(days=40))
    return cast


@pytest.fixture
def held(used: Cast) -> HeldPod:
    """One pod that held four GPUs idle in the last three of the hours."""
    pod = HeldPod.objects.create(pool=used.pool, namespace="ml", name="train-0", uid="u-1")
    for hour in PoolHour.objects.filter(pool=used.pool).order_by("-hour")[:3]:
        roles = dict.fromkeys(("owner_busy", "borrower_busy", "unmanaged_busy", "unattributed_busy"), 0)
        HourPod.objects.create(
            pool_hour=hour, pool=used.pool, pod=pod, hour=hour.hour, cluster_queue="cq-batch", team="research",
            idle_held=4 * H, allocated=4 * H, idle_from=hour.hour, **roles,
        )  # fmt: skip
    return pod


def plain(response) -> str:
    return response.content.decode().replace("\u202f", " ")


def rows_of(client, name: str, query: str = "") -> list[dict[str, str]]:
    response = client.get(f"{PAGE}{name}.csv{query}")
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_every_figure_stands_on_the_page_with_its_sentence_and_its_files(used: Cast, logged_in) -> None:
    client = logged_in(used.analyst)
    page = plain(client.get(f"{PAGE}figures/"))
    for name in FIGURES:
        assert f'id="{name}"' in page
    for name in set(FIGURES) - {"held-idle-pods"}:
        assert f"{PAGE}{name}.csv" in page
        assert f"{PAGE}{name}.xlsx" in page
    assert "of what was reserved in 240 hours" in page
    assert "node" in page


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_every_figure_is_a_file(name: str, suffix: str, used: Cast, logged_in) -> None:
    assert logged_in(used.analyst).get(f"{PAGE}{name}.{suffix}").status_code == 200


def test_teams_and_workloads_add_up_to_the_busy_time_of_the_month(used: Cast, logged_in) -> None:
    client = logged_in(used.analyst)
    busy = sum(hour.busy for hour in PoolHour.objects.filter(pool=used.pool)) / Decimal(H)
    for name in ("by-team", "by-workload"):
        rows = rows_of(client, name)
        assert abs(sum(Decimal(row["busy_gpu_hours"]) for row in rows) - busy) < Decimal("0.00001")
        assert abs(sum(Decimal(row["of_busy_share"]) for row in rows) - 1) < Decimal("0.00000001")
    assert [row["team"] for row in rows_of(client, "by-team")] == ["research", "serving", "outside any queue"]


def test_what_serving_lent_is_what_research_borrowed(used: Cast, logged_in) -> None:
    told = {row["team"]: row for row in rows_of(logged_in(used.analyst), "lending")}
    assert Decimal(told["serving"]["lent_gpu_hours"]) == Decimal(told["research"]["borrowed_gpu_hours"]) > 0
    (pair,) = rows_of(logged_in(used.analyst), "lent-to-whom")
    assert (pair["lender"], pair["borrower"]) == ("serving", "research")


def test_the_week_goes_by_the_clock_that_was_asked_for(used: Cast, logged_in) -> None:
    client = logged_in(used.analyst)
    kathmandu = rows_of(client, "hour-of-week", "?zone=Asia/Kathmandu")
    by_cell = {(row["weekday"], row["hour_start"]): row for row in kathmandu}
    # the month's first hour starts on Sunday at 05:45 there, and its last one ten days later at 04:45
    assert by_cell["Sun", "05:00"]["hours"] == "2"
    assert by_cell["Wed", "05:00"]["hours"] == "1"
    assert sum(int(row["hours"]) for row in kathmandu) == 240
    page = plain(client.get(f"{PAGE}figures/?zone=Asia/Kathmandu"))
    assert "hour of the day, Asia/Kathmandu" in page
    assert "hour-of-week.csv?zone=Asia" in page


def test_a_zone_that_is_none_is_refused_in_a_sentence(used: Cast, logged_in) -> None:
    response = logged_in(used.analyst).get(f"{PAGE}figures/?zone=Mars/Base")
    assert response.status_code == 400
    assert "time zone" in plain(response)


def test_the_break_even_is_for_those_who_may_see_prices(used: Cast, logged_in) -> None:
    assert "break-even 50.0 %" in plain(logged_in(used.owner).get(f"{PAGE}figures/"))
    hidden = plain(logged_in(used.viewer).get(f"{PAGE}figures/"))
    assert "break-even 50.0 %" not in hidden
    assert "your role does not include prices" in hidden


def test_a_pod_that_held_gpus_idle_is_named_with_since_when_and_its_cost(used: Cast, held: HeldPod, logged_in) -> None:
    (row,) = rows_of(logged_in(used.analyst), "held-idle-pods")
    assert (row["pod"], row["team"], Decimal(row["idle_held_gpu_hours"])) == ("train-0", "research", 12)
    assert row["idle_since"].startswith("2026-03-10T21:00")
    assert Decimal(row["idle_held_cost"]) == 12 * Decimal(40) / 8
    page = plain(logged_in(used.analyst).get(f"{PAGE}figures/"))
    assert "10 Mar 2026, 21:00 UTC" in page
    assert "/pools/serve-h100/hours/2026-03-10T23/" in page


def test_a_viewer_sees_the_pod_without_its_cost(used: Cast, held: HeldPod, logged_in) -> None:
    (row,) = rows_of(logged_in(used.viewer), "held-idle-pods")
    assert "idle_held_cost" not in row


def test_a_month_without_hours_says_why_each_figure_is_empty(cast: Cast, logged_in) -> None:
    page = plain(logged_in(cast.analyst).get(f"{PAGE}figures/"))
    assert "No hour of this month is in the ledger." in page
    assert "data-figure" not in page


def test_the_month_of_all_pools_has_its_figures_and_says_why_it_has_no_curve(used: Cast, logged_in) -> None:
    client = logged_in(used.analyst)
    assert "of what was reserved in 240 hours" in plain(client.get("/fleet/2026-03/figures/week/"))
    page = plain(client.get("/fleet/2026-03/figures/"))
    assert "can&#x27;t stand in for each other" in page


@pytest.mark.parametrize("address", [f"{PAGE}figures/", f"{PAGE}by-team.csv", f"{PAGE}hour-of-week.xlsx"])
def test_another_teams_figures_are_not_found_and_give_nothing_away(address: str, used: Cast, logged_in) -> None:
    response = logged_in(used.outsider).get(address)
    assert response.status_code == 404
    assert "research" not in plain(response)


@pytest.mark.parametrize("address", [f"{PAGE}figures/", "/fleet/2026-03/figures/", "/fleet/2026-03/figures/week/"])
def test_all_figures_together_take_few_queries(address: str, used: Cast, held: HeldPod, logged_in) -> None:
    client = logged_in(used.analyst)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    assert len(queries) <= QUERIES, "\n".join(query["sql"][:120] for query in queries)


def test_the_curve_is_of_the_demand_that_a_file_beside_it_has_hour_by_hour(used: Cast, logged_in) -> None:
    client = logged_in(used.analyst)

    hours: dict[str, Decimal] = {}
    for row in rows_of(client, "demand"):
        hours[row["hour"]] = hours.get(row["hour"], Decimal(0)) + Decimal(row["nodes"])
    assert len(hours) == 240
    needed = [-(-nodes // 1) for nodes in hours.values()]
    curve = {int(row["node"]): Decimal(row["demand_hours"]) for row in rows_of(client, "load-duration")}
    assert curve == {node: sum(nodes >= node for nodes in needed) for node in curve}
    assert {row["source"] for row in rows_of(client, "demand")} == {"ledger, bound alone"}
    page = plain(client.get(f"{PAGE}figures/"))
    assert "demand is what pods held alone" in page
    assert f"{PAGE}demand.csv" in page
    assert f"{PAGE}demand.xlsx" in page
    assert client.get(f"{PAGE}demand.xlsx").status_code == 200
    assert client.get("/fleet/2026-03/demand.csv").status_code == 404


def test_an_imported_hour_moves_the_curve(used: Cast, logged_in, tmp_path) -> None:
    file = tmp_path / "told.csv"
    file.write_text(f"hour,workload,nodes\n{START.isoformat()},serving,9\n")
    import_trace(path=file, pool=pool_named(used.pool.name), as_of=START + timedelta(days=40))
    curve = rows_of(logged_in(used.analyst), "load-duration")
    assert (curve[-1]["node"], curve[-1]["demand_hours"]) == ("9", "1")
