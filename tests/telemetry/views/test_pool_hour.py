import csv
import io
import re
from datetime import timedelta

import pytest

from reservations.models import Organisation, Pool
from telemetry.models import HeldPod, HourNode, HourPod, PoolHour, PoolHourQueue
from tests.fixtures.cast import HOUR_MS, MISSING, MONTH, SPLIT_UNKNOWN, Cast
from tests.telemetry.views.test_month import text

pytestmark = pytest.mark.django_db
HOURS = "/pools/serve-h100/hours/"


def address(place: int) -> str:
    return f"{HOURS}{MONTH + timedelta(hours=place):%Y-%m-%dT%H}/"


@pytest.fixture
def detailed(collected: list[PoolHour]) -> PoolHour:
    """The hour from 10:00 of the 1st with a node, two teams' pods and their queues."""
    hour = collected[10]
    HourNode.objects.create(
        pool_hour=hour, node="node-a", expected=8 * HOUR_MS, known=8 * HOUR_MS, busy=3 * HOUR_MS,
        idle_held=HOUR_MS, idle_free=4 * HOUR_MS,
    )  # fmt: skip
    for place, team in enumerate(("serving", "research")):
        pod = HeldPod.objects.create(pool_id=hour.pool_id, namespace=team, name=f"{team}-0", uid=f"uid-{team}")
        busy = {"owner_busy": HOUR_MS, "borrower_busy": 0, "unmanaged_busy": 0, "unattributed_busy": 0}
        HourPod.objects.create(
            pool_hour=hour, pod=pod, pool_id=hour.pool_id, hour=hour.hour, cluster_queue=f"cq-{team}", team=team,
            idle_held=place * HOUR_MS, allocated=2 * HOUR_MS, idle_from=hour.hour, **busy,
        )  # fmt: skip
        PoolHourQueue.objects.create(
            pool_hour=hour, cluster_queue=f"cq-{team}", team=team, workload="serving", allocated=2 * HOUR_MS, **busy
        )
    return hour


def test_an_hour_says_where_it_comes_from_and_what_became_of_it(cast: Cast, detailed: PoolHour, logged_in) -> None:
    page = text(logged_in(cast.owner).get(address(10)))
    assert "serve-h100, 1 Mar 2026, 10:00–11:00" in page
    assert "Computed from prod-a, read 1 Mar 2026, 11:05 UTC" in page
    assert "node-a" in page
    assert page.index("research-0") < page.index("serving-0")


def test_doubts_of_an_hour_are_said_in_their_sentences(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.owner).get(address(SPLIT_UNKNOWN)))
    assert "The exporter gives no pod labels. no_pod_labels" in page
    assert "yet: it is read again a day after it ended" in text(logged_in(cast.owner).get(address(110)))


def test_a_team_sees_its_own_queues_and_pods_and_a_way_back(cast: Cast, detailed: PoolHour, logged_in) -> None:
    response = logged_in(cast.owner).get(f"{address(10)}?owner=research&step=idle_held")
    page = response.content.decode()
    assert "research-0" in page
    assert "serving-0" not in page
    assert 'href="?step=idle_held"' in page
    crumbs = re.search(r'aria-label="Breadcrumbs">(.*?)</nav>', page, re.S)[1]
    links = re.findall(r'href="([^"]+)"', crumbs)
    assert links == [
        "/fleet/2026-03/?step=idle_held",  # research owns no pool that all pools could be narrowed to
        "/pools/serve-h100/2026-03/?owner=research&amp;step=idle_held",
        "/pools/serve-h100/2026-03/?owner=research&amp;step=idle_held&amp;day=2026-03-01#hours",
    ]
    rows = logged_in(cast.owner).get(f"{address(10)}pods.csv?owner=research").content.decode()
    assert "research-0" in rows
    assert "serving-0" not in rows


def test_the_way_from_a_month_to_an_hour_keeps_the_filters(cast: Cast, detailed: PoolHour, logged_in) -> None:
    client = logged_in(cast.owner)
    fleet = client.get("/fleet/2026-03/?owner=serving&zone=Asia/Kolkata").content.decode()
    month = re.search(r'href="(/pools/serve-h100/2026-03/\?[^"#]*)"', fleet)[1].replace("&amp;", "&")
    day = re.search(r'href="([^"]*day=2026-03-01[^"]*)#hours"', client.get(month).content.decode())[1]
    hour = re.search(
        r'href="([^"]*hours/2026-03-01T10/[^"]*)"', client.get(day.replace("&amp;", "&")).content.decode()
    )[1].replace("&amp;", "&")
    assert client.get(hour).status_code == 200
    assert "owner=serving" in hour
    assert "zone=Asia/Kolkata" in hour
    assert "day=2026-03-01" in hour


