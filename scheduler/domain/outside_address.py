"""Which addresses Moorage may call on somebody's behalf: the public network, and of private ones those configured.

Checked twice: the text when it is entered, and what its name stands for each time it is called.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

Network = IPv4Network | IPv6Network

LONGEST = 500
PORTS = {"http": 80, "https": 443}
HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?", re.ASCII)
TRANSLATED = IPv6Network("64:ff9b::/96")
"""An IPv4 address behind a translator (RFC 6052)."""

REFUSED = tuple(
    (ip_network(network), why)
    for network, why in (
        ("::/96", "IPv4 addresses written as IPv6 ones of old (RFC 4291)"),
        ("::ffff:0:0:0/96", "IPv4 addresses behind a translator (RFC 2765)"),
        ("64:ff9b:1::/48", "IPv4 addresses behind a translator of one's own (RFC 8215)"),
        ("fec0::/10", "addresses of a site (RFC 3879)"),
        ("5f00::/16", "segments of routes within one network (RFC 9602)"),
        ("192.0.0.0/24", "addresses of protocols (RFC 6890)"),
    )
)
"""Networks that lead into private ones though the standard library calls some of their addresses global, and why."""

CONFIGURED_BY = "MOORAGE_PRIVATE_NETWORKS"


class UnableToUseAddress(ValueError):
    """An address that may not be called; the message is one sentence without what is secret in it."""


@dataclass(frozen=True, slots=True)
class OutsideAddress:
    """An address in its parts; ``target`` is its path with the query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> str:
        """Scheme, host and port: what may be shown, since a path can be a secret."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Networks written as ``10.0.0.0/8``; UnableToUseAddress for what is none."""
    found = []
    for text in texts:
        try:
            found.append(ip_network(text.strip()))
        except ValueError as error:
            raise UnableToUseAddress(f"“{text}” is not a network: write it as 10.0.0.0/8.") from error
    return tuple(found)


def outside_address(url: str, private: Sequence[Network]) -> OutsideAddress:
    """An http(s) address in its parts; UnableToUseAddress where it can't be meant, or names a private network."""
    if len(url) > LONGEST or re.search(r"[\x00-\x20\x7f\\]", url):
        raise UnableToUseAddress(f"An address holds no blanks and at most {LONGEST} characters.")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError as error:
        raise UnableToUseAddress("This is not an address: write it as https://host:port/path.") from error
    if parts.scheme not in PORTS:
        raise UnableToUseAddress("An address begins with https:// or http://.")
    if parts.username is not None or parts.password is not None:
        raise UnableToUseAddress("An address must not hold a user or a password.")
    if parts.fragment:
        raise UnableToUseAddress("An address must not hold a fragment (#…).")
    if port == 0:
        raise UnableToUseAddress("A port is a number from 1 to 65535.")
    _check_host(host, private)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not target.isascii():
        raise UnableToUseAddress("Letters beyond ASCII are written as %XX in an address.")
    return OutsideAddress(parts.scheme, host, port or PORTS[parts.scheme], target)


def checked(resolved: Sequence[str], host: str, private: Sequence[Network]) -> str:
    """The first of the IP addresses a name stands for; UnableToUseAddress where any of them may not be called.

    Whoever calls connects to this very one: a name may stand for another a moment later.
    """
    if not resolved:
        raise UnableToUseAddress(f"The name {host} stands for no address.")
    for text in resolved:
        if not may_call(text, private):
            raise UnableToUseAddress(_private(text if text == host else f"{host} ({text})"))
    return resolved[0]


def may_call(text: str, private: Sequence[Network]) -> bool:
    """Whether an IP address is public, or lies in a private network that was configured."""
    address = _plain(ip_address(text.partition("%")[0]))
    if any(address.version == network.version and address in network for network in private):
        return True
    if any(address.version == network.version and address in network for network, _ in REFUSED):
        return False
    return address.is_global and not address.is_multicast


def _check_host(host: str, private: Sequence[Network]) -> None:
    try:
        ip_address(host)
    except ValueError:
        if not HOST.fullmatch(host) or len(host) > 253 or re.fullmatch(r"[\d.]*|0x[\da-f.]*", host):
            raise UnableToUseAddress("This is not an address: write it as https://host:port/path.") from None
        local = host.rstrip(".") == "localhost" or host.rstrip(".").endswith(".localhost")
        if local and not may_call("127.0.0.1", private):
            raise UnableToUseAddress(_private(host)) from None
        return
    if not may_call(host, private):
        raise UnableToUseAddress(_private(host))


def _plain(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one stands for, where it does."""
    if isinstance(address, IPv4Address):
        return address
    if address in TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _private(name: str) -> str:
    return f"{name} is in a private network: it is called once {CONFIGURED_BY} names that network."
