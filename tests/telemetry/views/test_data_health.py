from datetime import timedelta

import pytest
from django.utils import timezone

from reservations.models import Pool, SyncRun
from telemetry.models import CollectionRun, HourSuspect, MetricsSource, PoolHour, PoolSource
from telemetry.services.days import refresh_days
from tests.fixtures.cast import Cast
from tests.telemetry.views.pages import said

pytestmark = pytest.mark.django_db
PAGE = "/health/data/"
HOURS = "/health/data/?see=hours"
PARTS = [PAGE, HOURS, "/health/data/?see=suspects", "/health/data/?see=collection"]


@pytest.fixture
def recent(collected: list[PoolHour]) -> list[PoolHour]:
    """The same hours and tries, moved so that the last of them has just ended."""
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    shift = now - timedelta(hours=1) - collected[-1].hour
    for row in collected:
        row.hour += shift
    PoolHour.objects.bulk_update(collected, ["hour"])
    CollectionRun.objects.update(hour=now - timedelta(hours=1), read_at=now)
    refresh_days(pool_id=collected[0].pool_id, hours=[row.hour for row in collected])
    return collected


def test_a_source_shows_how_far_it_reaches_and_in_plain_words_what_it_got_wrong(
    cast: Cast, recent: list[PoolHour], logged_in
) -> None:
    message = "source “prod-a” at http://127.0.0.1:9090 is down or the address is wrong: nothing takes the connection"
    CollectionRun.objects.update(message=message)
    page = said(logged_in(cast.owner).get(PAGE))
    assert "prod-a prometheus failing" in page
    assert "nobody there" in page
    assert "Nothing answers at that address" in page
    assert message in page


def test_a_day_of_the_calendar_says_its_share_and_leads_to_its_hours(
    cast: Cast, recent: list[PoolHour], logged_in
) -> None:
    page = logged_in(cast.owner).get(PAGE).content.decode()
    yesterday = (timezone.now() - timedelta(days=1)).date()
    assert f'href="/pools/serve-h100/{yesterday:%Y-%m}/?day={yesterday}"' in page
    assert 'class="cover cover-whole' in page
    assert 'class="cover cover-not_collected"' in page


def test_the_months_of_one_pool_come_with_their_table(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}?pool=serve-h100")
    assert response.content.decode().count('class="month-grid"') == 3
    assert "Coverage by day, serve-h100" in said(response)
    assert "under 50 % known" in said(response)


