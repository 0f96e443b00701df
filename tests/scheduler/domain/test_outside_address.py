from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.outside_address import (
    OutsideAddress,
    UnableToUseAddress,
    checked,
    may_call,
    networks,
    outside_address,
)

LOOPBACK = networks(["127.0.0.0/8", "::1/128"])


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://hooks.example.com/stop?run=7", ("https", "hooks.example.com", 443, "/stop?run=7")),
        ("http://Hooks.Example.com:8080", ("http", "hooks.example.com", 8080, "/")),
        ("https://93.184.216.34/a", ("https", "93.184.216.34", 443, "/a")),
        ("https://[2606:2800:220:1::1]:8443/", ("https", "2606:2800:220:1::1", 8443, "/")),
    ],
)
def test_an_address_is_read_in_its_parts(url: str, parts: tuple[str, str, int, str]) -> None:
    assert outside_address(url, ()) == OutsideAddress(*parts)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://hooks.example.com/", "begins with https"),
        ("file:///etc/passwd", "begins with https"),
        ("hooks.example.com/stop", "begins with https"),
        ("https://user:pass@hooks.example.com/", "user or a password"),
        ("https://token@hooks.example.com/", "user or a password"),
        ("https://hooks.example.com/#top", "fragment"),
        ("https:///stop", "not an address"),
        ("https://hooks.example.com:99999/", "not an address"),
        ("https://hooks.example.com:0/", "port"),
        ("https://hooks.example.com/a b", "no blanks"),
        ("https://hooks.example.com\\@evil.example/", "no blanks"),
        ("https://hooks.example.com/" + "a" * 500, "at most 500"),
        ("https://höoks.example.com/", "not an address"),
        ("https://hooks.example.com/ä", "%XX"),
        ("https://[::1/", "not an address"),
        ("https://2130706433/", "not an address"),
        ("https://0x7f000001/", "not an address"),
        ("https://127.1/", "not an address"),
        ("http://127.0.0.1:8000/", "private network"),
        ("http://localhost/", "private network"),
        ("http://a.localhost./", "private network"),
        ("http://169.254.169.254/latest/meta-data", "private network"),
        ("http://10.1.2.3/", "private network"),
        ("http://[::1]/", "private network"),
        ("http://[::ffff:10.0.0.1]/", "private network"),
        ("http://[64:ff9b::a00:1]/", "private network"),
        ("http://[fd00::1]/", "private network"),
        ("http://0.0.0.0/", "private network"),
        ("http://224.0.0.1/", "private network"),
    ],
)
def test_what_may_not_be_called_is_refused_in_a_sentence(url: str, why: str) -> None:
    with pytest.raises(UnableToUseAddress, match=why) as unable:
        outside_address(url, ())
    assert str(unable.value).endswith(".")
    assert "pass@" not in str(unable.value)


def test_a_private_network_is_called_once_it_is_configured() -> None:
    assert outside_address("http://127.0.0.1:8000/stop", LOOPBACK).origin == "http://127.0.0.1:8000"
    assert outside_address("http://[::1]/", LOOPBACK).origin == "http://[::1]:80"
    assert outside_address("http://localhost/", LOOPBACK).host == "localhost"
    with pytest.raises(UnableToUseAddress, match="MOORAGE_PRIVATE_NETWORKS"):
        outside_address("http://10.0.0.1/", LOOPBACK)


def test_a_name_is_refused_if_any_of_what_it_stands_for_may_not_be_called() -> None:
    assert checked(["93.184.216.34", "1.1.1.1"], "hooks.example.com", ()) == "93.184.216.34"
    with pytest.raises(UnableToUseAddress, match=r"hooks\.example\.com \(10\.0\.0\.1\) is in a private network"):
        checked(["93.184.216.34", "10.0.0.1"], "hooks.example.com", ())
    with pytest.raises(UnableToUseAddress, match="stands for no address"):
        checked([], "hooks.example.com", ())


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_in_the_clothes_of_ipv6_is_judged_like_itself(address: IPv4Address) -> None:
    plain = may_call(str(address), LOOPBACK)
    assert may_call(f"::ffff:{address}", LOOPBACK) == plain
    assert may_call(f"64:ff9b::{address}", LOOPBACK) == plain


@pytest.mark.parametrize(
    "address",
    [
        "::10.0.0.1", "::1.1.1.1", "::ffff:0:10.0.0.1", "64:ff9b:1::10.0.0.1", "64:ff9b:1:ffff::1", "fec0::1",
        "feff::1", "5f00::1", "192.0.0.9", "192.0.0.10", "192.0.0.170",
    ],
)  # fmt: skip
def test_a_network_that_leads_into_private_ones_is_called_only_once_it_is_configured(address: str) -> None:
    assert not may_call(address, LOOPBACK)
    assert may_call(address, networks([address]))


@pytest.mark.parametrize("address", ["1.1.1.1", "192.0.1.1", "2606:4700::1111", "64:ff9b::1.1.1.1", "::ffff:1.1.1.1"])
def test_what_is_public_is_called(address: str) -> None:
    assert may_call(address, ())


def test_what_is_no_network_is_refused() -> None:
    with pytest.raises(UnableToUseAddress, match=r"“10\.0\.0\.1/8” is not a network"):
        networks(["10.0.0.1/8"])
