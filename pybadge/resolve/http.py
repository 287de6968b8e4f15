"""The one room that opens connections: HTTP requests with limits on everything.

Every answer is untrusted until `pybadge.verify` said so; what is guarded here is the machine that
asks.

- Only https, and http to loopback. Redirects only within the host, over https, at most
  `MAX_REDIRECTS`.
- The address connected to must be public, whatever the name resolved to, unless the user allowed
  the host.
- One deadline for everything: name look-up, connection, a server that drips, retries and their
  waits.
- At most 1 MiB, counted after decompression, which stops at the limit too.
"""

from __future__ import annotations

import contextlib
import logging
import random
import socket
import threading
import time
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError

from pybadge._version import __version__
from pybadge.address import LOOPBACK, checked_url
from pybadge.errors import NotFoundError, UnreachableError, UsageError
from pybadge.input import MAX_BYTES
from pybadge.resolve.connections import Adapter, Session, no_credentials
from pybadge.resolve.decoding import TryAgainError, body_of
from pybadge.resolve.limits import (
    CONNECT_TIMEOUT,
    FIRST_WAIT,
    MAX_REDIRECTS,
    MAX_RETRIES,
    MAX_RETRY_AFTER,
    READ_TIMEOUT,
    REST,
    RETRY_STATUS,
    TOTAL_TIMEOUT,
)
from pybadge.resolve.peers import PrivateAddressError

__all__ = ["JSON_TYPES", "Response", "Transport"]

_log = logging.getLogger("pybadge")
JSON_TYPES = "application/ld+json, application/json"
# No proxy can reach the loopback of this machine; None also keeps the environment's from being
# used.
_NO_PROXIES: Any = {"http": None, "https": None, "all": None}
USER_AGENT = f"pybadge/{__version__} (+https://pith.science)"


@dataclass(frozen=True, slots=True)
class Response:
    """A complete response.

    Attributes:
        url: the address that answered, after redirects.
        status: 200, or 304 where an ETag was sent.
        body: at most the limit of bytes, decompressed; empty for 304.
        etag: the entity tag, if the server gave one.
    """

    url: str
    status: int
    body: bytes
    etag: str | None


