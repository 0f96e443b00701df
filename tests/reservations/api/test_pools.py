"""The pools a caller may see."""

import pytest

from reservations.models import Pool
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller, problem, token_of

pytestmark = pytest.mark.django_db


def test_a_pool_is_told_with_who_may_see_it(cast: Cast) -> None:
    assert Caller(token_of(cast.borrower)).get("pools/serve-h100").json() == {
        "name": "serve-h100",
        "owner": "serving",
        "instance_type": "p5.48xlarge",
        "gpus_per_node": 8,
        "teams": ["research", "serving"],
    }


def test_a_pool_of_another_team_is_answered_as_one_that_does_not_exist(cast: Cast) -> None:
    caller = Caller(token_of(cast.owner))
    for path in ("pools/{}", "pools/{}/months/2026-03"):
        theirs, none = caller.get(path.format("arms")), caller.get(path.format("legs"))
        assert (theirs.status_code, none.status_code) == (404, 404)
        assert problem(theirs)["detail"].replace("arms", "legs") == problem(none)["detail"]
    assert caller.get("usage", month="2026-03", pool="arms").status_code == 404


def test_a_pool_whose_name_has_a_slash_is_reached_by_its_escaped_name(cast: Cast) -> None:
    Pool.objects.filter(pk=cast.pool.pk).update(name="eu/serve h100")
    caller = Caller(token_of(cast.owner))
    assert caller.get("pools/eu%2Fserve%20h100").json()["name"] == "eu/serve h100"
    assert caller.get("pools/eu%2Fserve%20h100/months/2026-03").json()["pool"] == "eu/serve h100"


def test_pages_hold_what_fits_and_say_how_much_there_is(cast: Cast) -> None:
    caller = Caller(token_of(cast.analyst))
    told = caller.get("pools", limit=1, offset=1).json()
    assert ([row["name"] for row in told["rows"]], told["total"], told["limit"], told["offset"]) == (
        ["serve-h100"],
        2,
        1,
        1,
    )
    assert caller.get("pools", offset=5000).json()["rows"] == []
