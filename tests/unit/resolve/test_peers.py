"""Which addresses a name may lead to: those of the public network, with whatever they embed."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.resolve.peers import PrivateAddressError, check_peer

PUBLIC = [
    "8.8.8.8",
    "1.1.1.1",
    "128.84.21.199",
    "192.0.1.1",
    "198.17.255.255",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
]
NOT_PUBLIC = [
    "0.0.0.0",
    "0.1.2.3",
    "10.255.255.255",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "100::1",
    "2001::1",  # Teredo
    "2001:2::1",
    "2001:10::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fdff::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",  # site-local, which Python's is_global once let pass
    "feff::1",
    "ff02::1",
]
INSIDE = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "0.0.0.0", "255.255.255.255"]


def is_let_through(address: str, host: str = "mirror.example") -> bool:
    try:
        check_peer(address, host)
    except PrivateAddressError:
        return False
    return True


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_let_through(address: str) -> None:
    assert is_let_through(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert not is_let_through(address)


def embeddings(inner: str) -> dict[str, str]:
    """An IPv4 address in each IPv6 form that a translator or tunnel unpacks."""
    value = int(IPv4Address(inner))
    return {
        "mapped": str(IPv6Address((0xFFFF << 32) | value)),
        "compatible": str(IPv6Address(value)),
        "NAT64": str(IPv6Address((0x64FF9B << 96) | value)),
        "local NAT64": str(IPv6Address((0x64FF9B0001 << 80) | value)),
        "6to4": str(IPv6Address((0x2002 << 112) | (value << 80) | 1)),
    }


@pytest.mark.parametrize("inner", INSIDE)
@pytest.mark.parametrize("form", ["mapped", "compatible", "NAT64", "local NAT64", "6to4"])
def test_an_inner_address_is_refused_in_every_form_that_embeds_it(form: str, inner: str) -> None:
    assert not is_let_through(embeddings(inner)[form])


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_the_embedded_address_decides(inner: IPv4Address) -> None:
    expected = is_let_through(str(inner))
    for form, address in embeddings(str(inner)).items():
        assert is_let_through(address) is expected, form


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_nothing_that_python_calls_private_is_let_through(address: IPv6Address) -> None:
    if is_let_through(str(address)):
        for kind in ("private", "link_local", "site_local", "multicast", "loopback"):
            assert not getattr(address, f"is_{kind}"), kind


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1"])
def test_a_name_of_this_machine_leads_nowhere_else(host: str) -> None:
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        assert is_let_through(address, host)
    for address in ("8.8.8.8", "10.0.0.1", "2606:4700::1", "64:ff9b::7f00:1", "2002:7f00:1::"):
        assert not is_let_through(address, host)


def test_the_refusal_says_how_to_allow_it() -> None:
    with pytest.raises(PrivateAddressError, match=r"--allow-host mirror\.example$"):
        check_peer("10.0.0.1", "mirror.example")