class Transport:
    """Asks servers. One instance may be used by several threads.

    Args:
        timeout: seconds that one `get` may take in all.
        allowed_hosts: host names that may lead to addresses that are not public, such as an
            institute's own mirror.
        max_bytes: the most an answer may hold, decompressed.
    """

    def __init__(
        self,
        *,
        timeout: float = TOTAL_TIMEOUT,
        allowed_hosts: Collection[str] = (),
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.timeout = timeout
        self.allowed_hosts = frozenset(host.lower() for host in allowed_hosts)
        self.max_bytes = max_bytes
        # host -> until when it is left alone, and why
        self._faults: dict[str, tuple[float, str]] = {}

    def get(
        self,
        url: str,
        *,
        accept: str = JSON_TYPES,
        content: str = "json",
        etag: str | None = None,
        retries: int = MAX_RETRIES,
        until: float | None = None,
    ) -> Response:
        """Ask for one address.

        Args:
            url: https, or http to loopback.
            accept: the Accept header.
            content: the format that the answer's Content-Type must name, such as ``json``; "" for
                anything.
            etag: the tag of the copy at hand; the answer may then be 304 without a body.
            retries: how often to try again after 429, 502, 503, 504 and connection faults.
            until: the end of the whole question, by `time.monotonic`.

        Raises:
            UsageError: the address may not be asked.
            NotFoundError: 404 or 410.
            UnreachableError: anything else that is no good answer, in time.
        """
        headers = {
            "Accept": accept,
            "Accept-Encoding": "gzip",
            "User-Agent": USER_AGENT,
        }
        if etag is not None:
            headers["If-None-Match"] = etag
        host = urlsplit(checked_url(url)).netloc
        started = time.monotonic()
        deadline = started + self.timeout
        if until is not None:
            deadline = min(deadline, until)
        # A host to which others left no time may still be well.
        had_time = deadline - started > 0.9 * min(self.timeout, CONNECT_TIMEOUT)
        self._check_host(host, url, deadline)
        exchange = _Exchange(self, url, headers, content)
        _log.info("asking %s", url)
        for attempt in range(retries + 1):
            try:
                response = exchange.run(deadline)
            except TryAgainError as fault:
                wait = fault.wait if fault.wait is not None else _growing_wait(attempt)
                given_up = _giving_up(fault, wait, attempt, retries, deadline)
                if given_up is not None:
                    self._remember(host, str(fault), fault.wait)
                    raise UnreachableError(f"{url}: {given_up}", code=fault.code) from None
                _log.info("%s: %s; again in %.1f s", url, fault, wait)
                time.sleep(wait)
            except UnreachableError as fault:
                if fault.code == "resolve.deadline" and had_time:
                    self._remember(host, "did not answer in time")
                raise
            else:
                self._faults.pop(host, None)
                _log.info("%s answered %d, %d bytes", url, response.status, len(response.body))
                return response
        raise AssertionError("unreachable")

    def _check_host(self, host: str, url: str, deadline: float) -> None:
        """Refuse to ask a host again that asked for a pause, or has just been found dead."""
        now = time.monotonic()
        if now >= deadline:
            raise UnreachableError(f"{url}: no time left to ask", code="resolve.deadline")
        pause, reason = self._faults.get(host, (0.0, ""))
        if now < pause:
            raise UnreachableError(f"{url}: {reason}; not asked again yet", code="resolve.resting")

    def _remember(self, host: str, fault: str, wait: float | None = None) -> None:
        pause = REST if wait is None else max(wait, REST)
        self._faults[host] = (time.monotonic() + pause, fault)


def _giving_up(
    fault: TryAgainError, wait: float, attempt: int, retries: int, deadline: float
) -> str | None:
    """Why a fault is final, in words; None where it is worth another try."""
    if attempt == retries:
        return f"{fault} (tried {retries + 1} times)"
    if wait > MAX_RETRY_AFTER or time.monotonic() + wait > deadline:
        return f"{fault}; not waited for {wait:.0f} s"
    return None


def _growing_wait(attempt: int) -> float:
    """0.5, 1, 2 … seconds, each by a random factor of 0.5 to 1.5, so that many clients don't come
    back in step."""
    return float(FIRST_WAIT * 2**attempt * random.uniform(0.5, 1.5))  # noqa: S311  spreads load, guards nothing


class _Exchange:
    """One question with its redirects."""

    def __init__(
        self, transport: Transport, url: str, headers: Mapping[str, str], content: str
    ) -> None:
        self.transport = transport
        self.url = url
        self.headers = headers
        self.content = content
        self.connections: list[Any] = []
        self.abandoned = False

    @property
    def allowed_hosts(self) -> Collection[str]:
        """Hosts that may lead to addresses that are not public."""
        return self.transport.allowed_hosts

    def run(self, deadline: float) -> Response:
        """Ask in a thread, since nothing else ends a name look-up or a server that sends a byte now
        and then.

        Raises:
            TryAgainError, PybadgeError: as `_ask`.
        """
        outcome: list[Response | BaseException] = []

        def work() -> None:
            try:
                outcome.append(self._ask(deadline))
            except BaseException as error:  # handed over to the waiting thread
                outcome.append(error)

        waited = max(0.0, deadline - time.monotonic())
        worker = threading.Thread(target=work, name="pybadge-get", daemon=True)
        worker.start()
        try:
            worker.join(waited)
        finally:
            late = not outcome
            if late:
                self._hang_up()
        if late:
            raise UnreachableError(
                f"{self.url}: no complete answer within {waited:.2g} s",
                code="resolve.deadline",
            )
        if isinstance(outcome[0], BaseException):
            raise outcome[0]
        return outcome[0]

    def _hang_up(self) -> None:
        self.abandoned = True
        for connection in self.connections:
            # The connection's own socket: TLS takes the first one over and leaves it empty.
            connected = connection.sock
            if connected is not None:
                with contextlib.suppress(OSError):  # it was closed in between
                    connected.shutdown(socket.SHUT_RDWR)

    def _ask(self, deadline: float) -> Response:
        url = self.url
        origin = urlsplit(url).netloc
        with Session() as session:
            session.mount("https://", Adapter(self))
            session.mount("http://", Adapter(self))
            for _ in range(MAX_REDIRECTS + 1):
                # A little more than is left, so that it is the deadline that ends it.
                left = max(0.0, deadline - time.monotonic()) + 1
                try:
                    with session.get(
                        url,
                        headers=self.headers,
                        timeout=(min(CONNECT_TIMEOUT, left), min(READ_TIMEOUT, left)),
                        allow_redirects=False,
                        stream=True,
                        auth=no_credentials,
                        proxies=_NO_PROXIES if urlsplit(url).hostname in LOOPBACK else None,
                    ) as response:
                        if response.is_redirect:
                            url = _redirect(response, url, origin)
                            continue
                        return self._answer(response, url)
                except PrivateAddressError as error:
                    raise UnreachableError(
                        f"{url}: {error}", code="resolve.private_address"
                    ) from None
                except requests.RequestException as error:
                    raise _fault(error, url) from None
                except (HTTPError, OSError, ValueError, zlib.error) as error:
                    raise _broken_off(error, url) from None
        raise UnreachableError(
            f"{self.url}: more than {MAX_REDIRECTS} redirects", code="resolve.redirects"
        )

    def _answer(self, response: requests.Response, url: str) -> Response:
        status, etag = response.status_code, response.headers.get("ETag")
        if status == 304 and "If-None-Match" in self.headers:
            return Response(url, 304, b"", etag)
        if status in (404, 410):
            raise NotFoundError(f"{url}: no such record")
        if status in RETRY_STATUS:
            raise TryAgainError(
                f"answered {status}",
                "resolve.busy",
                _retry_after(response.headers.get("Retry-After")),
            )
        if status != 200:
            raise UnreachableError(f"{url}: answered {status}", code="resolve.status")
        if not _is_of(self.content, response.headers.get("Content-Type", "")):
            raise UnreachableError(
                f"{url}: answered with something other than {self.content}",
                code="resolve.content_type",
            )
        return Response(url, 200, body_of(response, url, self.transport.max_bytes), etag)


def _is_of(content: str, header: str) -> bool:
    """Whether a Content-Type names a format: ``application/json``, ``application/ld+json``."""
    message = Message()
    message["Content-Type"] = header
    return not content or message.get_content_subtype().rpartition("+")[2] == content


def _retry_after(header: str | None) -> float | None:
    """Seconds from a Retry-After header, which holds seconds or a date (RFC 9110, 10.2.3); None if
    it can't be read."""
    if header is None:
        return None
    header = header.strip()
    if header.isascii() and header.isdigit():
        return float(header[:9])
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _redirect(response: requests.Response, url: str, origin: str) -> str:
    target = urljoin(url, response.headers.get("Location", ""))
    try:
        checked_url(target)
    except UsageError as error:
        raise UnreachableError(
            f"{url}: redirected, which is not followed: {error}",
            code="resolve.redirects",
        ) from None
    if urlsplit(target).netloc != origin or urlsplit(target).scheme != urlsplit(url).scheme:
        raise UnreachableError(
            f"{url}: redirected to another host, which is not followed",
            code="resolve.redirects",
        )
    return target


def _fault(error: requests.RequestException, url: str) -> Exception:
    """The error to raise for one of requests': some may be gone next time, a bad certificate
    won't."""
    if isinstance(error, requests.exceptions.SSLError):
        return UnreachableError(
            f"{url}: the certificate can't be trusted", code="resolve.certificate"
        )
    if isinstance(error, requests.exceptions.ProxyError):
        return TryAgainError("the proxy can't be reached", "resolve.proxy")
    if isinstance(error, requests.Timeout):
        return TryAgainError("no answer in time", "resolve.timeout")
    if isinstance(error, (requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
        return TryAgainError("can't be reached", "resolve.unreachable")
    return UnreachableError(f"{url}: {type(error).__name__}", code="resolve.unreachable")


def _broken_off(error: Exception, url: str) -> Exception:
    """The error to raise for a fault below requests."""
    # A missing file of CA certificates is the user's own setting, which says nothing of the server.
    if "CA certificate" in str(error):
        return UnreachableError(f"{url}: {error}", code="resolve.certificate")
    return TryAgainError(
        f"the connection broke off ({type(error).__name__})", "resolve.unreachable"
    )
