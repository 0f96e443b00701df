"""Trainers and storage in a process of their own, so that what they cost is not counted as the controller's."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

SERVES = """
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MISSING = b"<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>There is none.</Message></Error>"

class Outside(BaseHTTPRequestHandler):
    protocol_version, accepted = "HTTP/1.1", set()
    def answer(self, status, body=b""):
        head = f"HTTP/1.1 {status} .\\r\\nContent-Type: application/xml\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
        self.wfile.write(head.encode() + body)
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.accepted.add(self.headers["Idempotency-Key"])
        self.answer(202)
    def do_GET(self):
        self.answer(*((200, str(len(self.accepted)).encode()) if self.path == "/accepted" else (404, MISSING)))

class Server(ThreadingHTTPServer):
    daemon_threads, request_queue_size = True, 128

server = Server(("127.0.0.1", 0), Outside)
print(server.server_address[1], flush=True)
server.serve_forever()
"""


@dataclass(frozen=True)
class Outside:
    """Where they listen: a stop hook that accepts, and S3 that holds no object."""

    url: str

    @property
    def hook(self) -> str:
        return f"{self.url}/stop"


@contextmanager
def outside() -> Iterator[Outside]:
    """Both behind one port, gone on the way out."""
    process = subprocess.Popen([sys.executable, "-c", SERVES], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Outside(f"http://127.0.0.1:{process.stdout.readline().strip()}")
    finally:
        process.kill()
        process.communicate(timeout=30)
