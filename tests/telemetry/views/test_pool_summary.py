import re
from decimal import Decimal

import pytest

from telemetry.models import PoolHour
from tests.fixtures.cast import HOUR_MS, Cast
from tests.telemetry.views.pages import said

pytestmark = pytest.mark.django_db
PART = "/pools/serve-h100/2026-03/summary/"
STACKED = ["busy, owner", "busy, borrower", "idle, held", "idle, free", "no telemetry", "not launched"]


def test_one_bar_holds_all_that_was_reserved_in_the_order_of_the_stacked_hours(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    response = logged_in(cast.owner).get(PART)
    bar = re.findall(r'<rect class="fill-\w+" x="([\d.]+)%" width="([\d.]+)%"', response.text)
    assert len(bar) > 2
    assert abs(sum(Decimal(width) for _, width in bar) - 100) < Decimal("0.1")
    assert [Decimal(x) for x, _ in bar] == sorted(Decimal(x) for x, _ in bar)
    words = said(response)
    places = [words.index(label) for label in STACKED if label in words]
    assert len(places) > 2
    assert places == sorted(places)
    reserved = sum(hour.reserved for hour in collected) / Decimal(HOUR_MS)
    assert "reserved What the active reservations of the pool promised" in words
    assert f"{reserved:.0f}" in words.replace(" ", "")


def test_a_month_without_hours_says_so_and_leads_to_its_page(cast: Cast, logged_in) -> None:
    response = logged_in(cast.owner).get(PART)
    assert "No hour of March 2026 has been collected yet." in said(response)
    assert 'href="/pools/serve-h100/2026-03/"' in response.text


@pytest.mark.parametrize("who", ["outsider", "nobody"])
def test_who_may_not_see_the_pool_gets_nothing_of_its_month(
    who: str, cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    response = logged_in(getattr(cast, who)).get(PART)
    assert response.status_code == 404
    assert "one-bar" not in response.text
