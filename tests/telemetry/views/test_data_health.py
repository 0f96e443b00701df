from datetime import timedelta

import pytest
from django.utils import timezone

from reservations.models import SyncRun
from telemetry.models import CollectionRun, MetricsSource, PoolHour, PoolSource
from tests.fixtures.cast import Cast
from tests.telemetry.views.test_month import text

pytestmark = pytest.mark.django_db
PAGE = "/health/data/"


@pytest.fixture
def recent(collected: list[PoolHour]) -> list[PoolHour]:
    """The same hours and tries, moved so that the last of them has just ended."""
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    shift = now - timedelta(hours=1) - collected[-1].hour
    for row in collected:
        row.hour += shift
    PoolHour.objects.bulk_update(collected, ["hour"])
    CollectionRun.objects.update(hour=now - timedelta(hours=1), read_at=now)
    return collected


def test_a_source_shows_how_far_it_reaches_and_what_it_got_wrong(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.owner).get(PAGE))
    assert "prod-a prometheus" in page
    assert "failing" in page
    assert "prod-a answered 503." in page


def test_a_flagged_hour_says_its_sentence(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.owner).get(PAGE))
    assert "no_pod_labels The exporter gives no pod labels." in page


def test_flagged_hours_in_a_row_are_one_line(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    for row in recent[-5:]:
        row.flags, row.notes = ["low_coverage"], {"low_coverage": "Half of the devices were silent."}
    PoolHour.objects.bulk_update(recent[-5:], ["flags", "notes"])
    page = logged_in(cast.owner).get(PAGE).content.decode()
    assert page.count("low_coverage") == 1
    assert '<td data-label="hours" class="number">5</td>' in page


def test_an_outsider_sees_nothing_of_other_teams(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.outsider).get(PAGE))
    assert "serve-h100" not in page
    assert "prod-a" not in page
    assert "no_pod_labels" not in page


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
    assert "arms" not in text(client.get(PAGE))
    assert "arms: no" in text(logged_in(cast.analyst).get(PAGE))


def test_a_failed_listing_and_a_degraded_one_are_said(cast: Cast, recent: list[PoolHour], logged_in) -> None:
    now = timezone.now()
    sync = SyncRun.objects.get()
    SyncRun.objects.create(
        account=sync.account,
        region="us-east-1",
        as_of=now,
        finished_at=now,
        complete=False,
        error_code="UnauthorizedOperation",
        error="The role may not list reservations in us-east-1.",
    )
    page = text(logged_in(cast.analyst).get(PAGE))
    assert "The role may not list reservations in us-east-1." in page


def test_without_a_role_the_page_says_so(cast: Cast, logged_in) -> None:
    assert "nobody has granted you a role" in text(logged_in(cast.nobody).get(PAGE))


def test_without_an_account_it_says_that_nothing_is_read_and_promises_no_other_way(cast: Cast, logged_in) -> None:
    page = text(logged_in(cast.analyst).get(PAGE))
    assert "No account is configured, so no reservation is read." in page
    assert "by hand" not in page