def test_the_sheets_of_an_hour_are_its_tables(cast: Cast, detailed: PoolHour, logged_in) -> None:
    client = logged_in(cast.owner)
    for name, first in (("nodes", "node-a"), ("pods", "research-0"), ("queues", "cq-research")):
        rows = list(csv.reader(io.StringIO(client.get(f"{address(10)}{name}.csv").content.decode())))
        assert rows[1][0] == first
        assert client.get(f"{address(10)}{name}.xlsx").status_code == 200


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"expected": None}, "Nobody told which nodes were there"),
        ({"expected": 0}, "No node of this pool had joined the cluster"),
        ({}, "put into the ledger without its nodes and pods"),
    ],
)
def test_an_hour_without_nodes_says_why(
    given: dict, why: str, cast: Cast, collected: list[PoolHour], logged_in, settings
) -> None:
    settings.HOUR_DETAILS_DAYS = 100_000
    PoolHour.objects.filter(pk=collected[10].pk).update(**given)
    assert why in text(logged_in(cast.owner).get(address(10)))


def test_an_old_hour_says_how_long_its_nodes_were_kept(
    cast: Cast, collected: list[PoolHour], logged_in, settings
) -> None:
    settings.HOUR_DETAILS_DAYS = 30
    page = text(logged_in(cast.owner).get(address(10)))
    assert "Nodes and pods are kept for 30 days, and this hour is older." in page


def test_an_hour_nobody_collected_is_unknown_and_not_zero(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(address(min(MISSING)))
    assert response.status_code == 200
    assert "This hour was not collected. That is not zero use" in text(response)


def test_an_hour_of_another_teams_pool_is_as_if_it_were_not_there(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    client = logged_in(cast.outsider)
    hidden, absent = client.get(address(10)), client.get(address(10).replace("serve-h100", "no-such-pool"))
    assert hidden.status_code == absent.status_code == 404
    assert text(hidden).replace("serve-h100", "no-such-pool") == text(absent)
    assert client.get(f"{address(10)}pods.csv").status_code == 404


@pytest.mark.parametrize(
    ("hour", "status", "words"),
    [
        ("2026-03-01", 400, "is not an hour"),
        ("2026-03-01T24", 400, "is not an hour"),
        ("2026-02-30T10", 400, "is not an hour"),
        ("2026-03-01T10:00", 400, "is not an hour"),
        ("٢٠٢٦-٠٣-٠١T10", 400, "is not an hour"),
        ("2199-01-01T10", 404, "is not over"),
        ("9999-12-31T23", 404, "has not begun"),
        ("1969-01-01T10", 404, "no earlier than"),
        ("x" * 500, 400, "is not an hour"),
    ],
)
def test_an_hour_that_cannot_be_shown_gets_a_plain_page(
    hour: str, status: int, words: str, cast: Cast, logged_in
) -> None:
    response = logged_in(cast.owner).get(f"{HOURS}{hour}/")
    assert response.status_code == status
    assert words in text(response)


def test_prices_of_an_hour_are_for_those_who_may_see_them(cast: Cast, detailed: PoolHour, logged_in) -> None:
    assert "USD" in text(logged_in(cast.owner).get(address(10)))
    page = text(logged_in(cast.viewer).get(address(10)))
    assert "USD" not in page
    assert "Without money: your role does not include prices." in page


def test_an_hour_stands_on_the_day_of_the_accounting_zone(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    Organisation.objects.create(id=1, accounting_zone="Asia/Kolkata")
    page = text(logged_in(cast.owner).get(address(20)))
    assert "serve-h100, 2 Mar 2026, 01:30–02:30" in page


def test_a_pool_with_a_slash_in_its_name_has_hours(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    Pool.objects.filter(pk=cast.pool.pk).update(name="a/b")
    page = logged_in(cast.owner).get("/pools/a%252Fb/2026-03/?day=2026-03-01").content.decode()
    hour = re.search(r'href="([^"]*hours/2026-03-01T10/[^"]*)"', page)[1]
    assert logged_in(cast.owner).get(hour).status_code == 200


def test_the_way_up_from_a_borrowers_part_leads_to_all_pools(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.analyst)
    for owner, left in (("research", ""), ("serving", "?owner=serving")):
        page = client.get(f"/pools/serve-h100/hours/2026-03-03T13/?owner={owner}").content.decode()
        assert f'href="/fleet/2026-03/{left}"' in page
        assert client.get(f"/fleet/2026-03/{left}").status_code == 200
