"""Which addresses of the network a name may lead to.

The list is our own, since Python's `ipaddress.is_global` changes from one patch release to the
next.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import (
    IPv4Address,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from pybadge.address import LOOPBACK

__all__ = ["PrivateAddressError", "check_peer"]

_NOT_PUBLIC = tuple(
    ip_network(network)
    for network in (
        # IPv4: the registries of RFC 6890 and what came after
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        # IPv6: all but 2000::/3 and the translation prefixes, and what is reserved within it
        "::/16",
        "100::/8",
        "200::/7",
        "400::/6",
        "800::/5",
        "1000::/4",
        "2001::/23",
        "2001:db8::/32",
        "3fff::/20",
        "4000::/2",
        "8000::/1",
    )
)
# Networks whose addresses hold an IPv4 address, and how far from the right: it decides.
_EMBEDDING: tuple[tuple[IPv6Network, int], ...] = (
    (IPv6Network("::ffff:0:0/96"), 0),  # IPv4-mapped
    (IPv6Network("::/96"), 0),  # IPv4-compatible
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("64:ff9b:1::/48"), 0),  # NAT64 of one's own network
    (IPv6Network("2002::/16"), 80),  # 6to4
)


class PrivateAddressError(Exception):
    """The name leads to an address inside a network, which a server outside must not make us
    ask."""


def check_peer(peer: str, host: str) -> None:
    """Refuse an address that a name must not lead to.

    Args:
        peer: the address of an open connection, before anything was sent.
        host: the name that led there, in lower case.

    Raises:
        PrivateAddressError: it is not public; or, for a name of this machine, not this machine.
    """
    address = ip_address(peer.partition("%")[0])
    # A loopback name may be asked over plain http, so it must not lead out either.
    fits = _is_loopback(address) if host in LOOPBACK else is_public(address)
    if not fits:
        raise PrivateAddressError(
            f"{host} leads to {address}, which is not public; to allow it, add --allow-host {host}"
        )


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public network, with every address inside it."""
    for embedded in _embedded(address):
        return is_public(embedded)
    return not any(
        address.version == network.version and address in network for network in _NOT_PUBLIC
    )


def _embedded(address: IPv4Address | IPv6Address) -> Iterator[IPv4Address]:
    if isinstance(address, IPv6Address):
        for network, shift in _EMBEDDING:
            if address in network and int(address) > 1:
                yield IPv4Address(int(address) >> shift & 0xFFFFFFFF)


def _is_loopback(address: IPv4Address | IPv6Address) -> bool:
    # A translated address is not one: the translator would connect to its own loopback.
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
