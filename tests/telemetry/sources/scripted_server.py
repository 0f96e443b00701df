"""A small HTTP server on 127.0.0.1 that answers by script and remembers what it was asked."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

EMPTY = {"status": "success", "data": {"resultType": "vector", "result": []}}


@dataclass
class Scripted:
    """One answer; ``claimed`` is a Content-Length larger than the body, ``wait`` seconds come before the headers,
    ``drip`` seconds between the bytes of the body."""

    body: bytes | dict[str, object] = field(default_factory=lambda: EMPTY)
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    claimed: int | None = None
    wait: float = 0
    drip: float = 0

    @property
    def raw(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass
class Asked:
    path: str
    form: dict[str, str]
    headers: dict[str, str]
    body: str = ""


@dataclass
class ScriptedServer:
    url: str
    asked: list[Asked]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: list[Scripted] | Callable[[Asked], Scripted]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.asked: list[Asked] = []
        self.stopping = threading.Event()

    def answer_to(self, asked: Asked) -> Scripted:
        self.asked.append(asked)
        if isinstance(self.script, list):
            return self.script[min(len(self.asked), len(self.script)) - 1]
        return self.script(asked)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        form = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        fields = {key: values[0] for key, values in parse_qs(form).items()}
        self._answer(self.server.answer_to(Asked(self.path, fields, dict(self.headers), form)))

    def _answer(self, scripted: Scripted) -> None:
        self.server.stopping.wait(scripted.wait)
        self.send_response(scripted.status)
        self.send_header("Content-Type", scripted.content_type)
        self.send_header("Content-Length", str(scripted.claimed or len(scripted.raw)))
        for name, value in scripted.headers.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self._send(scripted)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        if scripted.claimed:
            self.close_connection = True

    def _send(self, scripted: Scripted) -> None:
        if not scripted.drip:
            self.wfile.write(scripted.raw)
            return
        for byte in scripted.raw:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            if self.server.stopping.wait(scripted.drip):
                return

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def answering(script: list[Scripted] | Callable[[Asked], Scripted]) -> Iterator[ScriptedServer]:
    """Answers from the list in turn (the last one for ever), or what a function says to each question."""
    server = _Server(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield ScriptedServer(f"http://127.0.0.1:{server.server_port}", server.asked)
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def refusing_port() -> int:
    """A port of 127.0.0.1 where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
