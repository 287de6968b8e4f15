"""Addresses: which may be asked, and where a record's page is (docs/spec, 8)."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from pybadge.errors import UsageError

__all__ = ["DEFAULT_RESOLVER", "LOOPBACK", "checked_url", "record_url"]

DEFAULT_RESOLVER = "https://pith.science"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def record_url(suffix: str, resolver: str = DEFAULT_RESOLVER) -> str:
    """The page of a record; badges link here."""
    return f"{resolver.rstrip('/')}/pith/{suffix}"


def checked_url(text: str) -> str:
    """The URL as given, if it may be asked at all.

    Raises:
        UsageError: another scheme than https (or http to loopback), a user name, a port, or a host
            that is not plain ASCII.
    """
    if not text.isascii() or any(c <= " " or c in "\\\x7f" for c in text):
        raise UsageError(f"{text!a:.200}: an address may hold only printable ASCII characters")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise UsageError(f"{text}: not an address: {error}") from None
    loopback = host in LOOPBACK
    _check_scheme(text, parts, loopback)
    if not host or host.endswith(".") or (port not in (None, 443) and not loopback):
        raise UsageError(f"{text}: the host is missing, ends in a dot or has an odd port")
    return text


def _check_scheme(text: str, parts: SplitResult, loopback: bool) -> None:
    if parts.scheme == "http" and not loopback:
        raise UsageError(f"{text}: plain http can be changed on the way; use https")
    if parts.scheme not in ("https", "http"):
        raise UsageError(f"{text}: only https addresses are fetched")
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            f"{text}: an address with a user name is not fetched, since it hides its host"
        )
