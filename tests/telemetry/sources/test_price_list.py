"""The real client against an answer built from the service's model: one price, or one sentence that says why not."""

from decimal import Decimal

import pytest

from telemetry.domain.price_offer import PriceOffer, PriceQuestion, UnableToFetchPrice
from telemetry.sources.price_list import FILTERS, fetch, pricing_client
from tests.telemetry.sources.ec2_world import real_client
from tests.telemetry.sources.price_list_world import World, price_list, product


@pytest.fixture(autouse=True)
def client_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)


def fetched(world: World, shape: str = "p5.48xlarge", region: str = "us-east-1") -> PriceOffer:
    with price_list(world) as url:
        question = PriceQuestion(shape, region, url)
        return fetch(question, session=pricing_client(question))


def refused(world: World, **asked: str) -> str:
    with pytest.raises(UnableToFetchPrice) as raised:
        fetched(world, **asked)
    return str(raised.value)


def test_the_price_of_a_type_in_a_region_is_asked_for_by_every_filter_that_makes_it_one() -> None:
    others = [
        product("0.00", capacitystatus="AllocatedCapacityReservation"),
        product("31.46", marketoption="CapacityBlock"),
        product("120", operatingSystem="Windows"),
        product("98.4", regionCode="us-west-2"),
        product("55", instanceType="p5.4xlarge"),
    ]
    world = World([*others, product()])
    offer = fetched(world)
    assert (offer.on_demand, offer.currency, offer.sku) == (Decimal("98.32"), "USD", "ABC")
    assert "per On Demand Linux p5.48xlarge" in offer.described
    assert offer.effective_from == "2026-05-01T00:00:00Z"
    (asked,) = world.asked
    assert asked["ServiceCode"] == "AmazonEC2"
    assert {one["Field"]: one["Value"] for one in asked["Filters"]} == {
        "instanceType": "p5.48xlarge", "regionCode": "us-east-1", **FILTERS,
    }  # fmt: skip
    assert {one["Type"] for one in asked["Filters"]} == {"TERM_MATCH"}


def test_a_price_on_the_last_page_is_found_and_the_same_price_twice_is_one() -> None:
    world = World([product("98.32", sku=f"S{number}") for number in range(5)], a_page=2)
    assert fetched(world).sku == "S0"
    assert [one.get("NextToken") for one in world.asked] == [None, "2", "4"]


@pytest.mark.parametrize(
    ("products", "said"),
    [
        ([], "the AWS Price List has no on-demand price of p5.48xlarge in us-east-1: check both names"),
        ([product("98.32"), product("99", sku="B")], "has several prices of p5.48xlarge: 98.32 USD, 99 USD"),
        ([product("0.0000000000")], "gave the price “0.0000000000”, which is none"),
        ([product("-3")], "gave the price “-3”, which is none"),
        ([product("NaN")], "gave the price “NaN”, which is none"),
        (["{no json"], "gave a product that is not JSON"),
        (["[]"], "gave a product that is not JSON"),
        (["{}"], "has no on-demand price"),
        (['{"product": 3, "terms": []}'], "has no on-demand price"),
    ],
)
def test_anything_but_one_price_is_told_in_a_sentence(products: list, said: str) -> None:
    assert said in refused(World(products))


@pytest.mark.parametrize(
    ("refuses", "said"),
    [
        ((400, "AccessDeniedException", "no"), "pricing:GetProducts is not allowed (AccessDeniedException)"),
        ((400, "InvalidParameterException", "bad field"), "answered InvalidParameterException: bad field"),
        ((500, "InternalErrorException", "later"), "answered InternalErrorException: later"),
    ],
)
def test_what_the_service_refuses_is_told(refuses: tuple[int, str, str], said: str) -> None:
    assert said in refused(World([], refuses=refuses))


def test_nobody_answering_and_no_address_are_told() -> None:
    question = PriceQuestion("p5.48xlarge", "us-east-1", "http://127.0.0.1:9")
    with pytest.raises(UnableToFetchPrice, match="cannot be asked"):
        fetch(question, session=pricing_client(question))
    with pytest.raises(UnableToFetchPrice, match="is not an address"):
        pricing_client(PriceQuestion("p5.48xlarge", "us-east-1", "nowhere"))


@pytest.mark.parametrize(
    ("region", "asked"), [("eu-west-1", "eu-central-1"), ("ap-south-1", "ap-south-1"), ("us-west-2", "us-east-1")]
)
def test_one_of_the_three_regions_that_answer_is_asked(region: str, asked: str) -> None:
    assert pricing_client(PriceQuestion("p5.48xlarge", region)).meta.region_name == asked
