"""The AWS Price List: what an instance type costs on demand in a region, by GetProducts (docs/prices.md)."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, PartialCredentialsError

from telemetry.domain.price_offer import PriceOffer, PriceQuestion, UnableToFetchPrice

SERVICE = "AmazonEC2"
CONFIG = Config(retries={"mode": "standard", "total_max_attempts": 3}, connect_timeout=5, read_timeout=30)
FILTERS = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "marketoption": "OnDemand",
    "licenseModel": "No License required",
}
"""Without each of these the same type is listed many times: other systems, hosts, unused reservations, blocks."""

MOST_PAGES = 20


def pricing_client(question: PriceQuestion) -> Any:
    """A client of the Price List, which answers in three regions only: that nearest to the question's."""
    try:
        return boto3.Session().client(
            "pricing",
            region_name=_endpoint_region(question.region),
            endpoint_url=question.endpoint_url or None,
            config=CONFIG,
        )
    except ValueError as error:
        raise UnableToFetchPrice(f"“{question.endpoint_url}” is not an address: begin it with http://") from error


def fetch(question: PriceQuestion, *, session: Any) -> PriceOffer:
    """The one on-demand price of a type in a region, ``session`` being the client; UnableToFetchPrice otherwise."""
    filters = {"instanceType": question.shape, "regionCode": question.region, **FILTERS}
    offers = {offer for item in _items(session, filters) for offer in _offers(item, question)}
    if not offers:
        raise UnableToFetchPrice(
            f"the AWS Price List has no on-demand price of {question.shape} in {question.region}: check both names"
        )
    prices = {(offer.on_demand, offer.currency) for offer in offers}
    if len(prices) > 1:
        told = ", ".join(f"{price:f} {currency}" for price, currency in sorted(prices))
        raise UnableToFetchPrice(f"the AWS Price List has several prices of {question.shape}: {told}")
    return min(offers, key=lambda offer: offer.sku)


def _endpoint_region(region: str) -> str:
    return {"eu": "eu-central-1", "me": "eu-central-1", "af": "eu-central-1", "ap": "ap-south-1"}.get(
        region.partition("-")[0], "us-east-1"
    )


def _items(client: Any, filters: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Every product that fits, page by page; each comes as JSON within the JSON."""
    asked = [{"Type": "TERM_MATCH", "Field": name, "Value": value} for name, value in filters.items()]
    paginator = client.get_paginator("get_products")
    try:
        for number, page in enumerate(paginator.paginate(ServiceCode=SERVICE, Filters=asked, FormatVersion="aws_v1")):
            if number >= MOST_PAGES:
                raise UnableToFetchPrice(f"the AWS Price List gave more than {MOST_PAGES} pages for one type")
            for text in page.get("PriceList", ()):
                yield _item(text)
    except (NoCredentialsError, PartialCredentialsError) as error:
        said = "there are no AWS credentials to ask with: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile"
        raise UnableToFetchPrice(said) from error
    except ClientError as error:
        raise UnableToFetchPrice(_refused(error)) from error
    except BotoCoreError as error:
        raise UnableToFetchPrice(f"the AWS Price List cannot be asked: {' '.join(str(error).split())}") from error


def _refused(error: ClientError) -> str:
    said = error.response.get("Error", {})
    code, message = said.get("Code") or "Unknown", " ".join(str(said.get("Message") or "").split())
    if code in {"AccessDeniedException", "AccessDenied", "UnauthorizedOperation"}:
        return f"pricing:GetProducts is not allowed ({code}): add it to the policy of these credentials"
    return f"the AWS Price List answered {code}: {message}" if message else f"the AWS Price List answered {code}"


def _item(text: object) -> dict[str, Any]:
    try:
        item = json.loads(str(text))
    except ValueError:
        item = None
    if not isinstance(item, dict):
        raise UnableToFetchPrice("the AWS Price List gave a product that is not JSON: nothing of it is taken")
    return item


def _offers(item: Mapping[str, Any], question: PriceQuestion) -> Iterator[PriceOffer]:
    """Each hourly on-demand price of a product; a product of another type or region is none of ours."""
    product = _table(item.get("product"))
    attributes = _table(product.get("attributes"))
    if (attributes.get("instanceType"), attributes.get("regionCode")) != (question.shape, question.region):
        return
    for term in _tables(_table(item.get("terms")).get("OnDemand")):
        for dimension in _tables(term.get("priceDimensions")):
            if dimension.get("unit") not in {"Hrs", "Hours"}:
                continue
            for currency, amount in _table(dimension.get("pricePerUnit")).items():
                yield PriceOffer(
                    shape=question.shape,
                    region=question.region,
                    on_demand=_price(amount),
                    currency=str(currency),
                    sku=str(product.get("sku", "")),
                    described=str(dimension.get("description", "")),
                    effective_from=str(term.get("effectiveDate", "")),
                )


def _price(amount: object) -> Decimal:
    text = str(amount)
    if not re.fullmatch(r"\d{1,10}(\.\d{1,12})?", text, re.ASCII) or not (price := Decimal(text).normalize()):
        raise UnableToFetchPrice(f"the AWS Price List gave the price “{text[:40]}”, which is none")
    return price


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _tables(value: object) -> Iterable[dict[str, Any]]:
    return [one for one in _table(value).values() if isinstance(one, dict)]
