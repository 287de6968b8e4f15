"""From what the user names to a record: files, standard input, and a resolver over https.

All HTTP of the package is in this module, with its caps: only https (http to loopback alone), redirects only to the
same host, a total deadline, at most 1 MiB of decoded body. Whatever answers is untrusted until `pybadge.verify` said so.
"""

from __future__ import annotations

import os
import re
import sys

from pybadge.errors import NotFoundError, NumberError, RecordError, UnreachableError, UsageError
from pybadge.frozen import Frozen
from pybadge.number import PithNumber, parse_number
from pybadge.record import MAX_BYTES, Record, read_file, read_json, read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import requests

__all__ = ["DEFAULT_RESOLVER", "Located", "Resolver", "fetch", "locate", "record_url"]

DEFAULT_RESOLVER = "https://pith.science"
MAX_REDIRECTS = 3
CONNECT_TIMEOUT = 5.0
TOTAL_TIMEOUT = 30.0

_ARXIV = re.compile(
    r"(?:arxiv:|https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/)?"
    r"(?P<id>[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/[0-9]{7})(?:v(?P<version>[1-9][0-9]{0,3}))?(?:\.pdf)?",
    re.IGNORECASE,
)
_DOI = re.compile(
    r"(?:doi:|https?://(?:dx\.)?doi\.org/)?10\.48550/arxiv\.(?P<id>[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,20}(?:\.[a-z]{2})?/[0-9]{7})",
    re.IGNORECASE,
)
_RECORD_PATH = re.compile(r"/pith/(?P<suffix>[A-Za-z2-7]{8,26})(?:\.json)?")


class Located(Frozen):
    """What a WHAT on the command line names.

    Attributes:
        text: as given.
        kind: ``number``, ``arxiv``, ``file``, ``stdin`` or ``url``.
        number: the number asked for, where the WHAT holds one.
        arxiv_id, version: for ``arxiv``.
        address: the file's path or the record's URL.
    """

    text: str
    kind: str
    number: PithNumber | None = None
    arxiv_id: str | None = None
    version: int | None = None
    address: str | None = None


def locate(what: str) -> Located:
    """Decide what a text names: standard input, a file, a URL, a DOI, an arXiv id, or a Pith Number.

    A file is taken for one only if its text has a folder or an ending, so that a stray file can't stand in for a number.

    Raises:
        UsageError, NumberError: it names nothing that could be looked up.
    """
    text = what.strip(" \t\r\n")
    if text == "-":
        return Located(what, "stdin")
    if "\x00" in text:
        raise UsageError("a name with a NUL character names nothing")
    doi = _DOI.fullmatch(text)
    if doi:
        return Located(what, "arxiv", arxiv_id=doi["id"])
    arxiv = _ARXIV.fullmatch(text)
    if arxiv and not os.path.isfile(text):
        version = int(arxiv["version"]) if arxiv["version"] else None
        return Located(what, "arxiv", arxiv_id=arxiv["id"], version=version)
    if "://" in text:
        return _locate_url(what, text)
    if text.lower().endswith((".json", ".jsonld")) or "/" in text or os.sep in text:
        return Located(what, "file", _number_in_name(text), address=text)
    return Located(what, "number", parse_number(text))


def _number_in_name(path: str) -> PithNumber | None:
    """The number a file is named after, which its record must then have."""
    stem = os.path.basename(path).split(".", 1)[0]
    try:
        number = parse_number(stem)
    except NumberError:
        return None
    return number if number.is_full else None


def _locate_url(what: str, text: str) -> Located:
    url = _checked_url(text)
    from urllib.parse import urlsplit

    match = _RECORD_PATH.fullmatch(urlsplit(url).path)
    if match is None:
        raise UsageError(f"{text}: not a record's address; those end in /pith/ and a number")
    number = parse_number(match["suffix"])
    return Located(what, "url", number, address=url if url.endswith(".json") else f"{url}.json")


def _checked_url(text: str) -> str:
    """The URL as given, if it may be asked at all.

    Raises:
        UsageError: another scheme than https (or http to loopback), a user name, a port, or a host that is not plain ASCII.
    """
    from urllib.parse import urlsplit

    if not text.isascii() or any(character <= " " or character in "\\\x7f" for character in text):
        raise UsageError(f"{text!a}: an address may hold only printable ASCII characters")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise UsageError(f"{text}: not an address: {error}") from None
    loopback = host in ("127.0.0.1", "localhost", "::1")
    if parts.scheme == "http" and not loopback:
        raise UsageError(f"{text}: plain http can be changed on the way; use https")
    if parts.scheme not in ("https", "http"):
        raise UsageError(f"{text}: only https addresses are fetched")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"{text}: an address with a user name is not fetched, since it hides its host")
    if not host or host.endswith(".") or (port not in (None, 443) and not loopback):
        raise UsageError(f"{text}: the host is missing, ends in a dot or has an odd port")
    return text


