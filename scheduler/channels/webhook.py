"""A signed POST of JSON to an address of one's own, to the very host that was checked, leading nowhere else."""

import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Sequence
from functools import cache
from http.client import HTTPConnection, HTTPException

from scheduler.domain.alert.message import Message, UnableToDeliver
from scheduler.domain.outside_address import Network, OutsideAddress, UnableToUseAddress, checked, outside_address
from scheduler.domain.signed import signed_headers

TIMEOUT_SECONDS = 10
"""Of the whole call: a receiver answers first and works then."""

NEWER_TRIES = frozenset({408, 409, 425, 429})
SHOWN = 120


def shown(address: str, networks: Sequence[Network]) -> str:
    """Scheme, host and port, since a path can be a secret; UnableToDeliver for what may not be called."""
    return _outside(address, networks).origin[:SHOWN]


def send(address: str, secret: str, message: Message, networks: Sequence[Network]) -> None:
    """Have a receiver take a message, any answer of the 200s; UnableToDeliver otherwise.

    ``Moorage-Delivery`` is the same on each try, the time in the signature is that of the try.
    """
    if not secret:
        raise UnableToDeliver("A webhook needs a secret that its messages are signed with.", permanent=True)
    outside = _outside(address, networks)
    ip = _checked_ip(outside, networks)
    body = json.dumps({"id": message.id, **message.data}, ensure_ascii=False, sort_keys=True).encode()
    headers = {
        "Host": outside.origin.partition("://")[2],
        "Content-Length": str(len(body)),
        "Moorage-Delivery": message.id,
        **signed_headers(secret, body, message.sent_at),
    }
    status = _answered(outside, ip, body, headers)
    if 200 <= status < 300:
        return
    told = f"{outside.origin} answered {status}"
    if 300 <= status < 400:
        raise UnableToDeliver(f"{told}: it leads elsewhere, which is not followed.", permanent=True)
    raise UnableToDeliver(f"{told}.", permanent=status < 500 and status not in NEWER_TRIES)


def _outside(address: str, networks: Sequence[Network]) -> OutsideAddress:
    try:
        return outside_address(address, networks)
    except UnableToUseAddress as unable:
        raise UnableToDeliver(str(unable), permanent=True) from unable


def _checked_ip(outside: OutsideAddress, networks: Sequence[Network]) -> str:
    try:
        found = socket.getaddrinfo(outside.host, outside.port, type=socket.SOCK_STREAM)
        return checked([str(one[4][0]) for one in found], outside.host, networks)
    except UnableToUseAddress as unable:
        raise UnableToDeliver(str(unable), permanent=True) from unable
    except OSError as error:
        raise UnableToDeliver(f"The name {outside.host} cannot be resolved now.", permanent=False) from error


def _answered(outside: OutsideAddress, ip: str, body: bytes, headers: dict[str, str]) -> int:
    """The status of the answer; a conversation that drips is cut off as a whole."""
    over = threading.Event()
    connection = HTTPConnection(ip, outside.port, timeout=TIMEOUT_SECONDS)
    watch = threading.Timer(TIMEOUT_SECONDS, _cut, [connection, over])
    watch.daemon = True
    watch.start()
    try:
        connection.connect()
        if outside.scheme == "https":
            line = _trusted().wrap_socket(connection.sock, server_hostname=outside.host, do_handshake_on_connect=False)
            connection.sock = line  # from here on it is what is cut
            line.do_handshake()
        connection.request("POST", outside.target, body=body, headers=headers)
        status = int(connection.getresponse().status)  # nobody reads what else it says, however slowly it says it
        if over.is_set():
            raise TimeoutError
        return status
    except ssl.SSLCertVerificationError as error:
        raise UnableToDeliver(f"The certificate of {outside.origin} is not valid for it.", permanent=True) from error
    except (HTTPException, OSError, ValueError) as error:
        late = over.is_set() or isinstance(error, TimeoutError)
        said = "did not answer in time" if late else "cannot be reached"
        raise UnableToDeliver(f"{outside.origin} {said}.", permanent=False) from error
    finally:
        watch.cancel()
        connection.close()


@cache
def _trusted() -> ssl.SSLContext:
    """Made once: reading the system's certificates takes longer than a whole call."""
    return ssl.create_default_context()


def _cut(connection: HTTPConnection, over: threading.Event) -> None:
    over.set()
    with contextlib.suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)
