"""What a text on the command line names: a number, an arXiv id, a DOI, an address, a file, or standard input."""

from __future__ import annotations

import os

from pybadge.errors import NumberError, UsageError
from pybadge.frozen import Frozen
from pybadge.number import PithNumber, parse_number
from pybadge.record import is_arxiv_id

__all__ = ["LOOPBACK", "Located", "checked_url", "locate", "same_paper"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")

_ARXIV_HOSTS = ("arxiv.org", "www.arxiv.org", "export.arxiv.org")
_DOI_HOSTS = ("doi.org", "www.doi.org", "dx.doi.org")
_ARXIV_PAGES = ("abs", "pdf", "html", "format", "ps", "src", "e-print")
_DOI_PREFIX = "10.48550/arxiv."
_FILE_ENDINGS = (".json", ".jsonld", ".txt", ".lock")
_LONGEST = 4096


class Located(Frozen):
    """What a WHAT on the command line names.

    Attributes:
        text: as given.
        kind: ``number``, ``arxiv``, ``file``, ``stdin`` or ``url``.
        number: the number asked for, where the WHAT holds one.
        arxiv_id, version: for ``arxiv``; the id without version.
        address: the file's path or the record's URL.
    """

    text: str
    kind: str
    number: PithNumber | None = None
    arxiv_id: str | None = None
    version: int | None = None
    address: str | None = None

    @property
    def key(self) -> str:
        """A text that is the same for every way of asking for the same thing; for caches and lock files."""
        if self.arxiv_id is not None:
            return f"arxiv:{self.arxiv_id.lower()}{f'v{self.version}' if self.version else ''}"
        if self.number is not None and self.kind == "number":
            return f"pith:{self.number.suffix}"
        return self.address or self.text.strip()


def locate(what: str) -> Located:
    """Decide what a text names.

    A file is taken for one only if its name has a folder or an ending, and only if it reads as nothing else, so that a
    stray file can't stand in for a number.

    Raises:
        UsageError, NumberError: it names nothing that could be looked up.
    """
    text = what.strip(" \t\r\n")
    if text == "-":
        return Located(what, "stdin")
    if len(text) > _LONGEST:
        raise UsageError(f"{text[:40]!a}…: {len(text)} characters name nothing")
    if "\x00" in text or "\n" in text or "\r" in text:
        raise UsageError(f"{text[:60]!a}: a name with a NUL or a line break names nothing")
    arxiv = _arxiv(what, text)
    if arxiv is not None:
        return arxiv
    if "://" in text:
        return _locate_url(what, text)
    if "/" in text or os.sep in text or text.lower().endswith(_FILE_ENDINGS):
        return Located(what, "file", _number_in_name(text), address=text)
    try:
        return Located(what, "number", parse_number(text))
    except NumberError as error:
        if not os.path.isfile(text):
            raise
        if "." in text:
            return Located(what, "file", _number_in_name(text), address=text)
        raise NumberError(f"{error}; the file of that name is ./{text}", code=error.code) from None


def _arxiv(what: str, text: str) -> Located | None:
    """An arXiv id, by itself or in an address of arxiv.org or doi.org."""
    lower = text.lower()
    host = lower.partition("://")[2].partition("/")[0]
    if not host and lower.startswith((*(f"{name}/" for name in (*_ARXIV_HOSTS, *_DOI_HOSTS)),)):
        host = lower.partition("/")[0]
        text = f"https://{text}"
    if host in _ARXIV_HOSTS or host in _DOI_HOSTS:
        return _arxiv_address(what, text, host)
    for prefix in ("doi:", "arxiv:"):
        if lower.startswith(prefix):
            lower, text = lower[len(prefix) :].lstrip(), text[len(prefix) :].lstrip()
            break
    else:
        prefix = ""
    if lower.startswith("10.") and "/" in lower:
        if not lower.startswith(_DOI_PREFIX):
            raise UsageError(f"{text}: only arXiv's own DOIs, {_DOI_PREFIX}…, lead to a Pith Number")
        text, prefix = text[len(_DOI_PREFIX) :], "doi:"
    return _arxiv_id(what, text, certain=bool(prefix))


def _arxiv_address(what: str, text: str, host: str) -> Located | None:
    from urllib.parse import unquote, urlsplit

    path = unquote(urlsplit(text).path).strip("/")
    if host in _DOI_HOSTS:
        if not path.lower().startswith(_DOI_PREFIX):
            raise UsageError(f"{text}: only arXiv's own DOIs, {_DOI_PREFIX}…, lead to a Pith Number")
        return _arxiv_id(what, path[len(_DOI_PREFIX) :], certain=True)
    page, _, identifier = path.partition("/")
    if page.lower() not in _ARXIV_PAGES:
        raise UsageError(f"{text}: not the address of a paper; those are https://arxiv.org/abs/ and an arXiv id")
    return _arxiv_id(what, identifier.removesuffix(".pdf"), certain=True)


def _arxiv_id(what: str, text: str, *, certain: bool) -> Located | None:
    """The id and version in a text.

    Args:
        what: the whole text, for the answer.
        text: the part that should be the id.
        certain: whether the text must be an arXiv id.

    Raises:
        UsageError: it must be one and isn't.
    """
    identifier, version = text, None
    stem, mark, digits = text.lower().rpartition("v")
    if mark and digits.isascii() and digits.isdigit() and len(digits) <= 4 and not digits.startswith("0"):
        identifier, version = text[: len(stem)], int(digits)
    archive, slash, serial = identifier.partition("/")
    # Archives are lower case, their subject classes upper case: math.GT/0309136.
    name, dot, subject = archive.partition(".")
    tidy = f"{name.lower()}{dot}{subject.upper()}/{serial}" if slash else identifier
    if is_arxiv_id(tidy):
        return Located(what, "arxiv", arxiv_id=tidy, version=version)
    if certain:
        raise UsageError(f"{text!a:.60}: not an arXiv id; those look like 2402.15627v1 or hep-lat/0305021")
    return None


def same_paper(one: str, other: str) -> bool:
    """Whether two arXiv ids without version are the same: the subject class of an old id (math.GT/…) names nothing."""

    def bare(identifier: str) -> str:
        archive, slash, serial = identifier.lower().partition("/")
        return f"{archive.partition('.')[0]}/{serial}" if slash else archive

    return bare(one) == bare(other)


def _number_in_name(path: str) -> PithNumber | None:
    """The number a file is named after, which its record must then have."""
    stem = os.path.basename(path).split(".", 1)[0]
    try:
        number = parse_number(stem)
    except NumberError:
        return None
    return number if number.is_full else None


def _locate_url(what: str, text: str) -> Located:
    from urllib.parse import urlsplit

    url = checked_url(text)
    parts = urlsplit(url)
    folder, _, rest = parts.path.lstrip("/").partition("/")
    if folder == ".well-known":
        folder, _, rest = rest.partition("/")
    name, slash, tail = rest.partition("/")
    suffix = name.removesuffix(".json") if not slash else name
    if folder not in ("pith", "paper") or tail not in ("", "bundle.json"):
        raise UsageError(f"{text}: not a record's address; those end in /pith/ and a number")
    number = parse_number(suffix)
    if tail:
        return Located(what, "url", number, address=url)
    return Located(what, "url", number, address=f"{parts.scheme}://{parts.netloc}/pith/{number.suffix}.json")


def checked_url(text: str) -> str:
    """The URL as given, if it may be asked at all.

    Raises:
        UsageError: another scheme than https (or http to loopback), a user name, a port, or a host that is not plain ASCII.
    """
    from urllib.parse import urlsplit

    if not text.isascii() or any(character <= " " or character in "\\\x7f" for character in text):
        raise UsageError(f"{text!a:.200}: an address may hold only printable ASCII characters")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise UsageError(f"{text}: not an address: {error}") from None
    loopback = host in LOOPBACK
    if parts.scheme == "http" and not loopback:
        raise UsageError(f"{text}: plain http can be changed on the way; use https")
    if parts.scheme not in ("https", "http"):
        raise UsageError(f"{text}: only https addresses are fetched")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"{text}: an address with a user name is not fetched, since it hides its host")
    if not host or host.endswith(".") or (port not in (None, 443) and not loopback):
        raise UsageError(f"{text}: the host is missing, ends in a dot or has an odd port")
    return text
