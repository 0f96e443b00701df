"""The hook's client against real servers that behave, and some that do not."""

import socket
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scheduler.domain.block_clock.signing import StopRequest, headers
from scheduler.domain.outside_address import networks
from scheduler.trainers import stop_hook
from scheduler.trainers.stop_hook import Hook, UnableToReachTrainer, send_stop
from tests.fixtures.trainer import Trainer
from tests.scheduler.blocks_that_end import END, SECRET, USABLE

LOOPBACK = networks(["127.0.0.0/8"])
REQUEST = StopRequest("0d9e", "run-1", "cr-0b10c", END, USABLE, "s3://checkpoints/run-1")


def send(url: str, seconds: float = 5, private: Any = LOOPBACK, secret: str = SECRET) -> None:
    signed = headers(secret, REQUEST, datetime.now(UTC))
    send_stop(Hook(url, private, timedelta(seconds=seconds)), headers=signed, body=REQUEST.body())


def refusal(url: str, **how: Any) -> UnableToReachTrainer:
    with pytest.raises(UnableToReachTrainer) as unable:
        send(url, **how)
    assert str(unable.value).endswith(".")
    return unable.value


def test_a_signed_request_is_taken(trainer: Trainer) -> None:
    trainer.leaves = "nothing"
    send(trainer.url)
    assert trainer.accepted == {"0d9e": 1}
    assert trainer.bodies[0]["usable_until"] == USABLE.isoformat()


def test_a_request_signed_with_another_secret_is_refused_for_good(trainer: Trainer) -> None:
    assert refusal(trainer.url, secret="another secret").permanent
    assert (trainer.forged, trainer.calls) == (1, 0)


@pytest.mark.parametrize(
    ("status", "permanent"),
    [(400, True), (404, True), (408, False), (410, True), (429, False), (500, False), (503, False), (302, True)],
)
def test_refusals_that_pass_are_told_from_those_that_do_not(trainer: Trainer, status: int, permanent: bool) -> None:
    trainer.answers = [status]
    unable = refusal(trainer.url)
    assert (unable.permanent, str(status) in str(unable)) == (permanent, True)
    assert trainer.calls == 1, "a redirect is not followed, and nothing is repeated in here"


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes a request and drips an answer that never ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            with listening.accept()[0] as caller:
                try:
                    while True:
                        caller.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: " if not sent else b".")
                        sent.append(1)
                        time.sleep(0.05)
                except OSError:
                    return

        sent: list[int] = []
        thread = threading.Thread(target=drip)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        thread.join(10)


def test_an_answer_that_drips_in_is_cut_off_as_a_whole(silent: str) -> None:
    began = time.monotonic()
    unable = refusal(silent, seconds=0.5)
    assert time.monotonic() - began < 4
    assert (unable.permanent, str(unable).endswith("did not answer in time.")) == (False, True)


def test_a_name_that_stands_for_a_private_address_is_not_called(trainer: Trainer, monkeypatch: Any) -> None:
    told = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 80))]
    monkeypatch.setattr(stop_hook.socket, "getaddrinfo", lambda *args, **how: told)
    port = trainer.url.rpartition(":")[2]
    unable = refusal(f"http://hooks.example.com:{port}", private=())
    assert unable.permanent
    assert "hooks.example.com (127.0.0.1) is in a private network" in str(unable)
    assert trainer.calls == 0


def test_the_address_that_was_checked_is_the_one_that_is_called(trainer: Trainer, monkeypatch: Any) -> None:
    trainer.leaves = "nothing"
    real, asked = socket.getaddrinfo, []

    def resolve(host: str, port: int, *args: Any, **how: Any) -> Any:
        if host != "hooks.example.com":
            return real(host, port, *args, **how)
        asked.append(host)
        address = "127.0.0.1" if len(asked) == 1 else "10.255.255.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(stop_hook.socket, "getaddrinfo", resolve)
    port = trainer.url.rpartition(":")[2]
    send(f"http://hooks.example.com:{port}")
    assert (trainer.accepted, len(asked)) == ({"0d9e": 1}, 1)


def test_a_name_that_cannot_be_resolved_may_be_tried_again(monkeypatch: Any) -> None:
    def unknown(*args: object, **how: object) -> None:
        raise socket.gaierror("no")

    monkeypatch.setattr(stop_hook.socket, "getaddrinfo", unknown)
    unable = refusal("https://hooks.example.com/")
    assert (unable.permanent, str(unable)) == (
        False,
        "The name of the stop hook, hooks.example.com, cannot be resolved now.",
    )


def test_no_proxy_of_the_environment_comes_in_between(trainer: Trainer, monkeypatch: Any) -> None:
    trainer.leaves = "nothing"
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    send(trainer.url)
    assert trainer.calls == 1


def test_plain_text_where_tls_is_expected_cannot_be_reached(trainer: Trainer) -> None:
    unable = refusal(trainer.url.replace("http://", "https://"))
    assert (unable.permanent, "cannot be reached" in str(unable)) == (False, True)
