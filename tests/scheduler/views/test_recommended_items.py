"""Open recommendations stand on the front page until somebody decides, with their money for those who see prices."""

from datetime import UTC, datetime

import pytest

from scheduler.domain.recommendation.standing import Standing
from scheduler.services.recommendations import decide_on
from tests.fixtures.cast import Cast
from tests.scheduler.front_page import sheet
from tests.scheduler.recommended import AS_OF, recommended

pytestmark = pytest.mark.django_db


def items(client) -> list[dict[str, str]]:
    return [row for row in sheet(client, "items") if row["kind"] == "recommended"]


def test_an_open_change_is_an_item_until_it_is_decided(cast: Cast, logged_in) -> None:
    made = recommended(cast.pool)
    client = logged_in(cast.analyst)
    (row,) = items(client)
    amount = f"{abs(made.saving):,.0f}".replace(",", "\u202f")
    assert row["sentence"] == f"shrink from 16 to 14 nodes, which saves {amount}\u202fUSD a month"
    assert (row["object"], row["cause"], row["next_step"]) == ("serve-h100", made.reasons[0], "Decide")
    assert row["money_a_week"] == ""
    assert f"/recommendations/{made.pk}/" in client.get("/").content.decode()
    decide_on(pk=made.pk, to=Standing.ACCEPTED, reason="", user_id=None, user_name="ada", at=AS_OF)
    assert items(client) == []


def test_a_viewer_reads_it_without_its_money_and_others_not_at_all(cast: Cast, logged_in) -> None:
    recommended(cast.pool)
    (row,) = items(logged_in(cast.viewer))
    assert row["sentence"] == "shrink from 16 to 14 nodes; your role does not include prices"
    assert items(logged_in(cast.outsider)) == []


def test_what_changes_nothing_is_no_item(cast: Cast, logged_in) -> None:
    recommended(cast.pool, nodes=14, as_of=datetime(2026, 4, 2, tzinfo=UTC))
    assert items(logged_in(cast.analyst)) == []