def test_pools_are_shown_a_page_at_a_time(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    made = [Pool(name=f"p-{n:03}", owner=cast.pool.owner, instance_type="p5", gpus_per_node=8) for n in range(45)]
    Pool.objects.bulk_create(made)
    client = logged_in(cast.analyst)
    assert "Page 1 of 3" in said(client.get(PAGE))
    assert "serve-h100" in said(client.get(f"{PAGE}?page=3"))
    assert client.get(f"{PAGE}?page=4").status_code == 404


def test_a_flagged_hour_says_its_sentence_and_leads_to_itself(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(HOURS)
    assert "no_pod_labels The exporter gives no pod labels." in said(response)
    flagged = next(row for row in recent if row.flags)
    assert f'href="/pools/serve-h100/hours/{flagged.hour:%Y-%m-%dT%H}/"' in response.content.decode()


def test_flagged_hours_in_a_row_are_one_line(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    for row in recent[-5:]:
        row.flags, row.notes = ["low_coverage"], {"low_coverage": "Half of the devices were silent."}
    PoolHour.objects.bulk_update(recent[-5:], ["flags", "notes"])
    page = logged_in(cast.owner).get(HOURS).content.decode()
    assert page.count("<code>low_coverage</code>") == 1
    assert '<td data-label="hours" class="number">5</td>' in page


def test_missing_hours_and_hours_that_should_be_final_stand_beside_the_flagged(
    cast: Cast, recent: list[PoolHour], logged_in
) -> None:
    PoolHour.objects.filter(pk=recent[10].pk).update(final=False)
    refresh_days(pool_id=recent[10].pool_id, hours=[recent[10].hour])
    page = said(logged_in(cast.owner).get(HOURS))
    assert "due and never collected" in page
    assert "more than a day old and not final" in page
    only = said(logged_in(cast.owner).get(f"{HOURS}&flag=missing"))
    assert "due and never collected" in only
    assert "The exporter gives no pod labels." not in only


def test_a_suspect_device_says_since_when(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    for row in recent[-3:]:
        HourSuspect.objects.create(pool_hour=row, node="node-7", uuid="GPU-1", what="frozen", why="0.42 for 50 min")
    response = logged_in(cast.owner).get("/health/data/?see=suspects")
    page = said(response)
    assert "node-7 GPU-1 one value for a long time" in page
    assert '<td data-label="hours" class="number">3</td>' in response.content.decode()


@pytest.mark.parametrize("address", PARTS)
def test_an_outsider_sees_nothing_of_other_teams(address: str, cast: Cast, recent: list[PoolHour], logged_in) -> None:
    HourSuspect.objects.create(pool_hour=recent[-1], node="node-7", uuid="GPU-1", what="frozen", why="0.42")
    page = said(logged_in(cast.outsider).get(address))
    for word in ("serve-h100", "prod-a", "no_pod_labels", "node-7"):
        assert word not in page


@pytest.mark.parametrize("address", PARTS)
def test_another_team_s_pool_is_no_pool(address: str, cast: Cast, recent: list[PoolHour], logged_in) -> None:
    joined = "&" if "?" in address else "?"
    there = logged_in(cast.outsider).get(f"{address}{joined}pool=serve-h100")
    absent = logged_in(cast.outsider).get(f"{address}{joined}pool=never-h100")
    assert (there.status_code, absent.status_code) == (404, 404)
    assert said(there).replace("serve-h100", "never-h100") == said(absent)


def test_an_error_that_concerns_other_teams_too_is_kept_from_one_team(
    cast: Cast, recent: list[PoolHour], logged_in
) -> None:
    PoolSource.objects.create(pool=cast.other, source=MetricsSource.objects.get())
    CollectionRun.objects.create(
        pool=cast.other,
        source="prod-a",
        hour=recent[0].hour,
        read_at=timezone.now(),
        status="failed",
        message="arms: no",
    )
    client = logged_in(cast.owner)
    assert "arms" not in said(client.get(PAGE))
    assert "arms" not in client.get("/health/data/sources.csv").content.decode()
    assert "arms: no" in said(logged_in(cast.analyst).get(PAGE))


def test_a_failed_listing_is_said(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    now = timezone.now()
    sync = SyncRun.objects.get()
    SyncRun.objects.create(
        account=sync.account,
        region="us-east-1",
        as_of=now,
        finished_at=now,
        complete=False,
        error_code="UnauthorizedOperation",
        error="ec2:DescribeCapacityReservations is not allowed (UnauthorizedOperation): add it to the policy",
    )
    page = said(logged_in(cast.analyst).get(PAGE))
    assert "permission missing" in page
    assert "ec2:DescribeCapacityReservations is not allowed" in page


@pytest.mark.parametrize("address", PARTS)
def test_without_a_role_the_page_says_so(address: str, cast: Cast, logged_in) -> None:
    assert "nobody has granted you a role" in said(logged_in(cast.nobody).get(address))


def test_without_an_account_it_says_that_nothing_is_read_and_what_to_do(cast: Cast, logged_in) -> None:
    page = said(logged_in(cast.analyst).get(PAGE))
    assert "No account is configured, so no reservation is read." in page
    assert "No metrics source serves these pools" in page
    assert "apply_config FILE" in page


def test_an_empty_database_says_what_to_do_in_every_part(cast: Cast, logged_in) -> None:
    PoolHour.objects.all().delete()
    client = logged_in(cast.analyst)
    for address in PARTS:
        assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("?see=nothing", 404),
        ("?see=hours&days=4000", 400),
        ("?see=hours&page=0", 400),
        ("?see=hours&page=%C2%B2", 400),
        ("?see=hours&page=99999999999999999999", 400),
        ("?see=hours&page=7", 404),
        ("?see=suspects&page=7", 404),
        ("?see=collection&page=7", 404),
        ("?pool=no%00pe", 404),
        ("?see=hours&flag=%00%27%22%3Cb%3E", 200),
    ],
)
def test_a_question_that_makes_no_sense_gets_a_page_that_says_so(
    asked: str, status: int, cast: Cast, recent: list[PoolHour], logged_in
) -> None:
    response = logged_in(cast.analyst).get(f"{PAGE}{asked}")
    assert response.status_code == status
    assert "<b>" not in response.content.decode()
