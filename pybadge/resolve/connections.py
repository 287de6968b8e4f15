"""What requests and urllib3 are told to do otherwise: connections that are checked before anything
is sent, and that can be hung up."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection, Iterator
from typing import Any, Protocol

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from pybadge.resolve.peers import PrivateAddressError, check_peer

__all__ = ["Adapter", "Exchange", "Session", "no_credentials"]


class Exchange(Protocol):
    """One question, as far as its connections know it.

    Attributes:
        connections: its open connections.
        abandoned: whether nobody waits for an answer any more.
        allowed_hosts: hosts that may lead to addresses that are not public.
    """

    connections: list[Any]
    abandoned: bool

    @property
    def allowed_hosts(self) -> Collection[str]: ...


class Session(requests.Session):
    """requests looks ahead along redirects it was told not to follow, and reads their whole bodies
    for that."""

    def resolve_redirects(self, *_arguments: Any, **_named: Any) -> Iterator[Any]:
        return iter(())


def no_credentials(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Takes the place of requests' own look into ~/.netrc, which would send passwords along."""
    return request


def _check_connection(connected: socket.socket, host: str, allowed: Collection[str]) -> None:
    """Refuse an address that is not public before anything is sent to it.

    Looking at the open connection leaves no gap in which the name could come to mean another
    address.
    """
    host = host.strip("[]").lower()
    if host not in allowed and connected.family in (socket.AF_INET, socket.AF_INET6):
        check_peer(connected.getpeername()[0], host)


class Adapter(HTTPAdapter):
    """requests' adapter with pools whose connections are checked and can be hung up."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        unencrypted = _connection(HTTPConnection, self._exchange, direct=True)
        secure = _connection(HTTPSConnection, self._exchange, direct=True)
        self.poolmanager.pool_classes_by_scheme = {
            "http": type("Pool", (HTTPConnectionPool,), {"ConnectionCls": unencrypted}),
            "https": type("Pool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
        }

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        """A proxy is the user's own choice and may well stand inside; what it asks, it must check
        itself."""
        manager = super().proxy_manager_for(proxy, **kwargs)
        if not proxy.lower().startswith("socks"):
            unencrypted = _connection(HTTPConnection, self._exchange, direct=False)
            secure = _connection(HTTPSConnection, self._exchange, direct=False)
            manager.pool_classes_by_scheme = {
                "http": type("Pool", (HTTPConnectionPool,), {"ConnectionCls": unencrypted}),
                "https": type("Pool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
            }
        return manager


def _connection(base: type[Any], exchange: Exchange, *, direct: bool) -> type[Any]:
    def new_connection(self: Any) -> socket.socket:
        connected: socket.socket = base._new_conn(self)
        exchange.connections.append(self)
        try:
            if exchange.abandoned:
                raise TimeoutError("nobody waits any more")
            if direct:
                _check_connection(connected, self.host, exchange.allowed_hosts)
        except (PrivateAddressError, OSError):
            connected.close()
            raise
        return connected

    made: Callable[..., type[Any]] = type
    return made("Connection", (base,), {"_new_conn": new_connection})
