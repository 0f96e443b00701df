"""EC2's and STS's query interface over plain HTTP on 127.0.0.1, for tests and the demo: the client is the real one."""

import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl

from telemetry.sources.synthetic.endpoint_calls import Call, Refused, RegionWorld, WorldSource, answer
from telemetry.sources.synthetic.endpoint_xml import error_xml

CREDENTIAL = re.compile(r"Credential=(?P<key>[^/]+)/\d{8}/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request")

NO_SUCH_KEY = b"<Error><Code>NoSuchKey</Code><Message>The demo keeps nothing there.</Message></Error>"


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one call: wait, then drop the connection, send ``body``, an error, or (neither) answer."""

    seconds: float = 0
    drop: bool = False
    status: int = 200
    code: str = ""
    message: str = "scripted"
    body: bytes | None = None


@dataclass(slots=True)
class Endpoint:
    """What is served. ``page_sizes``: entries on the first pages of a list, 0 for an empty page that has a token.

    ``external_ids``: role ARN → the external id its trust policy asks for. ``calls`` keeps the last that were asked.
    ``stored``: the object at a path of S3; None where there is none.
    """

    world: WorldSource
    external_ids: Mapping[str, str] = field(default_factory=dict)
    page_sizes: tuple[int, ...] = ()
    fault: Callable[[Call], Fault | None] | None = None
    calls: deque[Call] = field(default_factory=lambda: deque(maxlen=10_000))
    stored: Callable[[str], bytes | None] = lambda path: None

    def reply(self, call: Call) -> tuple[int, bytes] | None:
        """Status and body; None to hang up."""
        self.calls.append(call)
        fault = self.fault(call) if self.fault else None
        if fault:
            time.sleep(fault.seconds)
            if fault.drop:
                return None
            if fault.body is not None:
                return fault.status, fault.body
            if fault.code:
                return fault.status, error_xml(call.service, fault.code, fault.message)
        try:
            return 200, answer(call, self.world, external_ids=self.external_ids, page_sizes=self.page_sizes)
        except Refused as refused:
            return refused.status, error_xml(call.service, refused.code, refused.message)


@contextmanager
def serving(endpoint: Endpoint, *, port: int = 0) -> Iterator[str]:
    """Serve an endpoint on 127.0.0.1 until the block ends; gives its address. Port 0 takes a free one."""
    server = _Server(("127.0.0.1", port), _Handler)
    server.endpoint = endpoint
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    endpoint: Endpoint

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up waiting is no error of ours."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        reply = self.server.endpoint.reply(self._call(dict(parse_qsl(body.decode(), keep_blank_values=True))))
        if reply is None:
            self.close_connection = True
            return
        status, xml = reply
        self._answer(status, xml, "text/xml;charset=UTF-8")

    def do_GET(self) -> None:
        found = self.server.endpoint.stored(self.path)
        if found is None:
            self._answer(404, NO_SUCH_KEY, "application/xml")
        else:
            self._answer(200, found, "application/octet-stream")

    def do_HEAD(self) -> None:
        self.do_GET()

    def _answer(self, status: int, body: bytes, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _call(self, given: dict[str, str]) -> Call:
        signed = CREDENTIAL.search(self.headers.get("Authorization", ""))
        scope = signed.groupdict() if signed else {"key": "", "region": "", "service": "ec2"}
        return Call(given.pop("Action", ""), scope["region"], scope["service"], scope["key"], given)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written: a test or the demo reads ``calls`` instead."""


__all__ = ["Call", "Endpoint", "Fault", "RegionWorld", "serving"]
