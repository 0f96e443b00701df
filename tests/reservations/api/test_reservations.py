"""What programs see of reservations: the same rows as the list of the pages, and prices only for who may see them."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.models import PoolReservationRule, Reservation
from reservations.services.memberships import assign_reservations
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller, problem, token_of
from tests.reservations.holdings import NOW, holding

pytestmark = pytest.mark.django_db

FEE = {"upfront_fee": Decimal("1234567.125"), "upfront_fee_currency": "USD"}


@pytest.fixture
def held(cast: Cast) -> list[Reservation]:
    return [
        holding("cr-serve", pool=cast.pool, tags={"team": "=serving"}, **FEE),
        holding("cr-block", pool=cast.pool, kind="block", end_at=NOW + timedelta(days=900), zone_id="use1-az5"),
        holding("cr-arms", pool=cast.other, available_count=None, tags={"env": "lab"}),
        holding("cr-loose", total_count=None, gpus_per_instance=None),
    ]


def ids(response) -> list[str]:
    return [row["id"] for row in response.json()["rows"]]


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (
            {"team": 7, "on": True, "who": None, "why": "text"},
            {"team": "7", "on": "true", "who": "null", "why": "text"},
        ),
        ({"of": {"a": [1]}}, {"of": '{"a": [1]}'}),
        (["team"], {}),
        ("team", {}),
        (7, {}),
    ],
)
def test_tags_that_are_no_texts_are_told_as_texts_everywhere(
    stored: object, told: dict[str, str], cast: Cast, logged_in
) -> None:
    row = holding("cr-odd", pool=cast.pool, tags=stored)
    (seen,) = Caller(token_of(cast.analyst)).get("reservations").json()["rows"]
    assert seen["tags"] == told
    client = logged_in(cast.analyst)
    for address in ("/reservations/", "/reservations/reservations.csv", f"/reservations/{row.pk}/", "/search/?q=team"):
        assert client.get(address).status_code == 200
    PoolReservationRule.objects.create(pool=cast.pool, tag_key="team", value="other")
    assign_reservations(as_of=NOW)


def test_everybody_sees_the_reservations_of_their_teams(cast: Cast, held: list[Reservation]) -> None:
    assert sorted(ids(Caller(token_of(cast.analyst)).get("reservations"))) == [
        "cr-arms",
        "cr-block",
        "cr-loose",
        "cr-serve",
    ]
    assert sorted(ids(Caller(token_of(cast.viewer)).get("reservations"))) == ["cr-block", "cr-serve"]
    assert ids(Caller(token_of(cast.nobody)).get("reservations")) == []


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"id": "SERV"}, ["cr-serve"]),
        ({"owner": "robotics"}, ["cr-arms"]),
        ({"owner": "unowned"}, ["cr-loose"]),
        ({"state": "ended"}, []),
        ({"zone": "use1-az5"}, ["cr-block"]),
        ({"tag": "env=lab"}, ["cr-arms"]),
        ({"pool": "serve-h100", "zone": "use1-az4"}, ["cr-serve"]),
        ({"offset": 10_000_000}, []),
    ],
)
def test_each_filter_narrows_the_list(
    asked: dict[str, object], found: list[str], cast: Cast, held: list[Reservation]
) -> None:
    response = Caller(token_of(cast.analyst)).get("reservations", **asked)
    assert ids(response) == found
    assert response.json()["total"] == (4 if "offset" in asked else len(found))


def test_pages_of_the_list_put_together_are_the_list(cast: Cast, held: list[Reservation]) -> None:
    caller = Caller(token_of(cast.analyst))
    pages = [ids(caller.get("reservations", limit=1, offset=place)) for place in range(5)]
    assert [name for page in pages for name in page] == ids(caller.get("reservations"))
    assert pages[4] == []


@pytest.mark.parametrize(
    ("asked", "parameter"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 100_000}, "limit"),
        ({"offset": -1}, "offset"),
        ({"offset": 10**30}, "offset"),
        ({"limit": "ten"}, "limit"),
        ({"state": "lost"}, "state"),
        ({"owner": "a\0b"}, "owner"),
        ({"tag": "x" * 201}, "tag"),
    ],
)
def test_what_cannot_be_asked_is_told_by_its_parameter(
    asked: dict[str, object], parameter: str, cast: Cast, held: list[Reservation]
) -> None:
    response = Caller(token_of(cast.analyst)).get("reservations", **asked)
    assert response.status_code == 422
    assert [error["parameter"] for error in problem(response)["errors"]] == [parameter]


def test_one_reservation_is_found_by_its_id_and_by_its_arn(cast: Cast, held: list[Reservation]) -> None:
    caller = Caller(token_of(cast.analyst))
    for name in ("cr-serve", held[0].arn):
        told = caller.get(f"reservations/{name}").json()
        assert (told["id"], told["pool"], told["gpus"], told["tags"]) == (
            "cr-serve",
            "serve-h100",
            32,
            {"team": "=serving"},
        )


def test_unknown_is_null_and_not_zero(cast: Cast, held: list[Reservation]) -> None:
    told = Caller(token_of(cast.analyst)).get("reservations/cr-loose").json()
    assert (told["total_instances"], told["gpus"], told["pool"], told["owner"]) == (None, None, None, None)


def test_a_reservation_of_another_team_is_answered_as_one_that_does_not_exist(
    cast: Cast, held: list[Reservation]
) -> None:
    caller = Caller(token_of(cast.viewer))
    theirs, none = caller.get("reservations/cr-arms"), caller.get("reservations/cr-none")
    assert (theirs.status_code, none.status_code) == (404, 404)
    assert problem(theirs)["detail"].replace("cr-arms", "cr-none") == problem(none)["detail"]


def test_a_fee_is_told_with_all_its_digits_to_who_may_see_prices_and_to_nobody_else(
    cast: Cast, held: list[Reservation]
) -> None:
    for person, fee in ((cast.owner, "1234567.125"), (cast.viewer, "null")):
        response = Caller(token_of(person)).get("reservations/cr-serve")
        assert f'"upfront_fee": {fee},' in response.content.decode()


def test_a_list_takes_few_queries(cast: Cast, held: list[Reservation]) -> None:
    caller = Caller(token_of(cast.analyst))
    caller.get("reservations")
    with CaptureQueriesContext(connection) as queries:
        assert caller.get("reservations").status_code == 200
    assert len(queries) <= 10
