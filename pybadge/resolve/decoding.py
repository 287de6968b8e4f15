"""The body of an answer: decompressed, up to a limit."""

from __future__ import annotations

import zlib

import requests

from pybadge.errors import UnreachableError
from pybadge.resolve.limits import CHUNK

__all__ = ["TryAgainError", "body_of"]

_GZIP = zlib.MAX_WBITS | 16  # a gzip header and no other


class TryAgainError(Exception):
    """A fault that may be gone next time.

    Attributes:
        code: a stable dotted word.
        wait: seconds that the server asks to wait; None where it says nothing.
    """

    def __init__(self, message: str, code: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.wait = wait


def body_of(response: requests.Response, url: str, limit: int) -> bytes:
    """The whole body. Decompressed here, since the libraries below inflate a chunk to whatever it
    grows to.

    Args:
        response: with an open stream.
        url: its address, for messages.
        limit: the most bytes it may have, decompressed too.

    Raises:
        TryAgainError: it is cut off.
        UnreachableError: it is too large, or in an encoding that was not asked for.
    """
    decode = _decoder(response, url)
    body = bytearray()
    received = 0
    for chunk in response.raw.stream(CHUNK, decode_content=False):
        received += len(chunk)
        body += decode.feed(chunk, limit + 1 - len(body))
        if len(body) > limit or received > limit:
            raise UnreachableError(
                f"{url}: answered with more than {limit} bytes", code="resolve.size"
            )
    stated = response.headers.get("Content-Length", "").strip()
    short = stated.isascii() and stated.isdigit() and stated.lstrip("0") != str(received or "")
    if short or not decode.is_whole:
        raise TryAgainError("the answer is shorter than announced", "resolve.incomplete")
    return bytes(body)


class _Identity:
    """No encoding."""

    is_whole = True

    def feed(self, data: bytes, room: int) -> bytes:
        """The next decoded bytes, up to the room there is."""
        return data[:room]


class _Gzip:
    """gzip, also of several members (RFC 1952, 2.2)."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=_GZIP)

    @property
    def is_whole(self) -> bool:
        """Whether the last member has ended."""
        return self._member.eof

    def feed(self, data: bytes, room: int) -> bytes:
        """The next decoded bytes, at most one more than the room there is.

        Raises:
            zlib.error: the data is not gzip.
        """
        decoded = bytearray()
        while data and len(decoded) < room:
            if self._member.eof:
                self._member = zlib.decompressobj(wbits=_GZIP)
            decoded += self._member.decompress(data, room - len(decoded))
            data = self._member.unconsumed_tail or self._member.unused_data
        return bytes(decoded)


def _decoder(response: requests.Response, url: str) -> _Identity | _Gzip:
    """What undoes the response's encoding: gzip is all that was asked for."""
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding in ("identity", ""):
        return _Identity()
    if encoding in ("gzip", "x-gzip"):
        return _Gzip()
    raise UnreachableError(
        f"{url}: answered in the encoding {encoding[:40]!a}, which was not asked for",
        code="resolve.encoding",
    )
