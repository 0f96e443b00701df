"""A trainer's stop hook: one signed POST to the very address that was checked, which leads nowhere else."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from http.client import HTTPException

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from scheduler.domain.outside_address import Network, OutsideAddress, UnableToUseAddress, checked, outside_address

PASSING = frozenset({408, 409, 425, 429})
"""Refusals of the 400s that another try may not meet; those of the 500s all are."""


class UnableToReachTrainer(Exception):
    """The trainer did not take the request; ``permanent``: no repetition helps. The message is one sentence."""

    def __init__(self, sentence: str, *, permanent: bool) -> None:
        super().__init__(sentence)
        self.permanent = permanent


@dataclass(frozen=True, slots=True)
class Hook:
    """Where a stop request goes; ``private`` are the networks that may be called besides the public one."""

    url: str
    private: Sequence[Network]
    timeout: timedelta


def send_stop(hook: Hook, *, headers: Mapping[str, str], body: bytes) -> None:
    """Have a trainer take a request, any answer of the 200s; UnableToReachTrainer otherwise."""
    try:
        address = outside_address(hook.url, hook.private)
        ip = checked(_resolved(address), address.host, hook.private)
    except UnableToUseAddress as unable:
        raise UnableToReachTrainer(f"The stop hook may not be called: {unable}", permanent=True) from unable
    status = _status(_connection(address, ip, hook.timeout), address, hook.timeout, headers, body)
    if 200 <= status < 300:
        return
    where = f"The stop hook at {address.origin} answered {status}"
    if 300 <= status < 400:
        raise UnableToReachTrainer(f"{where}: it leads elsewhere, which is not followed.", permanent=True)
    if status < 500 and status not in PASSING:
        raise UnableToReachTrainer(f"{where} and will not take the request.", permanent=True)
    raise UnableToReachTrainer(f"{where}: it may take a later one.", permanent=False)


def _resolved(address: OutsideAddress) -> list[str]:
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except OSError as error:
        sentence = f"The name of the stop hook, {address.host}, cannot be resolved now."
        raise UnableToReachTrainer(sentence, permanent=False) from error
    return [str(one[4][0]) for one in found]


def _connection(address: OutsideAddress, ip: str, timeout: timedelta) -> HTTPConnection:
    """To the address that was checked, under the name that was given; no proxy of the environment stands between."""
    seconds = timeout.total_seconds()
    if address.scheme == "http":
        return HTTPConnection(ip, address.port, timeout=seconds)
    named, context = address.host, _trusted()
    return HTTPSConnection(
        ip, address.port, timeout=seconds, ssl_context=context, server_hostname=named, assert_hostname=named
    )


@cache
def _trusted() -> ssl.SSLContext:
    """Made once: reading the system's certificates takes longer than a whole call."""
    return ssl.create_default_context()


def _status(
    connection: HTTPConnection, address: OutsideAddress, timeout: timedelta, headers: Mapping[str, str], body: bytes
) -> int:
    """What was answered; an answer that drips in slower than the time-out is cut off as a whole."""
    over = threading.Event()
    watch = threading.Timer(timeout.total_seconds(), _cut(connection, over))
    watch.daemon = True
    watch.start()
    try:
        named = {"Host": address.origin.partition("://")[2]}
        connection.request("POST", address.target, body=body, headers={**headers, **named}, preload_content=False)
        status = int(connection.getresponse().status)
        if over.is_set():  # what had come by then may look like a whole answer
            raise TimeoutError
        return status
    except ssl.SSLCertVerificationError as error:
        sentence = f"The certificate of the stop hook at {address.origin} is not valid for it."
        raise UnableToReachTrainer(sentence, permanent=True) from error
    except (HTTPError, HTTPException, OSError, ValueError) as error:
        refused = isinstance(error, NewConnectionError)
        late = over.is_set() or (isinstance(error, TimeoutError | ConnectTimeoutError) and not refused)
        said = "did not answer in time" if late else "cannot be reached"
        raise UnableToReachTrainer(f"The stop hook at {address.origin} {said}.", permanent=False) from error
    finally:
        watch.cancel()
        connection.close()


def _cut(connection: HTTPConnection, over: threading.Event) -> Callable[[], None]:
    def cut() -> None:
        over.set()
        with contextlib.suppress(OSError, AttributeError):
            connection.sock.shutdown(socket.SHUT_RDWR)

    return cut
