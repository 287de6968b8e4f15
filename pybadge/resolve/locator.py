"""What a text on the command line names: a number, an arXiv id, a DOI, an address, a file, or
standard input."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from pybadge.address import checked_url
from pybadge.arxiv import ArxivId, parse_arxiv_id
from pybadge.errors import NumberError, UsageError
from pybadge.number import PithNumber, parse_number

__all__ = ["Locator", "locate"]

_ARXIV_HOSTS = ("arxiv.org", "www.arxiv.org", "export.arxiv.org")
_DOI_HOSTS = ("doi.org", "www.doi.org", "dx.doi.org")
_BARE_HOSTS = tuple(f"{host}/" for host in (*_ARXIV_HOSTS, *_DOI_HOSTS))
_ARXIV_PAGES = ("abs", "pdf", "html", "format", "ps", "src", "e-print")
_DOI_PREFIX = "10.48550/arxiv."
_FILE_ENDINGS = (".json", ".jsonld", ".txt", ".lock")
_LONGEST = 4096
_LIKE_PAPER = re.compile(r"[0-9]{4}\.[0-9]")  # no number begins so


@dataclass(frozen=True, slots=True)
class Locator:
    """What a WHAT on the command line names.

    Attributes:
        text: as given.
        kind: ``number``, ``arxiv``, ``file``, ``stdin`` or ``url``.
        number: the number asked for, where the WHAT holds one.
        paper: for ``arxiv``.
        address: the file's path or the record's URL; "" for the other kinds.
    """

    text: str
    kind: str
    number: PithNumber | None = None
    paper: ArxivId | None = None
    address: str = ""

    @property
    def key(self) -> str:
        """A text that is the same for every way of asking for the same thing; for caches and lock
        files."""
        if self.paper is not None and self.kind == "arxiv":
            return f"arxiv:{ArxivId(self.paper.id.lower(), self.paper.version).text}"
        if self.number is not None and self.kind == "number":
            return f"pith:{self.number.suffix}"
        return self.address or self.text.strip()


def locate(what: str) -> Locator:
    """Decide what a text names.

    A file is taken for one only if its name has a folder or an ending, and only if it reads as
    nothing else, so that a stray file can't stand in for a number.

    Raises:
        UsageError, NumberError: it names nothing that could be looked up.
    """
    text = what.strip(" \t\r\n")
    if text == "-":
        return Locator(what, "stdin")
    if len(text) > _LONGEST:
        raise UsageError(f"{text[:40]!a}…: {len(text)} characters name nothing")
    if any(character in text for character in "\x00\n\r"):
        raise UsageError(f"{text[:60]!a}: a name with a NUL or a line break names nothing")
    paper = _paper(text)
    if paper is not None:
        return Locator(what, "arxiv", paper=paper)
    if "://" in text:
        return _record_address(what, text)
    if "/" in text or os.sep in text or text.lower().endswith(_FILE_ENDINGS):
        return Locator(what, "file", _number_in_name(text), address=text)
    return _number_or_file(what, text)


def _number_or_file(what: str, text: str) -> Locator:
    if _LIKE_PAPER.match(text) and not os.path.isfile(text):
        _certain_paper(text)
    try:
        return Locator(what, "number", parse_number(text))
    except NumberError as error:
        if not os.path.isfile(text):
            raise
        if "." in text:
            return Locator(what, "file", _number_in_name(text), address=text)
        raise NumberError(f"{error}; the file of that name is ./{text}", code=error.code) from None


def _paper(text: str) -> ArxivId | None:
    """The paper that an arXiv id names, by itself or in an address of arxiv.org or doi.org."""
    lower = text.lower()
    host = lower.partition("://")[2].partition("/")[0]
    if not host and lower.startswith(_BARE_HOSTS):
        host = lower.partition("/")[0]
        text = f"https://{text}"
    if host in _ARXIV_HOSTS or host in _DOI_HOSTS:
        return _paper_of_address(text, host)
    named = lower.startswith(("doi:", "arxiv:"))
    if named:
        text = text.partition(":")[2].lstrip()
    if text.startswith("10.") and "/" in text:
        return _paper_of_doi(text, text)
    return _certain_paper(text) if named else parse_arxiv_id(text)


def _paper_of_address(text: str, host: str) -> ArxivId:
    path = unquote(urlsplit(text).path).strip("/")
    if host in _DOI_HOSTS:
        return _paper_of_doi(path, text)
    page, _, identifier = path.partition("/")
    if page.lower() not in _ARXIV_PAGES:
        raise UsageError(
            f"{text}: not the address of a paper; those are https://arxiv.org/abs/ and an arXiv id"
        )
    return _certain_paper(identifier.removesuffix(".pdf"))


def _paper_of_doi(doi: str, text: str) -> ArxivId:
    if not doi.lower().startswith(_DOI_PREFIX):
        raise UsageError(f"{text}: only arXiv's own DOIs, {_DOI_PREFIX}…, lead to a Pith Number")
    return _certain_paper(doi[len(_DOI_PREFIX) :])


def _certain_paper(text: str) -> ArxivId:
    """The paper that a text names which must be an arXiv id.

    Raises:
        UsageError: it is none.
    """
    paper = parse_arxiv_id(text)
    if paper is None:
        raise UsageError(
            f"{text!a:.60}: not an arXiv id; those look like 2402.15627v1 or hep-lat/0305021"
        )
    return paper


def _number_in_name(path: str) -> PithNumber | None:
    """The number a file is named after, which its record must then have."""
    stem = os.path.basename(path).split(".", 1)[0]
    try:
        number = parse_number(stem)
    except NumberError:
        return None
    return number if number.is_full else None


# What a record's own address ends in, and the addresses beside it that the record prints.
_RECORD_PAGE = re.compile(
    r"/(?:\.well-known/)?(?:pith|paper)/(?P<number>[^/]+?)(?:\.json|/bundle\.json|/state\.json)?/?"
)
_RECORD_API = re.compile(r"/api/pith-number/(?P<number>[^/]+)/(?:graph|events|bundle|state)\.json")
_RESOLVE = "/api/pith-number/resolve"


def _record_address(what: str, text: str) -> Locator:
    url = checked_url(text)
    parts = urlsplit(url)
    if parts.path == _RESOLVE:
        return _resolve_address(what, url)
    match = _RECORD_PAGE.fullmatch(parts.path) or _RECORD_API.fullmatch(parts.path)
    if match is None:
        raise UsageError(f"{text}: not a record's address; those end in /pith/ and a number")
    number = parse_number(match["number"])
    if parts.path.endswith("/bundle.json"):
        return Locator(what, "url", number, address=url)
    address = f"{parts.scheme}://{parts.netloc}/pith/{number.suffix}.json"
    return Locator(what, "url", number, address=address)


def _resolve_address(what: str, url: str) -> Locator:
    asked = parse_qs(urlsplit(url).query).get("arxiv", [""])
    paper = _certain_paper(asked[0])
    return Locator(what, "url", paper=paper, address=url)
