"""A receiver that says a byte now and then keeps nobody: neither the message's row nor the next one."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_network
from time import sleep

import pytest

from scheduler.channels import webhook
from scheduler.domain.alert.message import Message, UnableToDeliver

HERE = (ip_network("127.0.0.0/8"),)
MESSAGE = Message(id="a", subject="s", text="t", html="", data={}, sent_at=datetime(2026, 5, 1, tzinfo=UTC))


class Dripping:
    """Answers one call with ``head``, then a byte every tenth of a second until it is left."""

    def __init__(self, head: bytes) -> None:
        self.head, self.over = head, threading.Event()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}/hook"
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        with suppress(OSError):
            line, _ = self.listening.accept()
            with line:
                line.recv(65536)
                line.sendall(self.head)
                while not self.over.is_set():
                    sleep(0.1)
                    line.sendall(b"x")


@pytest.fixture
def dripping(request: pytest.FixtureRequest) -> Iterator[Dripping]:
    receiver = Dripping(request.param)
    yield receiver
    receiver.over.set()
    receiver.listening.close()


@pytest.mark.parametrize(
    "dripping",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 65536\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\n\r\n",
    ],
    indirect=True,
)
def test_what_a_receiver_says_after_its_status_is_not_waited_for(dripping: Dripping) -> None:
    webhook.send(dripping.address, "key", MESSAGE, HERE)


@pytest.mark.parametrize("dripping", [b"HTTP/1.1 200 OK\r\nX-Slow: ", b"HTTP/1.1 20", b""], indirect=True)
def test_an_answer_that_never_comes_to_its_end_is_cut_off(dripping: Dripping, monkeypatch) -> None:
    monkeypatch.setattr(webhook, "TIMEOUT_SECONDS", 0.5)
    with pytest.raises(UnableToDeliver, match=r"did not answer in time|cannot be reached") as told:
        webhook.send(dripping.address, "key", MESSAGE, HERE)
    assert not told.value.permanent


def test_nothing_is_signed_with_an_empty_key() -> None:
    with pytest.raises(UnableToDeliver, match="needs a secret") as told:
        webhook.send("http://127.0.0.1:9/hook", "", MESSAGE, HERE)
    assert told.value.permanent
