"""A Price List on 127.0.0.1 whose questions and answers are held against botocore's own model of the service."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import botocore.session
from botocore.validate import ParamValidator

MODEL = botocore.session.get_session().get_service_model("pricing")
OPERATION = MODEL.operation_model("GetProducts")
TARGET = f"{MODEL.metadata['targetPrefix']}.GetProducts"


def product(
    price: object = "98.3200000000", *, currency: str = "USD", sku: str = "ABC", **said: object
) -> dict[str, Any]:
    """One product as the list writes it: an ordinary Linux instance of p5.48xlarge in us-east-1."""
    attributes = {
        "instanceType": "p5.48xlarge", "regionCode": "us-east-1", "operatingSystem": "Linux", "tenancy": "Shared",
        "preInstalledSw": "NA", "capacitystatus": "Used", "marketoption": "OnDemand",
        "licenseModel": "No License required", **said,
    }  # fmt: skip
    dimension = {
        "unit": "Hrs", "beginRange": "0", "endRange": "Inf", "rateCode": f"{sku}.T.R", "appliesTo": [],
        "description": f"${price} per On Demand Linux p5.48xlarge Instance Hour", "pricePerUnit": {currency: price},
    }  # fmt: skip
    term = {
        "sku": sku, "offerTermCode": "T", "effectiveDate": "2026-05-01T00:00:00Z", "termAttributes": {},
        "priceDimensions": {f"{sku}.T.R": dimension},
    }  # fmt: skip
    return {
        "product": {"productFamily": "Compute Instance", "attributes": attributes, "sku": sku},
        "serviceCode": "AmazonEC2", "terms": {"OnDemand": {f"{sku}.T": term}}, "version": "1",
        "publicationDate": "2026-05-02T00:00:00Z",
    }  # fmt: skip


@dataclass
class World:
    """What the list holds: products are filtered as they are asked for, others (texts) come as they are."""

    products: Sequence[dict[str, Any] | str]
    a_page: int = 100
    refuses: tuple[int, str, str] | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(question)
        wanted = {one["Field"]: one["Value"] for one in question.get("Filters", ())}
        fits = [
            one
            for one in self.products
            if isinstance(one, str) or wanted.items() <= one["product"]["attributes"].items()
        ]
        start = int(question.get("NextToken", 0))
        page = [one if isinstance(one, str) else json.dumps(one) for one in fits[start : start + self.a_page]]
        told: dict[str, Any] = {"FormatVersion": "aws_v1", "PriceList": page}
        return told | ({"NextToken": str(start + self.a_page)} if start + self.a_page < len(fits) else {})


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["X-Amz-Target"] == TARGET
        problems = ParamValidator().validate(question, OPERATION.input_shape)
        assert not problems.has_errors(), problems.generate_report()
        if self.server.world.refuses:
            status, code, message = self.server.world.refuses
            return self._say(status, {"__type": code, "Message": message})
        told = self.server.world.answer(question)
        problems = ParamValidator().validate(told, OPERATION.output_shape)
        assert not problems.has_errors(), problems.generate_report()
        return self._say(200, told)

    def _say(self, status: int, told: dict[str, Any]) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", f"application/x-amz-json-{MODEL.metadata['jsonVersion']}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, world: World) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.world = world


@contextmanager
def price_list(world: World) -> Iterator[str]:
    """The address of a Price List that holds this world."""
    server = _Server(world)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