def record_url(suffix: str, resolver: str = DEFAULT_RESOLVER) -> str:
    """The page of a record; ``Located`` and badges link here."""
    return f"{resolver.rstrip('/')}/pith/{suffix}"


class Resolver:
    """Finds records. Holds no verdicts: whatever it returns must be verified.

    Args:
        base: where numbers are looked up.
        offline: use no network.
        timeout: seconds that one record may take in all.
    """

    def __init__(self, base: str = DEFAULT_RESOLVER, *, offline: bool = False, timeout: float = TOTAL_TIMEOUT) -> None:
        self.base = _checked_url(base).rstrip("/")
        self.offline = offline
        self.timeout = timeout

    def bytes_of(self, located: Located) -> bytes:
        """The record's bytes, unverified.

        Raises:
            RecordError: the file or standard input can't be read.
            NotFoundError: the resolver does not know it.
            UnreachableError: offline, or nobody answered properly.
        """
        if located.kind == "stdin":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise RecordError(f"standard input: larger than {MAX_BYTES} bytes, which no record is", code="json.size")
            return data
        if located.kind == "file":
            return read_file(located.address or "")
        if self.offline:
            raise UnreachableError(
                f"{located.text.strip()}: not looked up, since --offline was given", code="resolve.offline"
            )
        return self._get(self._address(located))

    def record(self, located: Located) -> Record:
        """The record, read strictly but not verified.

        Raises:
            RecordError and its kind: the answer is no record; and what `bytes_of` raises.
        """
        origin = located.address or located.text.strip()
        return read_record(read_json(self.bytes_of(located), origin), origin)

    def _address(self, located: Located) -> str:
        if located.kind == "url":
            return located.address or ""
        if located.number is not None:
            return f"{self.base}/pith/{located.number.suffix}.json"
        from urllib.parse import quote

        version = f"v{located.version}" if located.version else ""
        return f"{self.base}/api/pith-number/resolve?arxiv={quote(f'{located.arxiv_id}{version}', safe='')}&json=true"

    def _get(self, url: str) -> bytes:
        import time

        import requests

        deadline = time.monotonic() + self.timeout
        host = _host(url)
        with requests.Session() as session:
            for _ in range(MAX_REDIRECTS + 1):
                try:
                    response = session.get(
                        url,
                        headers={"Accept": "application/ld+json, application/json", "User-Agent": _user_agent()},
                        timeout=(min(CONNECT_TIMEOUT, self.timeout), self.timeout),
                        allow_redirects=False,
                        stream=True,
                    )
                    with response:
                        if response.is_redirect:
                            url = _redirect(response, url, host)
                            continue
                        return _body(response, url, deadline)
                except requests.RequestException as error:
                    raise UnreachableError(f"{url}: {_reason(error)}") from None
        raise UnreachableError(f"{url}: more than {MAX_REDIRECTS} redirects", code="resolve.redirects")


def _user_agent() -> str:
    from pybadge._version import __version__

    return f"pybadge/{__version__}"


def _host(url: str) -> str:
    from urllib.parse import urlsplit

    return urlsplit(url).netloc


def _redirect(response: requests.Response, url: str, host: str) -> str:
    from urllib.parse import urljoin

    target = _checked_url(urljoin(url, response.headers.get("Location", "")))
    if _host(target) != host:
        raise UnreachableError(f"{url}: redirected to another host, which is not followed", code="resolve.redirects")
    return target


def _body(response: requests.Response, url: str, deadline: float) -> bytes:
    import time

    if response.status_code == 404:
        raise NotFoundError(f"{url}: no such record")
    if response.status_code != 200:
        raise UnreachableError(f"{url}: answered {response.status_code}")
    if "json" not in response.headers.get("Content-Type", "").lower():
        raise UnreachableError(f"{url}: answered with something that is no JSON", code="resolve.content_type")
    body = b""
    for chunk in response.iter_content(16384):
        body += chunk
        if len(body) > MAX_BYTES:
            raise UnreachableError(f"{url}: answered with more than {MAX_BYTES} bytes", code="resolve.size")
        if time.monotonic() > deadline:
            raise UnreachableError(f"{url}: took too long", code="resolve.deadline")
    return body


def _reason(error: Exception) -> str:
    import requests

    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.exceptions.SSLError):
        return "the certificate can't be trusted"
    return "can't be reached" if isinstance(error, requests.ConnectionError) else type(error).__name__


def fetch(what: str, *, resolver: str = DEFAULT_RESOLVER, offline: bool = False, timeout: float = TOTAL_TIMEOUT) -> Record:
    """The record that a text names, read strictly but not verified; pass it to `pybadge.verify` with ``asked=what``.

    Args:
        what: a number in any form, an arXiv id, a DOI, a record URL, a path, or ``-``.
        resolver: where numbers are looked up.
        offline: use no network.
        timeout: seconds in all.

    Raises:
        PybadgeError: it names nothing, can't be found, can't be reached, or is no record.
    """
    return Resolver(resolver, offline=offline, timeout=timeout).record(locate(what))
